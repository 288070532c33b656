#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "architecture/transformer_fields.h"
#include "families/small_transformer.h"
#include "nn/masks.h"
#include "nn/step_model.h"
#include "support/changed_options.h"

namespace ventris::families {
namespace {

using torch::Tensor;

class CachesOf : public testing::TestWithParam<nn::TransformerOptions> {};

nn::TransformerOptions halves_options() {
  return test::with(small_options(), &nn::TransformerOptions::positions, nn::Positions::kHalvedSinusoidal);
}
INSTANTIATE_TEST_SUITE_P(Positions, CachesOf,
                         testing::Values(small_options(), halves_options(), rotary_options(), relative_bias_options()),
                         [](const auto& item) {
                           return core::name_of(item.param.positions, architecture::positions());
                         });

TEST_P(CachesOf, GiveTheLogProbabilitiesOfWholeDecoding) {
  auto model = small_model(test::with(GetParam(), &nn::TransformerOptions::dropout, 0.0));
  const c10::InferenceMode inference;
  const auto cached = model->make_step_model(), plain = nn::make_prefix_step_model(model);
  const auto first = torch::tensor({{5, 6, 7, 3}, {8, 3, 0, 0}}), second = torch::tensor({{9, 10, 11, 12, 3}});
  const auto both = [&](const std::vector<int32_t>& parents, const Tensor& ids) {
    cached->follow(parents);
    plain->follow(parents);
    const Tensor found = cached->log_probs(ids), expected = plain->log_probs(ids);
    EXPECT_TRUE(torch::allclose(found, expected, 1e-5, 1e-6));
    EXPECT_EQ(found.size(0), static_cast<int64_t>(parents.size()));
  };
  for (nn::StepModel* steps : {cached.get(), plain.get()}) steps->admit(first, nn::padding_mask(first, 0));
  both({0, 1}, torch::tensor({2, 2}));
  both({1, 0, 1}, torch::tensor({4, 5, 6}));
  for (nn::StepModel* steps : {cached.get(), plain.get()}) steps->admit(second, nn::padding_mask(second, 0));
  both({2, 0, 3}, torch::tensor({7, 8, 2}));
  both({2}, torch::tensor({9}));
  cached->reset();
  plain->reset();
  for (nn::StepModel* steps : {cached.get(), plain.get()}) steps->admit(second, nn::padding_mask(second, 0));
  both({0}, torch::tensor({2}));
}

/// Rows are repeated and swapped at every step, and others join later, at other places of their segments.
TEST(StepModel, ADecoderWithSegmentsGoesOnThroughManySegments) {
  for (const auto& [segment, memory] : {std::pair{3, 2}, std::pair{4, 4}, std::pair{2, 5}, std::pair{1, 0}}) {
    nn::TransformerOptions options = test::with(small_options(), &nn::TransformerOptions::dropout, 0.0);
    options.self_attention = nn::SelfAttention::kSegment;
    options.positions = nn::Positions::kRelative;
    options.segment = segment;
    options.segment_memory = memory;
    auto model = small_model(options);
    const c10::InferenceMode inference;
    const auto cached = model->make_step_model(), plain = nn::make_prefix_step_model(model);
    const auto sources = torch::tensor({{5, 6, 7, 3}, {8, 3, 0, 0}});
    std::vector<int32_t> parents;
    for (int64_t step = 0; step < 30; ++step) {
      if (step % 7 == 0) {
        for (nn::StepModel* steps : {cached.get(), plain.get()}) steps->admit(sources, nn::padding_mask(sources, 0));
        const auto rows = static_cast<int32_t>(parents.size());
        parents = rows > 3 ? std::vector<int32_t>{2, rows, 0, rows + 1} : std::vector<int32_t>{rows, 0, rows + 1};
      } else {
        parents = {1, 0, 2, 1};
      }
      for (nn::StepModel* steps : {cached.get(), plain.get()}) steps->follow(parents);
      const Tensor ids = torch::randint(4, 12, {static_cast<int64_t>(parents.size())}, torch::kLong);
      EXPECT_TRUE(torch::allclose(cached->log_probs(ids), plain->log_probs(ids), 1e-4, 1e-5))
          << segment << " " << memory << " " << step;
    }
  }
}

TEST(StepModel, ADecoderWithSsrusKeepsACellForEachRow) {
  nn::TransformerOptions options = test::with(small_options(), &nn::TransformerOptions::dropout, 0.0);
  options.self_attention = nn::SelfAttention::kSsru;
  auto model = small_model(options);
  const c10::InferenceMode inference;
  const auto cached = model->make_step_model(), plain = nn::make_prefix_step_model(model);
  const auto sources = torch::tensor({{5, 6, 7, 3}, {8, 3, 0, 0}});
  std::vector<int32_t> parents;
  for (int64_t step = 0; step < 12; ++step) {
    const bool joins = step % 5 == 0;
    const auto rows = static_cast<int32_t>(parents.size());
    for (nn::StepModel* steps : {cached.get(), plain.get()}) {
      if (joins) steps->admit(sources, nn::padding_mask(sources, 0));
    }
    parents = joins ? std::vector<int32_t>{rows, 0, rows + 1} : std::vector<int32_t>{1, 0, 2, 1};
    for (nn::StepModel* steps : {cached.get(), plain.get()}) steps->follow(parents);
    const Tensor ids = torch::randint(4, 12, {static_cast<int64_t>(parents.size())}, torch::kLong);
    EXPECT_TRUE(torch::allclose(cached->log_probs(ids), plain->log_probs(ids), 1e-4, 1e-5)) << step;
  }
}

TEST(StepModel, ExpertsAreChosenAgainForEachToken) {
  nn::TransformerOptions options = test::with(small_options(), &nn::TransformerOptions::dropout, 0.0);
  options.experts = 4;
  auto model = small_model(options);
  const c10::InferenceMode inference;
  const auto cached = model->make_step_model(), plain = nn::make_prefix_step_model(model);
  const auto sources = torch::tensor({{5, 6, 7, 3}, {8, 3, 0, 0}});
  for (nn::StepModel* steps : {cached.get(), plain.get()}) steps->admit(sources, nn::padding_mask(sources, 0));
  for (int64_t step = 0; step < 8; ++step) {
    for (nn::StepModel* steps : {cached.get(), plain.get()}) steps->follow(std::vector<int32_t>{1, 0});
    const Tensor ids = torch::randint(4, 12, {2}, torch::kLong);
    EXPECT_TRUE(torch::allclose(cached->log_probs(ids), plain->log_probs(ids), 1e-4, 1e-5)) << step;
  }
}

}  // namespace
}  // namespace ventris::families
