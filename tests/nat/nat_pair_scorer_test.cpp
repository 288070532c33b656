#include "nat/nat_pair_scorer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "nat/table_nat_scorer.h"
#include "support/errors.h"

namespace ventris::nat {
namespace {

using architecture::NatLoss;
using architecture::NatOptions;
using architecture::Stop;
using decoding::Pair;
using decoding::PairAnswer;
using decoding::PairQuestion;
using decoding::PairScorer;
using test::nat_options;
using test::TableNatScorer;
using Ids = std::vector<int32_t>;

const Ids kSource{4, 5, 6};

struct Scoring {
  explicit Scoring(const NatOptions& options) {
    auto made = std::make_unique<TableNatScorer>(options);
    table = made.get();
    scorer = make_nat_pair_scorer(std::move(made));
  }
  PairAnswer answer(const Ids& target, bool ends = true, const PairQuestion& question = {}) const {
    return scorer->answer(std::vector<Pair>{{kSource, target, ends}}, question).front();
  }
  float log_prob(size_t position, size_t id) const { return table->log_probs(kSource, position, 0)[id]; }

  TableNatScorer* table;
  std::unique_ptr<PairScorer> scorer;
};

TEST(NatPairScorer, TheValueOfAPredictedEndIsThatOfTheLength) {
  const Scoring made(nat_options(NatLoss::kPlain));
  EXPECT_EQ(made.answer({7, 8}).log_probs, (std::vector<float>{made.log_prob(0, 7), made.log_prob(1, 8), -1}));
  EXPECT_EQ(made.answer({7, 8}, false).log_probs.size(), 2U);
  EXPECT_EQ(made.answer({}).log_probs, (std::vector<float>{-4}));  // the nearest difference is -2
}

TEST(NatPairScorer, WithEosTheEndIsAToken) {
  const Scoring made(nat_options(NatLoss::kPlain, Stop::kEos));
  EXPECT_EQ(made.answer({7, 8}).log_probs,
            (std::vector<float>{made.log_prob(0, 7), made.log_prob(1, 8), made.log_prob(2, 3)}));
  EXPECT_EQ(made.answer(Ids(20, 5)).log_probs.size(), 21U);  // more than the positions of this source
}

TEST(NatPairScorer, WithCtcATargetThatDoesNotFitIsImpossible) {
  const Scoring made(nat_options(NatLoss::kCtc));  // 6 positions
  EXPECT_TRUE(std::isfinite(made.answer({7, 8}).log_probs.back()));
  EXPECT_EQ(made.answer({7, 8}).log_probs.size(), 3U);
  EXPECT_EQ(made.answer({7, 8}, false).log_probs.size(), 2U);
  EXPECT_TRUE(std::isinf(made.answer({7, 7, 7, 7, 7}).log_probs.back()));
}

TEST(NatPairScorer, AttentionIsThatOfThePositionsOrNotThere) {
  const PairQuestion question{.log_probs = false, .attention = true, .layer = 1, .head = 1};
  const Scoring by_length(nat_options(NatLoss::kPlain)), by_eos(nat_options(NatLoss::kPlain, Stop::kEos));
  EXPECT_EQ(by_length.answer({7, 8}, true, question).attention, (std::vector<float>{3, 0, 0, 0, 3, 0, 0, 0, 0}));
  EXPECT_EQ(by_eos.answer({7, 8}, true, question).attention, (std::vector<float>{3, 0, 0, 0, 3, 0, 0, 0, 3}));
  EXPECT_TRUE(by_eos.answer({7, 8}, true, question).log_probs.empty());
  const Scoring ctc(nat_options(NatLoss::kCtc));
  EXPECT_EQ(ctc.scorer->attention_shape().layers, 0);
  EXPECT_FAILS(ctc.answer({7}, true, question), std::invalid_argument, "no attention of layer 1, head 1");
}

TEST(NatPairScorer, GroupsOfPairsChangeNothing) {
  const Scoring large(nat_options(NatLoss::kPlain)), small(nat_options(NatLoss::kPlain));
  small.table->info_.positions_at_once = 5;
  const Ids first{7}, second{8, 4, 5, 6}, third{4, 4};
  const std::vector<Pair> pairs{{kSource, first}, {first, second}, {second, third}};
  const auto expected = large.scorer->answer(pairs, {}), found = small.scorer->answer(pairs, {});
  EXPECT_GT(small.table->encoded.size(), large.table->encoded.size());
  for (size_t i = 0; i < pairs.size(); ++i) EXPECT_EQ(found[i].log_probs, expected[i].log_probs);
  EXPECT_TRUE(large.scorer->answer({}, {}).empty());
}

TEST(NatPairScorer, WhatItCannotAnswerIsMisuse) {
  const Scoring made(nat_options(NatLoss::kPlain));
  EXPECT_FAILS(made.answer(Ids(40, 5)), std::invalid_argument, "longer than the model allows");
  EXPECT_FAILS(made.scorer->answer(std::vector<Pair>(1), {}), std::invalid_argument, "a source has no tokens");
}

}  // namespace
}  // namespace ventris::nat
