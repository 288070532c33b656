#include "filters/translation_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::filters {
namespace {

using documents::Warning;
using Sentences = std::vector<std::string>;

documents::Answer answer(std::vector<documents::Finding> findings = {}, int64_t segments = 1) {
  documents::Answer answer;
  answer.translation.candidates.emplace_back();
  answer.findings = std::move(findings);
  answer.segments = segments;
  return answer;
}

TEST(TranslationReport, HasNothingToSayAboutOrdinaryTranslations) {
  TranslationReport report;
  report.add(answer(), 0);
  report.add(answer({}, 3), 1);
  report.add(answer({}, 0), 2);
  EXPECT_EQ(report.warnings(), Sentences{});
  EXPECT_EQ(report.texts(), 3);
  EXPECT_EQ(report.sentences(), 4);
  EXPECT_EQ(report.requests(), 5U);  // a blank text is one, too
}

TEST(TranslationReport, LinesAreThoseOfTextsOrThoseOfADocument) {
  TranslationReport texts, document;
  texts.add(answer({{Warning::kCopy, 7}}), 4);
  document.add(answer({{Warning::kCopy, 7}}), 0, TranslationReport::Lines::kOfText);
  EXPECT_THAT(texts.warnings(), testing::ElementsAre(testing::HasSubstr("(line 5)")));
  EXPECT_THAT(document.warnings(), testing::ElementsAre(testing::HasSubstr("(line 7)")));
}

TEST(TranslationReport, CutLinesAndTranslationsAreCounted) {
  TranslationReport report;
  documents::Answer cut = answer(), truncated = answer();
  cut.translation.source_cut = true;
  truncated.translation.candidates.front().truncated = true;
  for (int64_t number = 0; number < 4; ++number) report.add(number % 2 == 0 ? answer() : cut, number);
  report.add(truncated, 4);
  const std::string lines = "2 lines had more tokens than allowed and were cut (first: line 2)",
                    translations = "1 translation reached the maximum length and was cut (first: line 5)";
  EXPECT_EQ(report.warnings(), (Sentences{lines, translations}));
  report.set_workspace_tokens(17);
  EXPECT_EQ(report.warnings().front(), lines + "; the workspace has room for 17 tokens, a larger --workspace for more");
}

TEST(TranslationReport, WhatIsCutInADocumentIsCountedByItsLines) {
  TranslationReport report;
  documents::Answer document = answer({}, 5);
  document.translation.source_cut = document.translation.candidates.front().truncated = true;
  document.losses = {{false, 4}, {true, 5}, {false, 6}};
  report.add(document, 0, TranslationReport::Lines::kOfText);
  EXPECT_EQ(report.warnings(), (Sentences{"1 line had more tokens than allowed and was cut (first: line 5)",
                                          "2 translations reached the maximum length and were cut (first: line 4)"}));
}

TEST(TranslationReport, TheFirstPhrasesThatAreNotAsWishedAreNamed) {
  TranslationReport report;
  documents::Answer two = answer();
  two.translation.candidates.front().unmet = {{"a", phrases::Obstacle::kMissing, 3},
                                              {"b", phrases::Obstacle::kMissing}};
  for (int64_t number = 0; number < 11; ++number) report.add(two, number);
  const Sentences all = report.warnings();
  ASSERT_EQ(all.size(), 21U);
  EXPECT_THAT(all[0], testing::StartsWith("line 1: 'a' is not in the translation"));
  EXPECT_THAT(all[19], testing::StartsWith("line 10: 'b' is not in the translation"));
  EXPECT_EQ(all[20], "2 more phrases are not as wished; --format jsonl names all under \"unmet\"");
  TranslationReport document;
  document.add(two, 0, TranslationReport::Lines::kOfText);
  EXPECT_THAT(document.warnings().front(), testing::StartsWith("line 3: 'a'"));
}

}  // namespace
}  // namespace ventris::filters
