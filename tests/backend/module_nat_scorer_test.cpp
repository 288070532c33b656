#include "backend/module_nat_scorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "backend/families.h"
#include "core/error.h"
#include "decoding/decoder.h"
#include "nn/masks.h"
#include "support/errors.h"
#include "support/nat_kinds.h"

namespace ventris::backend {
namespace {

using decoding::Hypothesis;
using decoding::SearchOptions;
using decoding::Sentence;
using torch::Tensor;

std::vector<Sentence> sentences() {
  std::vector<Sentence> all;
  for (int32_t i = 0; i < 9; ++i) {
    Sentence sentence;
    for (int32_t j = 0; j <= i % 4; ++j) sentence.source.push_back(4 + (5 * i + 3 * j) % 19);
    sentence.source.push_back(3);
    sentence.number = static_cast<uint64_t>(i);
    all.push_back(sentence);
  }
  return all;
}

class NatDecoderKinds : public testing::TestWithParam<std::pair<std::string, architecture::NatOptions>> {
 protected:
  NatDecoderKinds() {
    options.max_length = 64;
    options.never = {0, 1, 2};
    search.iterations = settings.objective == architecture::NatLoss::kMaskPredict ? 3 : 1;
    search.length_candidates = settings.predicts_length() ? 4 : 1;
    search.beam_size = settings.ctc() ? 4 : 1;
    decoder = make_nat_factory(model.ptr(), settings, options)->make_decoder();
  }

  const architecture::NatOptions settings = GetParam().second;
  families::NonAutoregressive model = test::random_nat(settings, 5);
  ScorerOptions options;
  SearchOptions search;
  std::unique_ptr<decoding::Decoder> decoder;
};
INSTANTIATE_TEST_SUITE_P(Kinds, NatDecoderKinds, testing::ValuesIn(test::nat_kinds()),
                         [](const auto& kind) { return kind.param.first; });

TEST_P(NatDecoderKinds, ASentenceHasTheSameResultAloneAsInABatch) {
  const auto all = sentences();
  search.n_best = decoding::most_results(search);
  const auto together = decoder->decode(all, search);
  ASSERT_EQ(together.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const auto alone = decoder->decode(std::span(all).subspan(i, 1), search).front();
    ASSERT_EQ(alone.size(), together[i].size());
    for (size_t j = 0; j < alone.size(); ++j) {
      EXPECT_EQ(alone[j].ids, together[i][j].ids);
      EXPECT_NEAR(alone[j].score, together[i][j].score, 1e-4);
    }
  }
}

TEST_P(NatDecoderKinds, SpecialTokensAreNeverWrittenAndScoresFit) {
  for (const auto& found : decoder->decode(sentences(), search)) {
    const Hypothesis& best = found.front();
    for (const int32_t id : best.ids) EXPECT_GT(id, 3);
    EXPECT_EQ(best.token_log_probs.size(), best.ids.size() + (best.truncated ? 0 : 1));
    double sum = 0;
    for (const float log_prob : best.token_log_probs) sum += static_cast<double>(log_prob);
    EXPECT_NEAR(best.log_prob, sum, 1e-5);
    EXPECT_LT(best.log_prob, 0);
  }
}

TEST_P(NatDecoderKinds, OnePassHasTheScoreOfThePairScorer) {
  search.iterations = 1;
  const auto all = sentences();
  const auto found = decoder->decode(all, search);
  const auto scorer = make_nat_factory(model.ptr(), settings, options)->make_pair_scorer();
  for (size_t i = 0; i < all.size(); ++i) {
    const Hypothesis& best = found[i].front();
    const std::vector<decoding::Pair> pair{{all[i].source, best.ids, !best.truncated}};
    const auto answer = scorer->answer(pair, {}).front();
    ASSERT_EQ(answer.log_probs.size(), best.token_log_probs.size());
    for (size_t k = 0; k < answer.log_probs.size(); ++k) {
      EXPECT_NEAR(answer.log_probs[k], best.token_log_probs[k], 1e-4);
    }
  }
}

TEST_P(NatDecoderKinds, TheMaximumLengthHolds) {
  search.max_length_factor = 0;
  options.max_length = 3;
  decoder = make_nat_factory(model.ptr(), settings, options)->make_decoder();
  const std::vector<Sentence> all{{{5, 6, 3}, {}, 0}};
  const auto results = decoder->decode(all, search);
  for (const Hypothesis& found : results.front()) EXPECT_LE(found.token_log_probs.size(), 3U);
}

TEST_P(NatDecoderKinds, TheFamilyMakesThisDecoder) {
  const architecture::NatArchitecture architecture(settings);
  const auto factory = make_factory(model.ptr(), architecture, options, "test");
  const auto all = sentences();
  const auto found = factory->make_decoder()->decode(all, search), expected = decoder->decode(all, search);
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(found[i].front().ids, expected[i].front().ids);
  EXPECT_THROW(factory->make(), std::logic_error);
  EXPECT_EQ(factory->make_decoder()->writing().lengths, architecture.writing().lengths);
  EXPECT_FAILS(as_seq2seq(model.ptr(), architecture, "there"), ModelError,
               "there: expected a model that writes token by token");
}

TEST(NatDecoder, RefiningWritesTheLeastSureTokensAgain) {
  const auto settings = test::nat_kind("mask_predict");
  families::NonAutoregressive model = test::random_nat(settings, 9);
  const auto decoder = make_nat_factory(model.ptr(), settings, {})->make_decoder();
  const std::vector<Sentence> one{{{5, 6, 7, 8, 9, 10, 3}, {}, 0}};
  const Hypothesis first = decoder->decode(one, {}).front().front();
  SearchOptions twice;
  twice.iterations = 2;
  const Hypothesis second = decoder->decode(one, twice).front().front();
  ASSERT_EQ(first.ids.size(), second.ids.size());
  // The same by hand: half of the tokens, the least probable ones, are masks in the second pass.
  const torch::NoGradGuard no_grad;
  const size_t length = first.ids.size();
  std::vector<size_t> order(length);
  for (size_t i = 0; i < length; ++i) order[i] = i;
  std::ranges::stable_sort(order,
                           [&](size_t a, size_t b) { return first.token_log_probs[a] < first.token_log_probs[b]; });
  order.resize(length / 2);
  std::vector<int64_t> input(first.ids.begin(), first.ids.end());
  for (const size_t at : order) input[at] = 2;
  const Tensor src = torch::tensor(std::vector<int64_t>{5, 6, 7, 8, 9, 10, 3}).unsqueeze(0);
  const Tensor lengths = torch::tensor({static_cast<int64_t>(length)});
  const nn::Memory memory = model->encode(src, nn::padding_mask(src, 0));
  const Tensor hidden = model->decode(memory, model->embed(torch::tensor(input).unsqueeze(0)),
                                      nn::length_mask(lengths, static_cast<int64_t>(length)));
  Tensor log_probs = model->log_probs(hidden)[0];
  log_probs.slice(1, 0, 4).fill_(-1e9);
  for (size_t i = 0; i < length; ++i) {
    const bool again = std::ranges::find(order, i) != order.end();
    EXPECT_EQ(second.ids[i], again ? log_probs[static_cast<int64_t>(i)].argmax().item<int32_t>() : first.ids[i]) << i;
  }
}

TEST(NatDecoder, MoreLengthsAreMoreHypotheses) {
  const auto settings = test::nat_kind("plain_uniform");
  families::NonAutoregressive model = test::random_nat(settings, 3);
  const auto decoder = make_nat_factory(model.ptr(), settings, {})->make_decoder();
  SearchOptions search;
  search.n_best = search.length_candidates = 5;
  const auto found = decoder->decode(sentences(), search);
  for (const auto& all : found) {
    ASSERT_GE(all.size(), 2U);
    for (size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1].score, all[i].score);
    EXPECT_NE(all[0].ids, all[1].ids);
  }
}

TEST(NatDecoder, AllowedUnknownTokensMayBeWritten) {
  const auto settings = test::nat_kind("plain_uniform");
  families::NonAutoregressive model = test::random_nat(settings, 3);
  {
    const torch::NoGradGuard no_grad;
    model->generator->proj->bias[1] = 1e3;
  }
  ScorerOptions allowing;
  allowing.never = {0, 2};
  for (const auto& found : make_nat_factory(model.ptr(), settings, allowing)->make_decoder()->decode(sentences(), {})) {
    for (const int32_t id : found.front().ids) EXPECT_EQ(id, 1);
  }
  ScorerOptions not_allowing;
  not_allowing.never = {0, 1, 2};
  for (const auto& found :
       make_nat_factory(model.ptr(), settings, not_allowing)->make_decoder()->decode(sentences(), {})) {
    for (const int32_t id : found.front().ids) EXPECT_GT(id, 3);
  }
}

TEST(NatDecoder, WeightsThatAreNotNumbersAreTheModelsFault) {
  for (const char* name : {"mask_predict", "plain_mask_eos", "ctc_uniform"}) {
    const auto settings = test::nat_kind(name);
    families::NonAutoregressive model = test::random_nat(settings, 3);
    {
      const torch::NoGradGuard no_grad;
      model->generator->proj->bias.fill_(std::nan(""));
    }
    EXPECT_FAILS(make_nat_factory(model.ptr(), settings, {})->make_decoder()->decode(sentences(), {}), ModelError,
                 "not a number");
  }
}

TEST(NatDecoder, AnEmptySourceIsMisuse) {
  const auto settings = test::nat_kind("plain_uniform");
  const std::vector<Sentence> empty{{{}, {}, 0}};
  EXPECT_THROW(make_nat_factory(test::random_nat(settings).ptr(), settings, {})->make_decoder()->decode(empty, {}),
               std::invalid_argument);
}

}  // namespace
}  // namespace ventris::backend
