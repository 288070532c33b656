#include "backend/module_nat_scorer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "nat/choices.h"
#include "nn/masks.h"
#include "support/errors.h"
#include "support/nat_kinds.h"

namespace ventris::backend {
namespace {

using Ids = std::vector<int32_t>;
using decoding::Pair;
using torch::Tensor;

const std::vector<Ids> kSources{{5, 6, 7, 3}, {8, 3}, {9, 10, 11, 12, 13, 3}};
const std::vector<Ids> kTargets{{14, 15}, {}, {16, 17, 17, 19, 20}};

std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (size_t i = 0; i < kSources.size(); ++i) all.push_back({kSources[i], kTargets[i], i != 2});
  return all;
}

class NatPairScorerKinds : public testing::TestWithParam<std::pair<std::string, architecture::NatOptions>> {
 protected:
  const architecture::NatOptions settings = GetParam().second;
  families::NonAutoregressive model = test::random_nat(settings, 5);
  std::unique_ptr<decoding::PairScorer> scorer = make_nat_factory(model.ptr(), settings, {})->make_pair_scorer();

  double sum(const Ids& source, const Ids& target) {
    const std::vector<Pair> one{{source, target, true}};
    const auto answers = scorer->answer(one, {});
    double total = 0;
    for (const float value : answers.front().log_probs) total += static_cast<double>(value);
    return total;
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, NatPairScorerKinds, testing::ValuesIn(test::nat_kinds()),
                         [](const auto& kind) { return kind.param.first; });

TEST_P(NatPairScorerKinds, NeighboursChangeNothing) {
  const auto together = scorer->answer(pairs(), {});
  for (size_t i = 0; i < kSources.size(); ++i) {
    const std::vector<Pair> one{pairs()[i]};
    const auto alone = scorer->answer(one, {}).front();
    ASSERT_EQ(alone.log_probs.size(), pairs()[i].tokens());
    ASSERT_EQ(together[i].log_probs.size(), pairs()[i].tokens());
    for (size_t at = 0; at < alone.log_probs.size(); ++at) {
      EXPECT_NEAR(alone.log_probs[at], together[i].log_probs[at], 1e-4);
    }
  }
  EXPECT_TRUE(scorer->answer({}, {}).empty());
}

TEST_P(NatPairScorerKinds, TheSumIsTheLogProbabilityOfTheTarget) {
  const torch::NoGradGuard no_grad;
  const Tensor src = torch::tensor({{5, 6, 7, 3}}), mask = nn::padding_mask(src, 0);
  const nn::Memory memory = model->encode(src, mask);
  const auto log_probs = [&](int64_t length) {
    const Tensor lengths = torch::tensor({length});
    return model->log_probs(
        model->decode(memory, model->first_input(src, mask, lengths), nn::length_mask(lengths, length)))[0];
  };
  double expected = 0;
  if (settings.ctc()) {
    const int64_t positions = settings.positions(4);
    const std::vector<int64_t> paths{positions}, tokens{2};
    expected = -at::ctc_loss(log_probs(positions).unsqueeze(1), torch::tensor({{14, 15}}), paths, tokens, 0,
                             at::Reduction::Sum)
                    .item<double>();
  } else if (settings.predicts_length()) {
    const Tensor found = log_probs(2);
    expected = (found[0][14] + found[1][15]).item<double>() +
               model->length_log_probs(memory)[0][nat::length_class(2, 4, settings.length_range)].item<double>();
  } else {
    const Tensor found = log_probs(settings.positions(4));
    expected = (found[0][14] + found[1][15] + found[2][3]).item<double>();
  }
  EXPECT_NEAR(sum({5, 6, 7, 3}, {14, 15}), expected, 1e-4);
}

TEST_P(NatPairScorerKinds, AttentionIsThatOfThePositionsOrNotThere) {
  const decoding::AttentionShape shape = scorer->attention_shape();
  const decoding::PairQuestion question{false, true, 1, -1};
  if (settings.ctc()) {
    EXPECT_EQ(shape.layers, 0);
    EXPECT_FAILS(scorer->answer(pairs(), question), std::invalid_argument, "no attention of layer 1");
    return;
  }
  EXPECT_EQ(shape.layers, 2);
  EXPECT_EQ(shape.heads, 4);
  const auto answers = scorer->answer(pairs(), question);
  for (size_t i = 0; i < kSources.size(); ++i) {
    const size_t width = kSources[i].size();
    ASSERT_EQ(answers[i].attention.size(), pairs()[i].tokens() * width);
    for (size_t row = 0; row < pairs()[i].tokens(); ++row) {
      float total = 0;
      for (size_t at = 0; at < width; ++at) total += answers[i].attention[row * width + at];
      const bool end = row == kTargets[i].size() && settings.predicts_length();
      EXPECT_NEAR(total, end ? 0 : 1, 1e-5);
    }
  }
}

TEST_P(NatPairScorerKinds, WhatItCannotAnswerIsMisuse) {
  ScorerOptions small;
  small.max_length = 4;
  const auto strict = make_nat_factory(model.ptr(), settings, small)->make_pair_scorer();
  EXPECT_FAILS(strict->answer(pairs(), {}), std::invalid_argument, "longer than the model allows");
  const std::vector<Pair> empty{{{}, kTargets[0], true}};
  EXPECT_FAILS(scorer->answer(empty, {}), std::invalid_argument, "a source has no tokens");
}

TEST(NatPairScorer, ATargetThatDoesNotFitIntoThePositionsIsImpossible) {
  const auto settings = test::nat_kind("ctc_uniform");
  const auto scorer = make_nat_factory(test::random_nat(settings).ptr(), settings, {})->make_pair_scorer();
  const Ids source{5, 3}, target{7, 7, 7, 7};  // 4 positions
  const std::vector<Pair> one{{source, target, true}};
  const auto values = scorer->answer(one, {}).front().log_probs;
  EXPECT_TRUE(std::isfinite(values[0]));
  EXPECT_TRUE(std::isinf(values.back()));
}

}  // namespace
}  // namespace ventris::backend
