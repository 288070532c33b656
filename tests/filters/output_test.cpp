#include "filters/output.h"

#include <gtest/gtest.h>

namespace ventris::filters {
namespace {

using nlohmann::json;

translation::Translation two_candidates() {
  translation::Translation translation;
  translation::Candidate first{"Guten Tag", -1.25, -0.625, 2};
  first.pieces = {"\u2581Guten", "\u2581Tag"};
  first.token_log_probs = {-1, -0.25F};
  first.links = {{0, 1}, {2, 0}};
  first.truncated = true;
  translation::Candidate second{"Hallo", -3.5, -3.5, 1};
  second.repetitive = true;
  translation.candidates = {first, second};
  translation.seconds = 0.5;
  return translation;
}

std::string format_translation(const translation::Translation& translation, const OutputOptions& options,
                               int64_t number) {
  return format_answer({translation, {}, 1}, options, number);
}

TEST(FormatTranslation, TextIsTheBestOneWithWhatIsAskedForBehindIt) {
  EXPECT_EQ(format_translation(two_candidates(), {}, 3), "Guten Tag\n");
  EXPECT_EQ(format_translation(two_candidates(), {OutputFormat::kText, true, true}, 3),
            "Guten Tag ||| 0-1 2-0 ||| WordScores= -1.000000 -0.250000\n");
}

TEST(OutputOptions, ScoresAreWrittenInAllFormatsButPlainText) {
  EXPECT_FALSE((OutputOptions{.format = OutputFormat::kText, .alignment = true}.writes_scores()));
  EXPECT_TRUE((OutputOptions{.format = OutputFormat::kText, .word_scores = true}.writes_scores()));
  EXPECT_TRUE((OutputOptions{.format = OutputFormat::kMoses}.writes_scores()));
  EXPECT_TRUE((OutputOptions{.format = OutputFormat::kJsonl}.writes_scores()));
}

TEST(FormatTranslation, BarsOfATextEndNoField) {
  translation::Translation translation = two_candidates();
  translation.candidates.resize(1);
  translation.candidates[0].text = "a ||| b";
  EXPECT_EQ(format_translation(translation, {}, 3), "a ||| b\n");
  EXPECT_EQ(format_translation(translation, {OutputFormat::kText, false, true}, 3).find("a | | | b ||| 0-1"), 0U);
  EXPECT_EQ(format_translation(translation, {OutputFormat::kMoses, false, false}, 3).find("3 ||| a | | | b ||| F0="),
            0U);
}

TEST(FormatTranslation, LinksCountTheWordsThatArePrinted) {
  translation::Translation translation = two_candidates();
  translation.candidates.resize(1);
  translation.candidates[0].text = "a x|||y b";
  translation.candidates[0].links = {{0, 0}, {1, 1}, {2, 2}, {3, 1}};
  const std::string printed = "a x| | |y b ||| 0-0 1-1 1-2 1-3 2-4 3-1 3-2 3-3";
  EXPECT_EQ(format_translation(translation, {OutputFormat::kText, false, true}, 3), printed + "\n");
  EXPECT_EQ(format_translation(translation, {OutputFormat::kMoses, false, true}, 3).find("3 ||| " + printed + " |||"),
            0U);
  const json found = json::parse(format_translation(translation, {OutputFormat::kJsonl, false, true}, 3));
  EXPECT_EQ(found["translation"], "a x|||y b");
  EXPECT_EQ(found["alignment"], "0-0 1-1 2-2 3-1");
}

TEST(FormatTranslation, MosesHasALineForEach) {
  EXPECT_EQ(format_translation(two_candidates(), {OutputFormat::kMoses}, 3),
            "3 ||| Guten Tag ||| F0= -1.250000 ||| -0.625000\n3 ||| Hallo ||| F0= -3.500000 ||| -3.500000\n");
  translation::Translation translation = two_candidates();
  translation.candidates.pop_back();
  translation.candidates.front().utility = 61.5;
  EXPECT_EQ(format_translation(translation, {OutputFormat::kMoses, true, true}, 0),
            "0 ||| Guten Tag ||| 0-1 2-0 ||| WordScores= -1.000000 -0.250000 ||| F0= -1.250000 MBR= 61.500000 ||| "
            "-0.625000\n");
}

TEST(FormatTranslation, JsonSaysNoMoreThanIsAskedFor) {
  const std::string line = format_translation(two_candidates(), {OutputFormat::kJsonl}, 3);
  EXPECT_EQ(line,
            "{\"id\":3,\"translation\":\"Guten Tag\",\"score\":-0.625,\"log_prob\":-1.25,\"truncated\":true,"
            "\"repetition\":false,\"source_cut\":false,\"warnings\":[],\"seconds\":0.5}\n");
}

TEST(FormatTranslation, JsonHasScoresLinksAndTheOthers) {
  const json found = json::parse(format_translation(two_candidates(), {OutputFormat::kJsonl, true, true, true}, 3));
  EXPECT_EQ(found["pieces"], (json{"\u2581Guten", "\u2581Tag"}));
  EXPECT_EQ(found["token_scores"], (json{-1.0, -0.25}));
  EXPECT_EQ(found["alignment"], "0-1 2-0");
  ASSERT_EQ(found["n_best"].size(), 2U);
  EXPECT_EQ(found["n_best"][1]["translation"], "Hallo");
  EXPECT_EQ(found["n_best"][1]["repetition"], true);
}

TEST(FormatTranslation, JsonNamesEachWarningOnce) {
  using documents::Warning;
  const documents::Answer answer{
      two_candidates(), {{Warning::kCopy, 1}, {Warning::kRepetition, 1}, {Warning::kCopy, 2}}, 2};
  OutputOptions options{OutputFormat::kJsonl};
  options.segments = true;
  const json found = json::parse(format_answer(answer, options, 3));
  EXPECT_EQ(found["warnings"], (json{"repetition", "copy"}));
  EXPECT_EQ(found["sentences"], 2);
}

TEST(FormatTranslation, JsonNamesThePhrasesThatAreNotAsWished) {
  translation::Translation translation = two_candidates();
  translation.candidates[0].unmet = {{"Hund", phrases::Obstacle::kUnknown}, {"Tag", phrases::Obstacle::kPresent}};
  OutputOptions options{OutputFormat::kJsonl};
  EXPECT_FALSE(json::parse(format_translation(translation, options, 3)).contains("unmet"));
  options.unmet = options.n_best = true;
  const json found = json::parse(format_translation(translation, options, 3));
  const json expected =
      json::parse(R"([{"phrase": "Hund", "reason": "unknown_characters"}, {"phrase": "Tag", "reason": "present"}])");
  EXPECT_EQ(found["unmet"], expected);
  EXPECT_EQ(found["n_best"][0]["unmet"], expected);
  EXPECT_EQ(found["n_best"][1]["unmet"], json::array());
}

TEST(FormatTranslation, AnObjectKeepsWhatItSaid) {
  const auto input = JsonLine::parse(R"({"id":"x7", "text":"Hello", "lang":"de"})", "in:1");
  const std::string line = format_answer({two_candidates(), {}, 1}, {OutputFormat::kJsonl}, 3, input);
  EXPECT_EQ(line.find(R"({"id":"x7","text":"Hello","lang":"de","translation":"Guten Tag",)"), 0U) << line;
  const auto nameless = JsonLine::parse(R"({"text":"Hello"})", "in:1");
  EXPECT_EQ(json::parse(format_answer({two_candidates(), {}, 1}, {OutputFormat::kJsonl}, 3, nameless))["id"], 3);
  EXPECT_EQ(format_answer({two_candidates(), {}, 1}, {}, 3, input), "Guten Tag\n");
}

}  // namespace
}  // namespace ventris::filters
