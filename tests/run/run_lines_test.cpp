#include "run/run_lines.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/file_size_limit.h"
#include "support/temp_folder.h"

namespace ventris::run {
namespace {

using nlohmann::ordered_json;

std::string line(const char* kind, int updates) {
  return ordered_json{{"kind", kind}, {"updates", updates}}.dump() + "\n";
}

TEST(RunLines, PastTheCheckpointAreCutOff) {
  const test::TempFolder folder;
  TrainingState state;
  state.progress.updates = 200;
  state.last_validated = 100;  // the validation at 200 is still due
  const std::string known = line("train", 100) + line("valid", 100) + line("train", 200);
  const std::string path = folder.file("lines", known + line("valid", 200) + line("train", 300) + "{\"kind\":\"tr");
  cut_lines(path, state);
  EXPECT_EQ(test::file_bytes(path), known);
}

TEST(RunLines, DamagedOnesAreDropped) {
  const test::TempFolder folder;
  TrainingState state;
  state.progress.updates = 200;
  const std::string damaged =
      "{\"kind\":\"train\",\"updates\":\"x\"}\n{\"kind\":7,\"updates\":5}\n{\"kind\":\"train\"}\n{\"updates\":5}\n[]"
      "\n3\n";
  const std::string path = folder.file("lines", line("train", 100) + damaged + line("train", 200));
  cut_lines(path, state);
  EXPECT_EQ(test::file_bytes(path), line("train", 100) + line("train", 200));
}

TEST(RunLines, AFileThatIsNotThereStaysAway) {
  const test::TempFolder folder;
  cut_lines(folder.path("none"), {});
  EXPECT_FALSE(std::filesystem::exists(folder.path("none")));
}

TEST(RunLines, AreAppendedAndOneThatCannotBeIsAnError) {
  const test::TempFolder folder;
  append_line(folder.path("lines"), {{"text", "\xFF"}});
  append_line(folder.path("lines"), {{"updates", 5}});
  EXPECT_EQ(test::file_bytes(folder.path("lines")), "{\"text\":\"\uFFFD\"}\n{\"updates\":5}\n");
  EXPECT_FAILS(append_line(folder.path("none/lines"), {}), WriteError, "none/lines: cannot be written");
}

TEST(RunLines, HalfALineDoesNotStay) {
  const test::TempFolder folder;
  append_line(folder.path("lines"), {{"updates", 5}});
  {
    const test::FileSizeLimit full_disk(20);
    EXPECT_THROW(append_line(folder.path("lines"), {{"updates", 6}}), WriteError);
  }
  append_line(folder.path("lines"), {{"updates", 7}});
  EXPECT_EQ(test::file_bytes(folder.path("lines")), "{\"updates\":5}\n{\"updates\":7}\n");
}

}  // namespace
}  // namespace ventris::run
