#include "plotting/scaling_figure.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/svg.h"
#include "support/temp_folder.h"

namespace ventris::plotting {
namespace {

using testing::HasSubstr;

std::string point(const std::string& task, const std::string& field, int value) {
  return fmt::format(R"({{"task": "{}", "field": "{}", "value": {}, "tokens_per_second": 9.5, "limit": 20, "mib": 3}})",
                     task, field, value);
}

TEST(ScalingFigure, ShowsSpeedBesideItsLimitAndMemoryForEachTaskAndThingThatChanged) {
  const test::TempFolder folder;
  const std::string file =
      folder.file("a.json", fmt::format(R"({{"points": [{}, {}, {}, {}]}})", point("translate", "width", 64),
                                        point("translate", "width", 128), point("translate", "batch", 1),
                                        point("train", "width", 64)));
  const std::string svg = scaling_figure(file);
  for (const char* part : {">translate: width<", ">translate: batch<", ">train: width<", ">measured<",
                           ">arithmetic limit<", ">peak memory<", ">tokens/s<", ">MiB<"}) {
    EXPECT_THAT(svg, HasSubstr(part));
  }
  EXPECT_EQ(test::count_shown(svg, "<circle"), 4U * 3U);
}

TEST(ScalingFigure, RefusesAFileWithoutPoints) {
  const test::TempFolder folder;
  EXPECT_FAILS(scaling_figure(folder.file("a.json", "{}")), ConfigError,
               "expected measured points, found none; give a file of scaling.py");
  EXPECT_FAILS(scaling_figure(folder.file("b.json", R"({"points": [{"task": "train"}]})")), ConfigError,
               "points[0].field");
  EXPECT_FAILS(scaling_figure(folder.path("none.json")), ConfigError, "none.json");
}

}  // namespace
}  // namespace ventris::plotting
