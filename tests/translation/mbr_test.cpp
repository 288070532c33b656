#include "translation/mbr.h"

#include <gtest/gtest.h>

#include "metrics/bleu.h"
#include "metrics/chrf.h"

namespace ventris::translation {
namespace {

using Texts = std::vector<std::string>;

TEST(ExpectedUtilities, AreTheMeanOverAllOtherTexts) {
  const Texts texts{"the dog runs fast", "the dog runs", "a cat sleeps"};
  const auto chrf = expected_utilities(texts, Utility::kChrf), bleu = expected_utilities(texts, Utility::kBleu);
  ASSERT_EQ(chrf.size(), 3U);
  for (size_t i = 0; i < texts.size(); ++i) {
    double chrf_sum = 0, bleu_sum = 0;
    for (size_t j = 0; j < texts.size(); ++j) {
      if (j == i) continue;
      chrf_sum += metrics::sentence_chrf(texts[i], {texts[j]}).score;
      bleu_sum += metrics::sentence_bleu(texts[i], {texts[j]}).score;
    }
    EXPECT_NEAR(chrf[i], chrf_sum / 2, 1e-9);
    EXPECT_NEAR(bleu[i], bleu_sum / 2, 1e-9);
  }
}

TEST(ExpectedUtilities, ATextThatComesOftenCountsAsOften) {
  const auto utilities = expected_utilities({"a b", "x y", "x y", "x y"}, Utility::kChrf);
  EXPECT_GT(utilities[1], utilities[0]);
  EXPECT_EQ(utilities[1], utilities[2]);
  EXPECT_NEAR(utilities[1], (100 + 100 + metrics::sentence_chrf("x y", {"a b"}).score) / 3, 1e-9);
}

TEST(ExpectedUtilities, OneTextIsTheBestThereIs) {
  EXPECT_EQ(expected_utilities({"a"}, Utility::kChrf), std::vector<double>{100});
  EXPECT_EQ(expected_utilities({"", ""}, Utility::kBleu), (std::vector<double>{100, 100}));
}

}  // namespace
}  // namespace ventris::translation
