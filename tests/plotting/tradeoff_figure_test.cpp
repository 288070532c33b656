#include "plotting/tradeoff_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/svg.h"
#include "support/temp_folder.h"

namespace ventris::plotting {
namespace {

using testing::HasSubstr;

TEST(TradeoffFigure, ShowsALineForEachModelWithAPointForEachBeam) {
  const test::TempFolder folder;
  const std::string svg = tradeoff_figure(folder.file("a.json", R"({"machine": "any", "points": [
      {"model": "teacher, f32", "beam": 1, "sentences_per_second": 300, "bleu": 39},
      {"model": "teacher, f32", "beam": 5, "sentences_per_second": 100, "bleu": 40},
      {"model": "student, int8", "beam": 1, "sentences_per_second": 2000, "bleu": 39.5}]})"));
  for (const char* part : {">Quality against speed<", ">teacher, f32<", ">student, int8<", ">sentences/s<", ">BLEU<"}) {
    EXPECT_THAT(svg, HasSubstr(part));
  }
  EXPECT_EQ(test::count_shown(svg, "<circle"), 3U);
}

TEST(TradeoffFigure, RefusesAFileWithoutPoints) {
  const test::TempFolder folder;
  EXPECT_FAILS(tradeoff_figure(folder.file("a.json", "{}")), ConfigError,
               "expected measured points, found none; give a file of tradeoff.py");
  EXPECT_FAILS(tradeoff_figure(folder.file("b.json", R"({"points": [{"model": "a"}]})")), ConfigError,
               "points[0].beam");
}

}  // namespace
}  // namespace ventris::plotting
