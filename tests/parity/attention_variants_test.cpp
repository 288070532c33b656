// The variants of docs/attention.md against those of make_attention_variants_expected.py, which wrote
// attention_variants_expected.json; and each of them as a step model.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <nlohmann/json.hpp>
#include <string>

#include "families/transformer.h"
#include "nn/attention_watch.h"
#include "parity/transformer_case.h"

namespace ventris::nn {
namespace {

using torch::Tensor;

const nlohmann::json& attention_cases() {
  static const nlohmann::json file = test::expected_file("attention_variants_expected.json");
  return file;
}

class AttentionVariantsParity : public testing::TestWithParam<std::string>, protected test::TransformerCase {
 protected:
  AttentionVariantsParity() : TransformerCase(attention_cases(), GetParam()) {}
};

TEST_P(AttentionVariantsParity, NamesAreTheReferences) { expect_names(); }

TEST_P(AttentionVariantsParity, OutputsAgree) { expect_outputs(); }

TEST_P(AttentionVariantsParity, AttentionWeightsAgree) {
  const AttentionBlocks blocks = model->attention_blocks();
  const bool of_encoder = model->options.self_attention != SelfAttention::kLowRank;  // they belong to no positions
  EXPECT_EQ(blocks.encoder.empty(), !of_encoder);
  const AttentionWatch watch(
      {of_encoder ? blocks.encoder.back() : nullptr, blocks.decoder.back(), blocks.cross.back()});
  run();
  if (of_encoder) expect_equal("encoder_weights", watch.kept(0));
  expect_equal("decoder_weights", watch.kept(1));
  expect_equal("source_weights", watch.kept(2));
}

TEST_P(AttentionVariantsParity, EveryGradientAgrees) { expect_gradients(); }

/// Rows join later, are repeated, dropped and forgotten, and sources differ in length.
TEST_P(AttentionVariantsParity, CachedDecodingEqualsFullDecoding) {
  model->eval();
  const c10::InferenceMode inference;
  const auto cached = model->make_step_model(), full = make_prefix_step_model(model);
  const auto first = torch::tensor({{5, 6, 4, 3}, {4, 3, 0, 0}}), second = torch::tensor({{6, 5, 4, 6, 3}});
  const auto admit = [&](const Tensor& sources) {
    for (StepModel* steps : {cached.get(), full.get()}) steps->admit(sources, padding_mask(sources, pad));
  };
  const auto expect_same = [&](const std::vector<int32_t>& parents, const Tensor& ids) {
    cached->follow(parents);
    full->follow(parents);
    EXPECT_LE(test::distance(cached->log_probs(ids), full->log_probs(ids), 1e-5), 1);
  };
  admit(first);
  expect_same({0, 1}, torch::tensor({2, 2}));
  expect_same({1, 0, 1}, torch::tensor({4, 5, 6}));
  admit(second);
  expect_same({2, 0, 3}, torch::tensor({7, 3, 2}));
  expect_same({2}, torch::tensor({4}));
  admit(first);  // a row at position 4 and two at 0: in a window, places are used again
  expect_same({0, 1, 2, 0}, torch::tensor({5, 2, 2, 3}));
  expect_same({3, 0, 1}, torch::tensor({6, 4, 7}));
  expect_same({0, 2, 2, 1}, torch::tensor({3, 5, 6, 4}));
  expect_same({1, 2}, torch::tensor({7, 3}));
  cached->reset();
  full->reset();
  admit(second);
  expect_same({0}, torch::tensor({2}));
}

INSTANTIATE_TEST_SUITE_P(Cases, AttentionVariantsParity, testing::ValuesIn(test::case_names(attention_cases())),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace ventris::nn
