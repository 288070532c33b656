#include "layers/encoder_attention.h"

#include <algorithm>

#include "layers/block_attention.h"
#include "layers/packed_linear_attention.h"
#include "layers/widths.h"

namespace ventris::layers {
namespace {

using arithmetic::grown;
using arithmetic::panels_of;
using decoding::MemoryNeeds;

using architecture::SelfAttention;
using architecture::TransformerOptions;

class FullAttention : public EncoderAttention {
 public:
  FullAttention(const Context& context, const SelfAttentionWeights& weights, Sight sight)
      : context_(context), weights_(weights), sight_(sight) {}

  void attend(float* projected, int64_t len, float* out) override {
    const int64_t keys = options_.heads * options_.key_width(), values = options_.heads * options_.value_width();
    const int64_t stride = 2 * keys + values;
    prepare_queries(context_, weights_.score, projected, stride, len);
    prepare_keys(context_, weights_.score, projected + keys, stride, len);
    if (weights_.rotation) rotate(projected, stride, len);
    float* packed = context_.work.packed.room(packed_size(options_, len));
    pack_keys_values(context_, projected + keys, projected + 2 * keys, stride, len, packed);
    if (sight_ == Sight::kUpToItself) {
      attend_to_prefixes(context_, {projected, stride, len}, {packed, len}, out);
    } else {
      layers::attend(context_, weights_.score, {projected, stride, len}, {packed, len}, out);
    }
  }

 private:
  void rotate(float* projected, int64_t stride, int64_t len) const {
    for (int64_t position = 0; position < len; ++position) {
      weights_.rotation->apply(context_.kernels, position, 2 * options_.heads, projected + position * stride);
    }
  }

  const Context context_;
  const TransformerOptions& options_ = context_.options;
  const SelfAttentionWeights& weights_;
  Sight sight_;
};

/// FullAttention with terms that depend on the distances of positions.
class BiasedAttention : public EncoderAttention {
 public:
  BiasedAttention(const Context& context, const RelativeBias& bias) : context_(context), bias_(bias) {}

  void attend(float* projected, int64_t len, float* out) override {
    const int64_t d_k = options_.key_width(), d_v = options_.value_width();
    const int64_t keys = options_.heads * d_k, values = options_.heads * d_v, stride = 2 * keys + values;
    float* packed = context_.work.packed.room(packed_size(options_, len));
    pack_keys_values(context_, projected + keys, projected + 2 * keys, stride, len, packed);
    float* scores = context_.work.scores.room(len * len);
    for (int64_t head = 0; head < options_.heads; ++head) {
      const PackedHead seen = packed_head(options_, {packed, len}, head);
      for (int64_t query = 0; query < len; ++query) bias_.write(head, query, len, scores + query * len);
      context_.kernels.product_f32({projected + head * d_k,
                                    stride,
                                    len,
                                    seen.keys,
                                    d_k,
                                    len,
                                    scores,
                                    len,
                                    {.update = arithmetic::Update::kAdd}});
      context_.kernels.softmax(scores, len, len, len);
      context_.kernels.product_f32({scores, len, len, seen.values, len, d_v, out + head * d_v, values});
    }
  }

 private:
  const Context context_;
  const TransformerOptions& options_ = context_.options;
  const RelativeBias& bias_;
};

/// Attention to mixtures of all positions.
class LowRankAttention : public EncoderAttention {
 public:
  LowRankAttention(const Context& context, const SelfAttentionWeights& weights)
      : context_(context), weights_(weights) {}

  static MemoryNeeds needs(const TransformerOptions& options) {
    const int64_t size = options.low_rank_size, mixed = key_size(options) + value_size(options);
    MemoryNeeds needs;
    needs.fixed =
        grown(kFloat * (options.encoder_layers * size * mixed + (size + kPanel) * packed_width(options).both() +
                        arithmetic::packed_scores_size(size)));
    needs.encoded_token = grown(kFloat * (size + kPanel));  // scores; one panel of keys more
    return needs;
  }

  void attend(float* projected, int64_t len, float* out) override {
    const int64_t keys = options_.heads * options_.key_width(), values = options_.heads * options_.value_width();
    const int64_t stride = 2 * keys + values, size = options_.low_rank_size;
    prepare_queries(context_, weights_.score, projected, stride, len);
    float* mixed = mixed_.room(size * (keys + values));
    mix(weights_.key_mixtures, projected + keys, keys, len, mixed);
    mix(weights_.value_mixtures, projected + 2 * keys, values, len, mixed + keys);
    prepare_keys(context_, weights_.score, mixed, keys + values, size);
    float* packed = context_.work.packed.room(packed_size(options_, size));
    pack_keys_values(context_, mixed, mixed + keys, keys + values, size, packed);
    layers::attend(context_, weights_.score, {projected, stride, len}, {packed, size}, out);
  }

 private:
  /// mixed [size, width] = the first `len` columns of `mixtures` times x [len, width].
  void mix(const Elements<float>& mixtures, const float* x, int64_t width, int64_t len, float* mixed) const {
    const int64_t keys = options_.heads * options_.key_width(), values = options_.heads * options_.value_width();
    float* packed = context_.work.packed.room(panels_of(width) * kPanel * len);
    pack_rows(x, 2 * keys + values, len, width, packed);
    context_.kernels.product_f32(
        {mixtures.data(), options_.max_positions, options_.low_rank_size, packed, len, width, mixed, keys + values});
  }

  const Context context_;
  const TransformerOptions& options_ = context_.options;
  const SelfAttentionWeights& weights_;
  Aligned<float> mixed_;
};

}  // namespace

MemoryNeeds encoder_attention_needs(const TransformerOptions& options) {
  MemoryNeeds needs;
  needs.encoded_token = grown(kFloat * packed_width(options).both());
  needs.encoded_weight = grown(kFloat);  // scores
  needs.encoded_token += grown(arithmetic::packed_scores_size(kPanel) / kPanel * kFloat);
  needs.fixed = grown(arithmetic::packed_scores_size(kPanel) * kFloat);
  switch (options.self_attention) {
    case SelfAttention::kWindow: return needs.plus(WindowAttention::needs(options));
    case SelfAttention::kLinear: return needs.plus(LinearAttention::needs(options));
    case SelfAttention::kLowRank: return needs.plus(LowRankAttention::needs(options));
    case SelfAttention::kSegment: return needs.plus(SegmentAttention::needs(options));
    case SelfAttention::kSsru:  // is only for decoders
    case SelfAttention::kFull: break;
  }
  return needs;
}

bool sees_prefixes_at_once(const TransformerOptions& options) {
  const bool full = options.self_attention == SelfAttention::kFull || options.self_attention == SelfAttention::kLowRank;
  return full && !options.has_relative_bias() && options.attention_score != architecture::AttentionScore::kAdditive;
}

std::unique_ptr<EncoderAttention> make_encoder_attention(const Context& context, const SelfAttentionWeights& weights,
                                                         Sight sight) {
  if (sight == Sight::kUpToItself) return std::make_unique<FullAttention>(context, weights, sight);
  switch (context.options.self_attention) {
    case SelfAttention::kWindow: return std::make_unique<WindowAttention>(context, weights);
    case SelfAttention::kLinear: return std::make_unique<LinearAttention>(context);
    case SelfAttention::kLowRank: return std::make_unique<LowRankAttention>(context, weights);
    case SelfAttention::kSegment: return std::make_unique<SegmentAttention>(context, weights);
    case SelfAttention::kSsru:  // is only for decoders
    case SelfAttention::kFull: break;
  }
  if (weights.relative_bias) return std::make_unique<BiasedAttention>(context, *weights.relative_bias);
  return std::make_unique<FullAttention>(context, weights, sight);
}

}  // namespace ventris::layers
