#include "layers/decoder_attention.h"

#include <algorithm>
#include <vector>

#include "layers/distance_keys.h"
#include "layers/packed_linear_attention.h"
#include "layers/packed_ssru.h"
#include "layers/widths.h"

namespace ventris::layers {
namespace {

using architecture::SelfAttention;
using architecture::TransformerOptions;
using arithmetic::grown;
using arithmetic::step_stride;

/// Attention to the positions that are within reach, whose keys and values are kept.
class PrefixAttention : public DecoderAttention {
 public:
  PrefixAttention(const Context& context, const TransformerWeights& weights, Prefixes& prefixes)
      : context_(context), weights_(weights), options_(weights.decoder_options), prefixes_(prefixes) {}

  void attend(size_t layer, float* projected, int64_t rows, float* out) override {
    const int64_t keys = key_size(options_), values = value_size(options_), stride = 2 * keys + values;
    const SelfAttentionWeights& weights = weights_.decoder[layer].self_attention;
    const Score& score = weights.score;
    prepare_queries(context_, score, projected, stride, rows);
    prepare_keys(context_, score, projected + keys, stride, rows);
    if (weights.rotation) rotate(*weights.rotation, projected, stride, rows);
    prepare(layer, projected, rows);
    if (rows > 0) prefixes_.find_places(layer, 0, next_places_);
    for (int64_t row = 0; row < rows; ++row, projected += stride, out += values) {
      places_.swap(next_places_);
      next_places_.clear();
      const auto at = static_cast<size_t>(row);
      if (row + 1 < rows) prefixes_.find_places(layer, at + 1, next_places_);
      float* newest = prefixes_.newest(layer, at);
      std::copy_n(projected + keys, keys + values, newest);
      if (has_key_terms(options_)) {
        key_terms(context_.kernels, newest, keys, 1, options_.heads, options_.key_width(), newest + keys + values);
      }
      const auto count = static_cast<int64_t>(places_.size());
      float* scores = context_.work.scores.room(options_.heads * step_stride(count));
      const bool add = start_scores(at, places_, scores);
      context_.kernels.step_attention({projected, places_.data(), count, options_.heads, options_.key_width(),
                                       options_.value_width(), scores, out, add,
                                       score.vector.empty() ? nullptr : score.vector.data(), next_places_.data(),
                                       static_cast<int64_t>(next_places_.size())});
    }
  }

 protected:
  /// Called before the rows of a layer, with their queries.
  virtual void prepare(size_t /*layer*/, float* /*projected*/, int64_t /*rows*/) {}
  /// Writes terms of scores [heads, step_stride(places)] for a row. Returns whether there are any.
  virtual bool start_scores(size_t /*row*/, std::span<const float* const> places, float* scores) {
    if (!has_key_terms(options_)) return false;
    const int64_t first = key_size(options_) + value_size(options_);
    const int64_t stride = step_stride(static_cast<int64_t>(places.size()));
    for (int64_t head = 0; head < options_.heads; ++head, scores += stride) {
      for (size_t i = 0; i < places.size(); ++i) scores[i] = places[i][first + head];
    }
    return true;
  }

  const Context context_;
  const TransformerWeights& weights_;
  const TransformerOptions& options_;
  Prefixes& prefixes_;

 private:
  std::vector<const float*> places_, next_places_;  // of a row, and of the next one

  void rotate(const Rotation& rotation, float* projected, int64_t stride, int64_t rows) const {
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t newest = prefixes_.length(static_cast<size_t>(row)) - 1;
      rotation.apply(context_.kernels, newest, 2 * options_.heads, projected + row * stride);
    }
  }
};

/// The same with trained terms for the distances of positions.
class BiasedSteps : public PrefixAttention {
 public:
  using PrefixAttention::PrefixAttention;

 protected:
  bool start_scores(size_t row, std::span<const float* const> places, float* scores) override {
    const RelativeBias& bias = *weights_.decoder.front().self_attention.relative_bias;  // that of all layers
    const auto count = static_cast<int64_t>(places.size());
    for (int64_t head = 0; head < options_.heads; ++head) {
      bias.write(head, prefixes_.length(row) - 1, count, scores + head * step_stride(count));
    }
    return true;
  }
};

/// The same with terms that are products of queries and distances.
class SegmentSteps : public PrefixAttention {
 public:
  SegmentSteps(const Context& context, const TransformerWeights& weights, Prefixes& prefixes)
      : PrefixAttention(context, weights, prefixes) {
    for (const DecoderLayer& layer : weights.decoder) {
      distances_.emplace_back(context.kernels, options_, layer.self_attention.distances, Side::kDecoder);
    }
  }

  /// What it needs besides a workspace and prefixes.
  static decoding::MemoryNeeds needs(const TransformerOptions& options) {
    const int64_t distances = DistanceKeys::most_of_decoder(options);
    decoding::MemoryNeeds needs;
    needs.fixed = options.decoder_layers * DistanceKeys::bytes(options, distances);
    needs.row = grown(kFloat * (key_size(options) + options.heads * distances));  // queries, and their products
    return needs;
  }

 protected:
  /// Multiplies all rows with all distances that one of them needs.
  void prepare(size_t layer, float* projected, int64_t rows) override {
    const int64_t keys = key_size(options_), stride = 2 * keys + value_size(options_), d_k = options_.key_width();
    largest_ = 0;
    float* queries = queries_.room(rows * keys);
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t newest = prefixes_.length(static_cast<size_t>(row)) - 1;
      largest_ = std::max(largest_, newest - prefixes_.reach().oldest(newest));
      add_biases(weights_.decoder[layer].self_attention, keys, projected + row * stride, queries + row * keys);
    }
    distances_[layer].reserve(largest_, 0);
    width_ = DistanceKeys::most_columns(largest_ + 1);
    float* products = products_.room(rows * options_.heads * width_);
    for (int64_t head = 0; head < options_.heads; ++head) {
      skipped_ = distances_[layer].multiply(head, queries + head * d_k, keys, rows, largest_, 0,
                                            products + head * width_, options_.heads * width_);
    }
  }

  bool start_scores(size_t row, std::span<const float* const> places, float* scores) override {
    const auto count = static_cast<int64_t>(places.size());
    const float* products = products_.data() + static_cast<int64_t>(row) * options_.heads * width_;
    for (int64_t head = 0; head < options_.heads; ++head, products += width_) {
      std::copy_n(products + skipped_ + largest_ + 1 - count, count, scores + head * step_stride(count));
    }
    return true;
  }

 private:
  std::vector<DistanceKeys> distances_;  // of each layer
  Aligned<float> queries_, products_;    // products: [rows, heads, width_]
  int64_t largest_ = 0, width_ = 0, skipped_ = 0;
};

}  // namespace

int64_t entry_width(const TransformerOptions& options) {
  const int64_t terms = has_key_terms(options) ? options.heads : 0;
  return key_size(options) + value_size(options) + terms;
}

decoding::MemoryNeeds decoder_attention_needs(const TransformerOptions& options) {
  const Reach reach = Reach::of(options);
  decoding::MemoryNeeds needs =
      Prefixes::needs(options.decoder_layers, reach.recent == 0 ? 0 : entry_width(options), reach);
  needs.fixed += grown(kFloat * options.heads * step_stride(options.max_positions));  // scores
  switch (options.self_attention) {
    case SelfAttention::kLinear: return needs.plus(LinearSteps::needs(options));
    case SelfAttention::kSegment: return needs.plus(SegmentSteps::needs(options));
    case SelfAttention::kSsru: return needs.plus(SsruSteps::needs(options));
    case SelfAttention::kFull:
    case SelfAttention::kWindow:
    case SelfAttention::kLowRank: break;
  }
  return needs;
}

std::unique_ptr<DecoderAttention> make_decoder_attention(const Context& context, const TransformerWeights& weights,
                                                         Prefixes& prefixes) {
  switch (weights.options.self_attention) {
    case SelfAttention::kLinear: return std::make_unique<LinearSteps>(context.kernels, weights.decoder_options);
    case SelfAttention::kSegment: return std::make_unique<SegmentSteps>(context, weights, prefixes);
    case SelfAttention::kSsru: return std::make_unique<SsruSteps>(context.kernels, weights.decoder_options);
    case SelfAttention::kFull:
    case SelfAttention::kWindow:
    case SelfAttention::kLowRank: break;
  }
  if (weights.options.has_relative_bias()) return std::make_unique<BiasedSteps>(context, weights, prefixes);
  return std::make_unique<PrefixAttention>(context, weights, prefixes);
}

}  // namespace ventris::layers
