#include "report/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/folder_entries.h"
#include "support/small_run.h"
#include "support/temp_folder.h"

namespace ventris::report {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two runs that differ in one setting. The second one has less perplexity.
std::vector<RunData> two_runs() {
  std::vector<RunData> runs{test::small_run(), test::small_run()};
  runs[1].name = "two";
  runs[1].settings["model"]["heads"] = 4;
  for (auto& line : runs[1].metrics) {
    if (line.contains("perplexity")) line["perplexity"] = 1.25;
  }
  return runs;
}

TEST(Comparison, HasTheResultsCurvesSettingsAndTranslationsOfAllRuns) {
  const std::string page = comparison(two_runs());
  for (const char* text :
       {"run &lt;b&gt;one&lt;/b&gt;, two", "Comparison of 2 training runs", "perplexity of the best model", ">1.25<",
        ">Validation perplexity<", "<h2>Settings that differ</h2>", "model.heads",
        "two &lt;script&gt;dogs&lt;/script&gt;", "ein &amp; zwei"}) {
    EXPECT_THAT(page, HasSubstr(text));
  }
  EXPECT_THAT(page, Not(HasSubstr("warmup_updates")));  // the same in both
  EXPECT_THAT(page, Not(HasSubstr("<script")));
}

TEST(Comparison, OfRunsWithoutMetricsIsAPage) {
  RunData first, second;
  first.name = "a";
  second.name = "b";
  EXPECT_THAT(comparison({first, second}), HasSubstr("Comparison of 2 training runs"));
}

TEST(WriteComparison, CallsRunsOfTheSameNameByTheirPaths) {
  const test::TempFolder folder;
  for (const char* run : {"x/run", "y/run"}) test::write_small_run(folder.path(run));
  write_comparison({folder.path("x/run"), folder.path("y/run")}, folder.path("page.html"));
  const std::string page = test::file_bytes(folder.path("page.html"));
  EXPECT_THAT(page, HasSubstr(folder.path("x/run") + ", " + folder.path("y/run")));
}

TEST(WriteComparison, ARunGivenTwiceIsRefused) {
  const test::TempFolder folder;
  test::write_small_run(folder.path("run"));
  EXPECT_FAILS(write_comparison({folder.path("run"), folder.path("run/.")}, folder.path("page.html")), ConfigError,
               "this run is given twice; give each run once");
  EXPECT_EQ(test::entries(folder.path()), std::vector<std::string>{"run"});
}

}  // namespace
}  // namespace ventris::report
