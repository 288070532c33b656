#include "settings/settings_file.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::settings {
namespace {

TEST(ReadSettings, NeedNoCorpora) {
  const test::TempFolder folder;
  EXPECT_EQ(read_settings(folder.file("a.json", R"({"training": {"average_best": 5}})")).training.average_best, 5);
}

TEST(ReadSettings, ErrorsNameTheFile) {
  const test::TempFolder folder;
  EXPECT_FAILS(read_settings(folder.file("b.json", R"({"trainnig": {}})")), ConfigError,
               "b.json: trainnig: unknown setting");
  EXPECT_FAILS(read_settings(folder.path("none.json")), ConfigError, "none.json");
}

}  // namespace
}  // namespace ventris::settings
