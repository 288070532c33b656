#include "backend/module_pair_scorer.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "backend/module_scorer.h"
#include "decoding/search.h"
#include "nn/masks.h"
#include "scripting/script_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"
#include "support/tiny_script.h"

namespace ventris::backend {
namespace {

using Ids = std::vector<int32_t>;
using decoding::Pair;
using decoding::PairQuestion;

const std::vector<Ids> kSources{{5, 6, 7, 3}, {8, 3}, {9, 10, 11, 12, 13, 3}};
const std::vector<Ids> kTargets{{14, 15}, {}, {16, 17, 18, 19, 20}};

std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (size_t i = 0; i < kSources.size(); ++i) all.push_back({kSources[i], kTargets[i], i != 2});
  return all;
}

PairQuestion attention_of(int64_t layer, int64_t head) { return {false, true, layer, head}; }

class PairScorerNorm : public testing::TestWithParam<nn::NormPlace> {};
INSTANTIATE_TEST_SUITE_P(BothNorms, PairScorerNorm, testing::Values(nn::NormPlace::kPre, nn::NormPlace::kPost));

TEST_P(PairScorerNorm, EachTokenHasTheLogProbabilityOfFullDecoding) {
  auto model = test::tiny_model(3, GetParam());
  const auto answers = make_module_pair_scorer(model, {})->answer(pairs(), {});
  const torch::NoGradGuard no_grad;
  for (size_t i = 0; i < kSources.size(); ++i) {
    const auto src = torch::tensor(std::vector<int64_t>(kSources[i].begin(), kSources[i].end())).unsqueeze(0);
    std::vector<int64_t> inputs{2};
    inputs.insert(inputs.end(), kTargets[i].begin(), kTargets[i].end());
    const auto tgt = torch::tensor(inputs).unsqueeze(0);
    const auto hidden = model->forward(src, tgt, nn::padding_mask(src, 0), nn::subsequent_mask(tgt.size(1)));
    const auto expected = model->generator->forward(hidden).squeeze(0);  // [tgt_len, vocab]
    ASSERT_EQ(answers[i].log_probs.size(), pairs()[i].tokens());
    EXPECT_TRUE(answers[i].attention.empty());
    for (size_t at = 0; at < answers[i].log_probs.size(); ++at) {
      const int64_t id = at < kTargets[i].size() ? kTargets[i][at] : 3;
      EXPECT_NEAR(answers[i].log_probs[at], expected[static_cast<int64_t>(at)][id].item<float>(), 1e-5);
    }
  }
}

TEST(PairScorer, WhatASearchFoundHasTheScoreItFound) {
  auto model = test::tiny_model(4);
  decoding::SearchOptions options;
  options.beam_size = options.n_best = 3;
  std::vector<decoding::Sentence> sentences;
  for (const Ids& source : kSources) sentences.push_back({source, {}, sentences.size()});
  const auto found = decoding::search(*make_module_scorer(model, {}), sentences, options);
  const auto scorer = make_module_pair_scorer(model, {});
  for (size_t i = 0; i < found.size(); ++i) {
    for (const auto& hypothesis : found[i]) {
      const std::vector<Pair> one{{kSources[i], hypothesis.ids, !hypothesis.truncated}};
      const auto answer = scorer->answer(one, {}).front();
      ASSERT_EQ(answer.log_probs.size(), hypothesis.token_log_probs.size());
      double sum = 0;
      for (const float log_prob : answer.log_probs) sum += log_prob;
      EXPECT_NEAR(sum, hypothesis.log_prob, 1e-4);
    }
  }
}

TEST(PairScorer, AttentionIsThatOfTheChosenLayerAndHeadAndSumsToOne) {
  auto model = test::tiny_model(5);
  const auto scorer = make_module_pair_scorer(model, {});
  EXPECT_EQ(scorer->attention_shape().layers, 2);
  EXPECT_EQ(scorer->attention_shape().heads, 4);
  const auto mean = scorer->answer(pairs(), attention_of(1, -1));
  std::vector<float> summed(mean[0].attention.size());
  for (int64_t head = 0; head < 4; ++head) {
    const auto one = scorer->answer(pairs(), attention_of(1, head));
    for (size_t i = 0; i < kSources.size(); ++i) {
      ASSERT_EQ(one[i].attention.size(), pairs()[i].tokens() * kSources[i].size());
      EXPECT_TRUE(one[i].log_probs.empty());
      for (size_t row = 0; row < pairs()[i].tokens(); ++row) {
        float sum = 0;
        for (size_t at = 0; at < kSources[i].size(); ++at) sum += one[i].attention[row * kSources[i].size() + at];
        EXPECT_NEAR(sum, 1, 1e-5);
      }
    }
    for (size_t at = 0; at < summed.size(); ++at) summed[at] += one[0].attention[at] / 4;
  }
  for (size_t at = 0; at < summed.size(); ++at) EXPECT_NEAR(summed[at], mean[0].attention[at], 1e-6);
  EXPECT_NE(scorer->answer(pairs(), attention_of(0, -1))[0].attention, mean[0].attention);
}

TEST(PairScorer, NeighboursChangeNothingAndWatchingNeither) {
  auto model = test::tiny_model(6);
  const auto scorer = make_module_pair_scorer(model, {});
  const auto together = scorer->answer(pairs(), {true, true, 0, 1});
  for (size_t i = 0; i < kSources.size(); ++i) {
    const std::vector<Pair> one{pairs()[i]};
    const auto alone = scorer->answer(one, {}).front();
    for (size_t at = 0; at < alone.log_probs.size(); ++at) {
      EXPECT_NEAR(alone.log_probs[at], together[i].log_probs[at], 1e-5);
    }
  }
}

TEST(PairScorer, WithoutTokensThereIsNothingToSay) {
  auto model = test::tiny_model(6);
  const auto scorer = make_module_pair_scorer(model, {});
  const std::vector<Pair> cut{{kSources[0], {}, false}};
  EXPECT_TRUE(scorer->answer(cut, {}).front().log_probs.empty());
  EXPECT_TRUE(scorer->answer({}, {}).empty());
}

TEST(PairScorer, WhatItCannotAnswerIsMisuse) {
  auto model = test::tiny_model(6);
  ScorerOptions options;
  options.max_length = 4;
  const auto scorer = make_module_pair_scorer(model, options);
  EXPECT_FAILS(scorer->answer(pairs(), {}), std::invalid_argument, "longer than the model allows");
  const std::vector<Pair> empty{{{}, kTargets[0], true}}, fine{{kSources[0], kTargets[0], true}};
  EXPECT_FAILS(scorer->answer(empty, {}), std::invalid_argument, "a source has no tokens");
  EXPECT_FAILS(scorer->answer(fine, attention_of(2, 0)), std::invalid_argument, "no attention of layer 2");
  EXPECT_FAILS(scorer->answer(fine, attention_of(0, 4)), std::invalid_argument, "no attention of layer 0, head 4");
  EXPECT_EQ(scorer->answer(fine, {}).size(), 1U);
}

TEST(PairScorer, ATorchScriptFileTellsLogProbabilitiesAndNoAttention) {
  const test::TempFolder folder;
  const auto factory = make_module_factory(
      scripting::load_script_model(test::write_tiny_script(folder.path("tiny.pt")), "tiny.pt", 8, torch::kCPU), {});
  const auto scorer = factory->make_pair_scorer();
  EXPECT_EQ(scorer->attention_shape().layers, 0);
  const Ids first{5, 6, 3}, second{7, 3}, target{4, 4, 6};
  const std::vector<Pair> both{{first, target, true}, {second, {}, true}};
  const auto answers = scorer->answer(both, {});
  const Ids labels{4, 4, 6, 3};
  Ids prefix{2};
  ASSERT_EQ(answers[0].log_probs.size(), 4U);
  for (size_t i = 0; i < labels.size(); ++i) {
    EXPECT_NEAR(answers[0].log_probs[i], test::tiny_script_log_prob(first, prefix, labels[i]), 1e-5);
    prefix.push_back(labels[i]);
  }
  EXPECT_NEAR(answers[1].log_probs.at(0), test::tiny_script_log_prob(second, {2}, 3), 1e-5);
  EXPECT_FAILS(scorer->answer(both, attention_of(0, -1)), std::invalid_argument, "no attention");
}

}  // namespace
}  // namespace ventris::backend
