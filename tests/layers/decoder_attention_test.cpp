#include "layers/decoder_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "arithmetic/every_kernel_set.h"
#include "layers/plain_self_attention.h"

namespace ventris::layers {
namespace {

using architecture::AttentionScore;
using architecture::SelfAttention;
using architecture::TransformerOptions;
using test::RandomNumbers;

/// Weights of a decoder of two layers, with nothing but what self-attention needs.
TransformerWeights weights_for_steps(TransformerOptions options) {
  options.decoder_layers = 2;
  TransformerWeights weights(options);
  weights.decoder.resize(2);
  return weights;
}

/// Feeds a sentence position by position, in layer 1 of a decoder, and compares each result with plain loops.
class DecoderAttentionTest : public test::EveryKernelSet {
 protected:
  void expect_near(const TransformerWeights& weights, const PlainSelfAttention& plain, int64_t len,
                   const std::vector<double>& expected) {
    const TransformerOptions& options = weights.options;
    Prefixes prefixes(2, entry_width(options), Reach::of(options));
    const auto attention = make_decoder_attention({kernels(), options, work_}, weights, prefixes);
    prefixes.add(0);
    attention->add();
    std::vector<float> projected = plain.projected, out(static_cast<size_t>(plain.outputs()));
    for (int64_t step = 0; step < len; ++step) {
      prefixes.extend();
      attention->attend(1, projected.data() + step * plain.stride(), 1, out.data());
      for (size_t i = 0; i < out.size(); ++i) {
        ASSERT_NEAR(out[i], expected[static_cast<size_t>(step) * out.size() + i], 1e-4) << step;
      }
    }
  }

 private:
  Workspace work_;
};
INSTANTIATE_EVERY_KERNEL_SET(DecoderAttentionTest);

TEST_P(DecoderAttentionTest, APositionSeesThoseBeforeItAndItself) {
  RandomNumbers random(1);
  const auto weights = weights_for_steps(random_heads(random));
  const PlainSelfAttention plain(weights.options, 30, random);
  expect_near(weights, plain, 30, plain.attended([](int64_t query, int64_t key) { return key <= query; }));
}

TEST_P(DecoderAttentionTest, AWindowHasTheLastAndTheGlobalPositions) {
  RandomNumbers random(2);
  TransformerOptions options = random_heads(random);
  options.self_attention = SelfAttention::kWindow;
  options.window = 5;
  options.global_positions = 2;
  const auto weights = weights_for_steps(options);
  const PlainSelfAttention plain(options, 40, random);
  expect_near(weights, plain, 40,
              plain.attended([](int64_t query, int64_t key) { return key <= query && (query - key <= 5 || key < 2); }));
}

TEST_P(DecoderAttentionTest, TermsOfKeysAreKeptWithThem) {
  RandomNumbers random(3);
  TransformerOptions options = random_heads(random);
  options.attention_score = AttentionScore::kGaussian;
  const auto weights = weights_for_steps(options);
  const PlainSelfAttention plain(options, 20, random);
  const auto expected = plain.attended([](int64_t query, int64_t key) { return key <= query; },
                                       [&](int64_t head, int64_t query, int64_t key) {
                                         double length = 0;
                                         for (int64_t i = 0; i < options.d_k; ++i) {
                                           length += plain.key(key, head, i) * plain.key(key, head, i);
                                         }
                                         return plain.product(head, query, key) - length / 2;
                                       });
  expect_near(weights, plain, 20, expected);
}

TEST_P(DecoderAttentionTest, DistancesAddTheirTermsToScores) {
  RandomNumbers random(4);
  TransformerOptions options = random_heads(random);
  options.positions = architecture::Positions::kRelativeBias;
  const architecture::RelativeBuckets buckets{8, 12, false};
  const std::vector<float> table = random.values(buckets.count * options.heads);
  auto weights = weights_for_steps(options);
  const auto bias = std::make_shared<const RelativeBias>(buckets, options.heads, table.data());
  for (DecoderLayer& layer : weights.decoder) layer.self_attention.relative_bias = bias;
  const PlainSelfAttention plain(options, 25, random);
  const auto expected = plain.attended([](int64_t query, int64_t key) { return key <= query; },
                                       [&](int64_t head, int64_t query, int64_t key) {
                                         std::vector<float> terms(25);
                                         bias->write(head, query, 25, terms.data());
                                         return plain.product(head, query, key) + terms[static_cast<size_t>(key)];
                                       });
  expect_near(weights, plain, 25, expected);
}

TEST(DecoderAttentionKinds, OnlyThoseThatKeepSumsFollowRowsThemselves) {
  Workspace work;
  TransformerOptions options;
  options.d_model = 4;
  options.heads = 2;
  options.self_attention = SelfAttention::kLinear;
  const auto weights = weights_for_steps(options);
  Prefixes prefixes(2, entry_width(options), Reach::of(options));
  const auto steps =
      make_decoder_attention({*arithmetic::available_kernels().front(), weights.options, work}, weights, prefixes);
  steps->add();
  const std::vector<float> first{1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8};
  std::vector<float> projected = first, out(4), again(4);
  steps->attend(0, projected.data(), 1, out.data());
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(out[i], first[8 + i], 1e-5) << "the mean of one value";
  steps->clear();
  steps->add();
  projected = first;
  steps->attend(0, projected.data(), 1, again.data());
  EXPECT_EQ(again, out) << "nothing of the first sentence is left";
}

TEST(DecoderAttentionWidth, AnEntryHasAKeyAValueAndPerhapsATermOfEachHead) {
  TransformerOptions options;
  options.heads = 3;
  options.d_k = 4;
  options.d_v = 5;
  EXPECT_EQ(entry_width(options), 3 * (4 + 5));
  options.attention_score = AttentionScore::kGaussian;
  EXPECT_EQ(entry_width(options), 3 * (4 + 5 + 1));
}

TEST(DecoderAttentionNeeds, AreWithoutEntriesIfNoneAreKept) {
  TransformerOptions options;
  options.heads = 2;
  options.d_model = 8;
  options.max_positions = 16;
  const auto full = decoder_attention_needs(options);
  EXPECT_GT(full.place, 0);
  options.self_attention = SelfAttention::kLinear;
  EXPECT_LT(decoder_attention_needs(options).place, full.place);
  EXPECT_GT(decoder_attention_needs(options).row, full.row) << "sums instead";
}

}  // namespace
}  // namespace ventris::layers
