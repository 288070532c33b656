#include "layers/decoder_layers.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "arithmetic/every_kernel_set.h"
#include "engine/random_model.h"
#include "layers/widths.h"

namespace ventris::layers {
namespace {

using architecture::TransformerOptions;
using test::RandomNumbers;

/// Rows that see their own value only, and a source in each layer.
class LonelyRows : public DecoderRows {
 public:
  LonelyRows(const TransformerOptions& options, std::vector<std::vector<SourceRows>> sources)
      : options_(options), sources_(std::move(sources)) {}

  void attend(size_t /*layer*/, float* projected, int64_t rows, float* out) override {
    const int64_t values = value_size(options_), stride = 2 * key_size(options_) + values;
    for (int64_t row = 0; row < rows; ++row) {
      std::copy_n(projected + row * stride + 2 * key_size(options_), values, out + row * values);
    }
  }
  int64_t keep(size_t layer, float* x, int64_t rows) override {
    seen.push_back(rows);
    if (layer != dropping_layer) return rows;
    std::copy_n(x + (rows - 1) * options_.d_model, options_.d_model, x);
    return 1;
  }
  std::span<const SourceRows> sources(size_t layer) override { return sources_.at(layer); }

  size_t dropping_layer = 9;  ///< after whose self-attention only the last row is kept
  std::vector<int64_t> seen;  ///< rows of each layer

 private:
  const TransformerOptions& options_;
  std::vector<std::vector<SourceRows>> sources_;
};

class DecoderLayersTest : public test::EveryKernelSet {
 protected:
  DecoderLayersTest() : weights(pack_weights(options, test::random_model(options, 1).file(), Precision::kF32)) {}
  Context context() { return {kernels(), weights.options, work}; }

  /// Packs the keys and values of a source of random states in each layer.
  void pack_source(int64_t len, uint32_t seed) {
    RandomNumbers random(seed);
    const std::vector<float> memory = random.values(len * options.d_model);
    lengths.push_back(len);
    auto& layers = packed.emplace_back();
    for (const DecoderLayer& layer : weights.decoder) {
      float* projected = project_sources(context(), layer, memory.data(), len);
      layers.emplace_back(static_cast<size_t>(packed_size(options, len)));
      pack_keys_values(context(), projected, projected + key_size(options), key_size(options) + value_size(options),
                       len, layers.back().data());
    }
  }
  /// What each layer sees: some rows of each source.
  std::vector<std::vector<SourceRows>> seen_by(const std::vector<int64_t>& rows) const {
    std::vector<std::vector<SourceRows>> all(weights.decoder.size());
    for (size_t layer = 0; layer < all.size(); ++layer) {
      for (size_t i = 0; i < rows.size(); ++i) all[layer].push_back({rows[i], {packed[i][layer].data(), lengths[i]}});
    }
    return all;
  }

  TransformerOptions options = test::smallest_transformer(1, 20);
  TransformerWeights weights;
  Workspace work;
  std::vector<int64_t> lengths;
  std::vector<std::vector<std::vector<float>>> packed;  // of each source and layer
};
INSTANTIATE_EVERY_KERNEL_SET(DecoderLayersTest);

TEST_P(DecoderLayersTest, RowsOfSeveralSourcesAreThoseOfEachAlone) {
  pack_source(5, 1);
  pack_source(3, 2);
  const std::vector<float> x = RandomNumbers(3).values(int64_t{3} * 8);
  std::vector<float> all = x, first(x.begin(), x.begin() + 16), last(x.begin() + 16, x.end());
  LonelyRows both(options, seen_by({2, 1})), one(options, seen_by({2})), other(options, seen_by({0, 1}));
  run_decoder(context(), weights, all.data(), 3, both);
  run_decoder(context(), weights, first.data(), 2, one);
  run_decoder(context(), weights, last.data(), 1, other);
  first.insert(first.end(), last.begin(), last.end());
  for (size_t i = 0; i < all.size(); ++i) ASSERT_NEAR(all[i], first[i], 1e-5);
  EXPECT_EQ(both.seen, (std::vector<int64_t>{3, 3}));
}

TEST_P(DecoderLayersTest, AfterKeepOnlyItsRowsAreComputed) {
  pack_source(5, 1);
  const std::vector<float> x = RandomNumbers(3).values(int64_t{3} * 8);
  std::vector<float> all = x;
  LonelyRows whole(options, seen_by({3}));
  run_decoder(context(), weights, all.data(), 3, whole);
  for (const size_t dropping_layer : {0, 1}) {
    auto sources = seen_by({3});
    for (size_t layer = dropping_layer; layer < 2; ++layer) sources[layer] = {{1, {packed[0][layer].data(), 5}}};
    LonelyRows rows(options, sources);
    rows.dropping_layer = dropping_layer;
    std::vector<float> kept = x;
    run_decoder(context(), weights, kept.data(), 3, rows);
    for (size_t i = 0; i < 8; ++i) ASSERT_NEAR(kept[i], all[16 + i], 1e-5) << "the last row stands first";
    EXPECT_EQ(rows.seen, (std::vector<int64_t>{3, dropping_layer == 0 ? 1 : 3}));
  }
}

TEST_P(DecoderLayersTest, AttentionWeightsOfARowAddUpToOneInEachHead) {
  pack_source(5, 1);
  std::vector<float> found(size_t{2} * 5), x = RandomNumbers(3).values(8);
  auto sources = seen_by({1});
  sources[1][0].weights = found.data();
  LonelyRows rows(options, sources);
  run_decoder(context(), weights, x.data(), 1, rows);
  for (size_t head = 0; head < 2; ++head) {
    float sum = 0;
    for (size_t i = 0; i < 5; ++i) sum += found[head * 5 + i];
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

TEST(SourceNeeds, AreTheKeysAndValuesOfAllLayers) {
  TransformerOptions options = test::smallest_transformer(1, 20);
  options.d_k = options.d_v = arithmetic::kPanel;
  const auto needs = source_needs(options);
  EXPECT_TRUE(needs.pads_sources);
  EXPECT_EQ(needs.source_token, int64_t{3} * 4 * 2 * (4 * arithmetic::kPanel) / 2 + 4);
  options.decoder_layers = 4;
  EXPECT_EQ(source_needs(options).source_token - 4, 2 * (needs.source_token - 4));
}

}  // namespace
}  // namespace ventris::layers
