#include "inspection/corpus_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/temp_folder.h"

namespace ventris::inspection {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

CorpusStatistics some_corpus(const test::TempFolder& folder) {
  return survey_corpus(
      {folder.file("a.en", "a b c\na b c\n\nfour words are here\n"), folder.file("a.de", "x\nx\n\ny z\n")}, {});
}

TEST(CorpusReport, ProgramsGetEveryFigure) {
  const test::TempFolder folder;
  const auto json = to_json(some_corpus(folder));
  EXPECT_EQ(json["kind"], "corpus");
  EXPECT_EQ(json["lines"], 4);
  EXPECT_EQ(json["source"]["words"]["total"], 10);
  EXPECT_EQ(json["source"]["words"]["percentiles"]["50"], 3);
  EXPECT_EQ(json["source"]["words"]["longest_line"], 4);
  EXPECT_EQ(json["source"]["words"]["histogram"][0].dump(), R"({"from":0,"to":0,"lines":1})");
  EXPECT_EQ(json["source"]["empty"].dump(), R"({"lines":1,"first_line":3})");
  EXPECT_EQ(json["source"]["duplicates"]["share"], 0.25);
  EXPECT_EQ(json["source"]["scripts"][0]["script"], "Latin");
  EXPECT_EQ(json["source"]["scripts"][0]["top"][0]["code"], "U+0072");
  EXPECT_EQ(json["pairs"]["duplicates"]["lines"], 1);
  EXPECT_EQ(json["pairs"]["length_ratio"]["unit"], "words");
  EXPECT_FALSE(json.contains("problem") || json.contains("overlap") || json["source"].contains("tokens"));
}

TEST(CorpusReport, PeopleGetLinesAndAHistogram) {
  const test::TempFolder folder;
  const std::string text = to_text(some_corpus(folder));
  EXPECT_THAT(text,
              StartsWith(folder.path("a.en") + " and " + folder.path("a.de") + ": corpus, its format is correct\n"));
  EXPECT_THAT(text, HasSubstr("\nsource: 4 lines\n"));
  EXPECT_THAT(text, HasSubstr("  duplicates   1 (25.00 %)\n"));
  EXPECT_THAT(text, HasSubstr("  empty        1 line, the first is line 3\n"));
  EXPECT_THAT(text, HasSubstr("\n                   3            2  ########################################\n"));
  EXPECT_THAT(text, HasSubstr("    Latin                      22 100.00 %  r a e "));
  EXPECT_THAT(text, Not(HasSubstr("tokens")));
}

TEST(CorpusReport, NothingReachesTheTerminalRaw) {
  const test::TempFolder folder;
  const std::string text = to_text(survey_corpus({folder.file("a\x1b[2J", "\x1b\u009b\u202e\u00a0\u00e4\n"), ""}, {}));
  EXPECT_THAT(text, StartsWith(folder.path("a\\x1b[2J") + ": corpus, "));
  EXPECT_THAT(text, HasSubstr("U+202E"));
  EXPECT_THAT(text, HasSubstr("\u00e4"));
  for (const char* raw : {"\x1b", "\u009b", "\u202e"}) EXPECT_THAT(text, Not(HasSubstr(raw)));
}

TEST(CorpusReport, AProblemComesFirst) {
  const test::TempFolder folder;
  const auto corpus = survey_corpus({folder.file("a", "1\n2\n"), folder.file("b", "1\n")}, {});
  EXPECT_THAT(to_text(corpus), HasSubstr(": corpus, NOT USABLE\nproblem        line counts differ: "));
  EXPECT_THAT(to_json(corpus)["problem"].get<std::string>(), StartsWith("line counts differ: "));
}

}  // namespace
}  // namespace ventris::inspection
