#include "documents/joining.h"

#include <gtest/gtest.h>

namespace ventris::documents {
namespace {

translation::Translation translated(const std::string& text, double score, std::vector<translation::Link> links) {
  translation::Translation translation;
  translation::Candidate& best = translation.candidates.emplace_back();
  best.text = text;
  best.score = score;
  best.log_prob = 2 * score;
  best.tokens = 3;
  best.pieces = {text, "</s>"};
  best.links = std::move(links);
  return translation;
}

TEST(Join, TextsHaveWhatWasBetweenThemAndLinksCountTheWordsOfAll) {
  const CutText cut{{{" ", {"one two"}}, {"\t", {"three"}}}, "  "};
  const auto joined = join(cut, {translated("eins zwei", -1, {{0, 0}, {1, 1}}), translated("na drei", -3, {{0, 1}})});
  const translation::Candidate& whole = joined.candidates.front();
  EXPECT_EQ(whole.text, " eins zwei\tna drei  ");
  EXPECT_EQ(translation::format_links(whole.links), "0-0 1-1 2-3");
  EXPECT_EQ(whole.log_prob, -8);
  EXPECT_EQ(whole.score, -2);
  EXPECT_EQ(whole.tokens, 6);
  EXPECT_EQ(whole.pieces.size(), 4U);
}

TEST(Join, AWordInTwoPartsCountsOnce) {
  const CutText cut{{{"", {"ab"}}, {"", {"cd ef"}}}, ""};
  const auto joined = join(cut, {translated("\u4f60", 0, {{0, 0}}), translated("\u4f60", 0, {{1, 0}})});
  EXPECT_EQ(translation::format_links(joined.candidates.front().links), "0-0 1-0");
}

TEST(Join, NothingIsOneEmptyCandidate) {
  const auto joined = join({{}, " \t"}, {});
  EXPECT_EQ(joined.candidates.front().text, " \t");
  EXPECT_EQ(joined.candidates.front().score, 0);
}

}  // namespace
}  // namespace ventris::documents
