#include "plotting/complexity_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/svg.h"
#include "support/temp_folder.h"

namespace ventris::plotting {
namespace {

using testing::HasSubstr;

std::string point(const std::string& kind, int n, int d, double seconds) {
  return R"({"kind": ")" + kind + R"(", "n": )" + std::to_string(n) + R"(, "d": )" + std::to_string(d) +
         R"(, "forward": )" + std::to_string(seconds) + R"(, "backward": )" + std::to_string(seconds) +
         R"(, "mib": 2})";
}

TEST(ComplexityFigure, ShowsTimeAndMemoryOfEachKindAtTheLargestSizesOfAll) {
  const test::TempFolder folder;
  const std::string file = folder.file(
      "a.json", R"({"threads": 1, "points": [)" + point("full", 64, 64, 0.1) + "," + point("full", 128, 64, 0.4) + "," +
                    point("full", 128, 256, 0.9) + "," + point("linear", 64, 64, 0.1) + "," +
                    point("linear", 128, 64, 0.2) + "," + point("linear", 256, 64, 0.2) + "]}");
  const std::string svg = complexity_figure(file);
  for (const char* part : {">Time, d = 64<", ">Memory, d = 64<", ">Time, n = 128<", ">full<", ">linear<", ">length n<",
                           ">width d<", ">seconds<", ">MiB<"}) {
    EXPECT_THAT(svg, HasSubstr(part));
  }
  EXPECT_EQ(test::count_shown(svg, "<circle"), 5U + 5U + 3U);
}

TEST(ComplexityFigure, RefusesAFileWithoutPoints) {
  const test::TempFolder folder;
  EXPECT_FAILS(complexity_figure(folder.file("a.json", "{}")), ConfigError, "expected measured points, found none");
  EXPECT_FAILS(complexity_figure(folder.file("b.json", R"({"points": [{"kind": "full"}]})")), ConfigError,
               "points[0].n");
  EXPECT_FAILS(complexity_figure(folder.path("none.json")), ConfigError, "none.json");
}

}  // namespace
}  // namespace ventris::plotting
