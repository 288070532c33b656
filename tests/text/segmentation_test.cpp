#include "text/segmentation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace ventris::text {
namespace {

std::string joined(const std::vector<Segmentation::Part>& parts) {
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : "|") + std::string(part.text);
  return text;
}

Segmentation abc_pieces() {
  Segmentation segmentation;
  segmentation.add_piece("a", 4, std::log(0.1F));
  segmentation.add_piece("b", 5, std::log(0.2F));
  segmentation.add_piece("c", 6, std::log(0.3F));
  segmentation.add_piece("ab", 7, std::log(0.05F));
  segmentation.add_piece("bc", 8, std::log(0.12F));
  segmentation.add_piece("abc", 9, std::log(0.02F));
  return segmentation;
}

std::map<std::string, double> expected_shares(double alpha) {
  std::map<std::string, double> shares{
      {"a|b|c", 0.1 * 0.2 * 0.3}, {"ab|c", 0.05 * 0.3}, {"a|bc", 0.1 * 0.12}, {"abc", 0.02}};
  double total = 0;
  for (auto& [unused, share] : shares) total += share = std::pow(share, alpha);
  for (auto& [unused, share] : shares) share /= total;
  return shares;
}

TEST(Segmentation, UnigramSamplesFollowTheLatticesDistribution) {
  const Segmentation segmentation = abc_pieces();
  constexpr int kDraws = 20000;
  for (const double alpha : {0.0, 0.2, 1.0, 3.0}) {
    std::map<std::string, double> shares;
    for (uint64_t seed = 0; seed < kDraws; ++seed) {
      shares[joined(segmentation.sample_unigram("abc", alpha, seed))] += 1.0 / kDraws;
    }
    for (const auto& [parts, share] : expected_shares(alpha)) {
      EXPECT_NEAR(shares[parts], share, 0.015) << alpha << ' ' << parts;
    }
    EXPECT_EQ(shares.size(), 4U);
  }
}

TEST(Segmentation, UnigramUnknownCharactersStandAlone) {
  const auto parts = abc_pieces().sample_unigram("a€€c", 1.0, 7);
  EXPECT_EQ(joined(parts), "a|€|€|c");
  EXPECT_EQ(parts[1].id, -1);
  EXPECT_EQ(parts[3].id, 6);
}

TEST(Segmentation, EmptyTextHasNoParts) {
  EXPECT_TRUE(abc_pieces().sample_unigram("", 1.0, 1).empty());
  EXPECT_TRUE(abc_pieces().sample_bpe("", 0.1, 1).empty());
}

/// Merges by rank: a+b first, then b+c, then ab+c.
Segmentation merges() {
  Segmentation segmentation;
  int32_t id = 10;
  for (const char* piece : {"ab", "bc", "abc"}) {
    segmentation.add_piece(piece, id, static_cast<float>(9 - id));
    ++id;
  }
  for (const char* piece : {"a", "b", "c", "▁"}) segmentation.add_piece(piece, id++, -100);
  return segmentation;
}

TEST(Segmentation, BpeWithoutDropoutMergesByRank) { EXPECT_EQ(joined(merges().sample_bpe("abcab", 0.0, 1)), "abc|ab"); }

TEST(Segmentation, BpeWithFullDropoutGivesCharacters) {
  EXPECT_EQ(joined(merges().sample_bpe("abcab", 1.0, 1)), "a|b|c|a|b");
}

TEST(Segmentation, BpeDropoutHasTheProbabilitiesOfItsSteps) {
  // First step: a+b stays with 1 - p, else b+c with 1 - p, else nothing. Second step after a+b: ab+c with 1 - p; after
  // b+c the pair a+bc is the piece abc as well.
  constexpr double p = 0.3;
  constexpr int kDraws = 20000;
  std::map<std::string, double> shares;
  for (uint64_t seed = 0; seed < kDraws; ++seed) shares[joined(merges().sample_bpe("abc", p, seed))] += 1.0 / kDraws;
  EXPECT_NEAR(shares["a|b|c"], p * p, 0.012);
  EXPECT_NEAR(shares["ab|c"], (1 - p) * p, 0.012);
  EXPECT_NEAR(shares["a|bc"], p * (1 - p) * p, 0.012);
  EXPECT_NEAR(shares["abc"], (1 - p) * (1 - p) * (1 + p), 0.012);
}

TEST(Segmentation, BpeMergesDoNotCrossSpaces) { EXPECT_EQ(joined(merges().sample_bpe("▁a▁bc", 0.0, 1)), "▁|a|▁|bc"); }

TEST(Segmentation, BpePiecesMayEndWithASpaceOrHoldOne) {
  Segmentation suffix, across;
  for (Segmentation* one : {&suffix, &across}) {
    for (const auto& [piece, id] : {std::pair{"a", 1}, {"b", 2}, {"▁", 3}}) one->add_piece(piece, id, -9);
  }
  suffix.add_piece("a▁", 4, -1);
  EXPECT_EQ(joined(suffix.sample_bpe("a▁ba▁", 0.0, 1)), "a▁|b|a▁");
  across.add_piece("a▁", 4, -1);
  across.add_piece("a▁b", 5, -2);
  EXPECT_EQ(joined(across.sample_bpe("a▁ba▁", 0.0, 1)), "a▁b|a▁");
}

TEST(Segmentation, VeryLongWordsTakeNoForeverAndLoseNothing) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "abc"[i % 3];
  std::string whole;
  for (const auto& part : merges().sample_bpe(text, 0.1, 1)) whole += part.text;
  EXPECT_EQ(whole, text);
}

}  // namespace
}  // namespace ventris::text
