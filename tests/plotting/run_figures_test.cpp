#include "plotting/run_figures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::plotting {
namespace {

using testing::HasSubstr;

TEST(ScheduleFigure, DrawsTheSchedulesOfSettingsFiles) {
  const test::TempFolder folder;
  const std::string file = folder.file("a&b.json", R"({"training": {"schedule": {"warmup_updates": 100}}})");
  EXPECT_THAT(schedule_figure({file}, 1000), HasSubstr(">a&amp;b.json<"));
  EXPECT_THAT(schedule_figure({}, 20000), HasSubstr(">d_model 512, warm-up 4000<"));
  const std::string best = folder.file("best.json", R"({"training": {"average_best": 5}})");
  EXPECT_THAT(schedule_figure({best}, 1000), HasSubstr(">best.json<")) << "no corpus is needed";
}

TEST(ScheduleFigure, RefusesAFileThatIsNoneAndALengthThatIsNone) {
  const test::TempFolder folder;
  EXPECT_FAILS(schedule_figure({folder.file("a.json", R"({"trainnig": {}})")}, 10), ConfigError,
               "trainnig: unknown setting");
  EXPECT_FAILS(schedule_figure({}, 1), ConfigError, "--updates: expected 2 to 100000000, got 1");
}

TEST(LengthsFigure, CountsWordsOrTokensOfEachFile) {
  const test::TempFolder folder;
  const std::string source = folder.file("train.en", "one  two three\n\none\n"),
                    target = folder.file("train.de", "eins\n");
  const std::string words = lengths_figure({source, target}, "");
  for (const char* text : {">train.en<", ">train.de<", ">words<"}) EXPECT_THAT(words, HasSubstr(text));
  test::write_copying_bundle(folder.path("bundle"));
  EXPECT_THAT(lengths_figure({source}, folder.path("bundle")), HasSubstr(">tokens<"));
}

TEST(LengthsFigure, OfAnEmptyFileHasNoBars) {
  const test::TempFolder folder;
  EXPECT_THAT(lengths_figure({folder.file("empty", "")}, ""), HasSubstr("</svg>"));
  EXPECT_THAT(lengths_figure({folder.file("blank", "\n\n")}, ""), HasSubstr("</svg>"));
}

TEST(LengthsFigure, TellsOfLinesThatAreNoUtf8) {
  const test::TempFolder folder;
  const std::string file = folder.file("broken", "one\ntw\xff\n");
  testing::internal::CaptureStderr();
  lengths_figure({file}, "");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("1 of 2 lines are not valid UTF-8 (the first is line 2)"));
}

TEST(LengthsFigure, NeedsFilesThatAreThere) {
  EXPECT_FAILS(lengths_figure({}, ""), ConfigError, "lengths: no file is given");
  EXPECT_FAILS(lengths_figure({"-", "-"}, ""), ConfigError, "lengths: standard input can be only one of the files");
  EXPECT_FAILS(lengths_figure({"/none/such"}, ""), DataError, "/none/such: cannot be read");
}

}  // namespace
}  // namespace ventris::plotting
