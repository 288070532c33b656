#include "families/rnn.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "nn/masks.h"
#include "nn/module_parameters.h"
#include "nn/random_scope.h"
#include "support/rnn_kinds.h"

namespace ventris::families {
namespace {

using architecture::Scoring;
using architecture::Tying;
using torch::Tensor;
constexpr int64_t kPad = 0;

RnnEncoderDecoder small_model(const RnnOptions& options) {
  torch::manual_seed(1);
  RnnEncoderDecoder model(options);
  model->initialise();
  model->eval();
  return model;
}

Tensor run(RnnEncoderDecoder& model, const Tensor& source, const Tensor& target) {
  return model->forward(source, target, nn::padding_mask(source, kPad), nn::target_mask(target, kPad));
}

bool close(const Tensor& a, const Tensor& b) { return torch::allclose(a, b, 1e-5, 1e-6); }

class RnnOfEveryKind : public testing::TestWithParam<RnnOptions> {
 protected:
  RnnEncoderDecoder model = small_model(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Kinds, RnnOfEveryKind, testing::ValuesIn(test::rnn_kinds()),
                         [](const auto& kind) { return test::name_of(kind.param); });

TEST_P(RnnOfEveryKind, FutureTokensChangeNothing) {
  const auto source = torch::tensor({{3, 4, 5, 6}});
  const auto before = run(model, source, torch::tensor({{1, 7, 8, 9}}));
  const auto after = run(model, source, torch::tensor({{1, 7, 10, 11}}));
  EXPECT_TRUE(close(before.narrow(1, 0, 2), after.narrow(1, 0, 2)));
  EXPECT_FALSE(close(before.narrow(1, 2, 2), after.narrow(1, 2, 2)));
}

TEST_P(RnnOfEveryKind, PaddingChangesNothing) {
  const auto before = run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7}}));
  const auto after = run(model, torch::tensor({{3, 4, 5, 0, 0}}), torch::tensor({{1, 7, 0}}));
  EXPECT_TRUE(close(before, after.narrow(1, 0, 2)));
  const Tensor source = torch::tensor({{3, 4, 5}}), target = torch::tensor({{1, 7}});
  EXPECT_TRUE(close(before, model->forward(source, target, {}, nn::subsequent_mask(2)))) << "no mask: no padding";
}

TEST_P(RnnOfEveryKind, NeighboursInTheBatchChangeNothing) {
  const auto alone = run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7}}));
  const auto together = run(model, torch::tensor({{9, 8, 7, 6}, {3, 4, 5, 0}}), torch::tensor({{1, 2}, {1, 7}}));
  EXPECT_TRUE(close(alone[0], together[1]));
}

TEST_P(RnnOfEveryKind, EveryPlaceOfTheSourceMatters) {
  const auto before = run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7}}));
  for (const auto& source : {torch::tensor({{6, 4, 5}}), torch::tensor({{3, 4, 6}}), torch::tensor({{4, 3, 5}})}) {
    EXPECT_FALSE(torch::allclose(before, run(model, source, torch::tensor({{1, 7}})), 1e-4, 1e-5));
  }
}

TEST_P(RnnOfEveryKind, AnEmptySourceGivesFiniteNumbersAndGradients) {
  const auto hidden = run(model, torch::tensor({{0, 0}, {5, 0}}), torch::tensor({{1, 7}, {1, 7}}));
  hidden.pow(2).sum().backward();
  EXPECT_TRUE(hidden.isfinite().all().item<bool>());
  for (const auto& item : model->named_parameters()) {
    const Tensor gradient = item.value().grad();  // undefined: unused
    EXPECT_TRUE(!gradient.defined() || gradient.isfinite().all().item<bool>()) << item.key();
  }
}

TEST_P(RnnOfEveryKind, StepsGiveTheLogProbabilitiesOfFullDecoding) {
  const c10::InferenceMode inference;
  const auto cached = model->make_step_model(), plain = nn::make_prefix_step_model(model);
  const auto first = torch::tensor({{5, 6, 7, 3}, {8, 3, 0, 0}}), second = torch::tensor({{9, 10, 11, 12, 3}});
  const auto both = [&](const std::vector<int32_t>& parents, const Tensor& ids) {
    cached->follow(parents);
    plain->follow(parents);
    const Tensor found = cached->log_probs(ids), expected = plain->log_probs(ids);
    EXPECT_TRUE(close(found, expected));
    EXPECT_EQ(found.size(0), static_cast<int64_t>(parents.size()));
  };
  const auto admit = [&](const Tensor& source) {
    for (nn::StepModel* steps : {cached.get(), plain.get()}) steps->admit(source, nn::padding_mask(source, kPad));
  };
  admit(first);
  both({0, 1}, torch::tensor({2, 2}));
  both({1, 0, 1}, torch::tensor({4, 5, 6}));
  both({2, 1, 0}, torch::tensor({4, 5, 6}));
  admit(second);
  both({2, 0, 3}, torch::tensor({7, 8, 2}));
  both({2}, torch::tensor({9}));
  cached->reset();
  plain->reset();
  admit(second);
  both({0}, torch::tensor({2}));
}

TEST_P(RnnOfEveryKind, DropoutIsReproducibleInARandomScope) {
  model->train();
  const auto with_seed = [&](uint64_t seed) {
    const nn::RandomScope scope(at::detail::createCPUGenerator(seed));
    return run(model, torch::tensor({{3, 4, 5}}), torch::tensor({{1, 7, 8}}));
  };
  torch::manual_seed(3);
  const Tensor before = at::detail::getDefaultCPUGenerator().get_state();
  EXPECT_TRUE(torch::equal(with_seed(5), with_seed(5)));
  EXPECT_FALSE(torch::allclose(with_seed(5), with_seed(6)));
  EXPECT_TRUE(torch::equal(at::detail::getDefaultCPUGenerator().get_state(), before))
      << "nothing is drawn from the default generator";
}

TEST_P(RnnOfEveryKind, ItsAttentionCanBeWatchedIfItHasAny) {
  const nn::AttentionBlocks blocks = model->attention_blocks();
  EXPECT_EQ(blocks.cross.size(), GetParam().has_attention() ? 1U : 0U);
  EXPECT_TRUE(blocks.encoder.empty());
  EXPECT_TRUE(blocks.decoder.empty());
  if (blocks.cross.empty()) return;
  const nn::AttentionWatch watch(blocks.cross);
  run(model, torch::tensor({{3, 4, 5, 0}, {3, 4, 5, 6}}), torch::tensor({{1, 7, 8}, {1, 7, 8}}));
  const Tensor& weights = watch.kept(0);
  EXPECT_EQ(weights.sizes(), (std::vector<int64_t>{2, 1, 3, 4}));
  EXPECT_TRUE(torch::allclose(weights.sum(-1), torch::ones({2, 1, 3})));
  EXPECT_TRUE(weights[0].select(-1, 3).eq(0).all().item<bool>()) << "padding";
}

TEST_P(RnnOfEveryKind, AutocastLeavesTheRecurrenceInF32) {
  const torch::NoGradGuard no_grad;
  const auto source = torch::tensor({{3, 4, 5}}), target = torch::tensor({{1, 7, 8}});
  const Tensor plain = run(model, source, target);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, torch::kBFloat16);
  const Tensor found = run(model, source, target), logits = model->generator->logits(found);
  at::autocast::set_autocast_enabled(at::kCPU, false);
  EXPECT_TRUE(torch::equal(found, plain));
  EXPECT_EQ(logits.scalar_type(), torch::kBFloat16);
}

TEST(RnnDecoder, LayersBeginWithTheEncodersCountedFromTheTop) {
  for (const auto& [read, written] : {std::pair{3, 1}, {1, 3}, {2, 2}}) {
    RnnOptions options = test::rnn_kinds().back();  // an LSTM
    options.encoder_layers = read;
    options.decoder_layers = written;
    auto model = small_model(options);
    const nn::Memory memory = model->encode(torch::tensor({{3, 4, 5}}), {});
    ASSERT_EQ(memory.finals.size(), 2U * static_cast<size_t>(read));
    const RnnState state = model->decoder->first_state(memory.finals);
    ASSERT_EQ(state.layers.size(), static_cast<size_t>(written));
    EXPECT_TRUE(close(state.layers.back().cell, model->decoder->bridge_cell(memory.finals.back()).tanh()));
    const bool same = torch::equal(state.layers.front().hidden, state.layers.back().hidden);
    EXPECT_EQ(same, read == 1 || written == 1) << read << " " << written;
  }
}

TEST(RnnEncoderDecoder, TyingSharesStorageUnderAllNames) {
  RnnOptions options = test::rnn_kinds()[1];
  options.d_embedding = options.d_hidden;
  const auto distinct = [&](Tying tying) {
    options.tying = tying;
    return nn::distinct_parameters(*small_model(options)).size();
  };
  const size_t none = distinct(Tying::kNone);
  EXPECT_EQ(distinct(Tying::kDecoder), none - 1);
  EXPECT_EQ(distinct(Tying::kAll), none - 2);
}

TEST(RnnEncoderDecoder, RefusesInconsistentSizes) {
  RnnOptions options = test::rnn_kinds()[1];
  options.tying = Tying::kDecoder;  // d_embedding is not d_hidden
  EXPECT_THROW((RnnEncoderDecoder(options)), std::invalid_argument);
  options.tying = Tying::kAll;
  options.tgt_vocab = 24;
  EXPECT_THROW((RnnEncoderDecoder(options)), std::invalid_argument);
  options.tying = Tying::kNone;
  options.attention = Scoring::kNone;
  options.input_feeding = true;
  EXPECT_THROW((RnnEncoderDecoder(options)), std::invalid_argument);
}

TEST(RnnEncoderDecoder, TheSeedDecidesEveryWeight) {
  const auto one = small_model(test::rnn_kinds()[1])->named_parameters(),
             two = small_model(test::rnn_kinds()[1])->named_parameters();
  for (const auto& item : one) EXPECT_TRUE(torch::equal(item.value(), two[item.key()])) << item.key();
}

}  // namespace
}  // namespace ventris::families
