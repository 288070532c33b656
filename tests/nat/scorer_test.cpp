#include "nat/scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "decoding/decoder.h"
#include "nat/table_nat_scorer.h"
#include "support/errors.h"

namespace ventris::nat {
namespace {

using architecture::NatLoss;
using architecture::Stop;
using testing::ElementsAre;

std::vector<int32_t> excluded_with(NatLoss objective, Stop stop) {
  NatInfo info;
  info.options = test::nat_options(objective, stop);
  info.never = {0, 1, 2};
  return excluded_symbols(info);
}

TEST(NatSymbols, AreWithoutEosUnlessItEndsTranslationsAndWithTheBlankOfCtc) {
  EXPECT_THAT(excluded_with(NatLoss::kMaskPredict, Stop::kLength), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(excluded_with(NatLoss::kMaskPredict, Stop::kEos), ElementsAre(0, 1, 2));
  EXPECT_THAT(excluded_with(NatLoss::kCtc, Stop::kEos), ElementsAre(1, 2, 3));
}

TEST(NatFactoryOfScorers, MakesAScorerForEachDecoderAndPairScorer) {
  int made = 0;
  const auto factory = make_nat_factory([&] {
    ++made;
    return std::make_unique<test::TableNatScorer>(test::nat_options(NatLoss::kMaskPredict));
  });
  EXPECT_EQ(made, 0);
  EXPECT_EQ(factory->make_decoder()->max_length(), 40);
  EXPECT_EQ(factory->make_pair_scorer()->max_length(), 40);
  EXPECT_EQ(made, 2);
  EXPECT_FAILS(factory->make(), std::logic_error, "this model does not write token by token");
}

/// Log-probabilities of a blank and one token at two positions.
class TwoPositions final : public NatOutput {
 public:
  Symbols best(int64_t /*count*/) override { return {}; }
  std::vector<float> log_probs_of(std::span<const int32_t> symbols) override {
    asked.assign(symbols.begin(), symbols.end());
    std::vector<float> all;
    for (const auto& [blank, token] : {std::pair(0.25F, 0.75F), std::pair(0.5F, 0.5F)}) {
      for (const int32_t symbol : symbols) all.push_back(std::log(symbol == 0 ? blank : token));
    }
    return all;
  }
  std::vector<float> attention(int64_t /*head*/) override { return {}; }

  std::vector<int32_t> asked;
};

TEST(CtcLogProbs, AreThoseOfAllPathsToTheTranslation) {
  TwoPositions output;
  const auto sum = [](const std::vector<float>& log_probs) {
    double all = 0;
    for (const float one : log_probs) all += static_cast<double>(one);
    return all;
  };
  // "5": 5 5, 5 blank, blank 5; the empty one: blank blank.
  EXPECT_NEAR(sum(ctc_log_probs(output, std::vector<int32_t>{5}, 0)), std::log(0.375 + 0.375 + 0.125), 1e-5);
  EXPECT_THAT(output.asked, ElementsAre(0, 5)) << "the blank comes first";
  EXPECT_NEAR(sum(ctc_log_probs(output, {}, 0)), std::log(0.125), 1e-5);
}

}  // namespace
}  // namespace ventris::nat
