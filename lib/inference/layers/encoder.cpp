#include "layers/encoder.h"

#include <algorithm>

#include "files/mapped_ranges.h"
#include "layers/free_memory.h"
#include "layers/widths.h"

namespace ventris::layers {

using arithmetic::Update;

using architecture::CrossAttention;

Encoder::Encoder(const Context& context, const TransformerWeights& weights) : context_(context), weights_(weights) {
  if (weights.options.cross_attention != CrossAttention::kLast) outputs_.resize(weights.encoder.size());
  make_attention();
}

decoding::MemoryNeeds Encoder::needs(const architecture::TransformerOptions& options) {
  const int64_t outputs = options.cross_attention == CrossAttention::kLast ? 0 : options.encoder_layers + 1;
  decoding::MemoryNeeds needs = encoder_attention_needs(options);
  const int64_t projected = 2 * key_size(options) + value_size(options);
  needs.encoded_token += std::max(Workspace::bytes_of_row(options), Workspace::bytes_of_row(options.decoder_side())) +
                         arithmetic::grown(kFloat * (options.d_model * (1 + outputs) + projected)) + 32;
  return needs;
}

void Encoder::make_attention() {
  self_attention_.clear();
  for (const EncoderLayer& layer : weights_.encoder) {
    self_attention_.push_back(make_encoder_attention(context_, layer.self_attention));
  }
}

void Encoder::release() {
  make_attention();
  free_memory(x_, mixed_, ids_, positions_);
  for (Aligned<float>& output : outputs_) free_memory(output);
}

void Encoder::begin(std::span<const std::span<const int32_t>> sentences) {
  files::check_mapping(weights_.file.view().data());
  ids_.clear();
  positions_.clear();
  for (const auto& sentence : sentences) {
    ids_.insert(ids_.end(), sentence.begin(), sentence.end());
    for (size_t i = 0; i < sentence.size(); ++i) positions_.push_back(static_cast<int64_t>(i));
  }
  rows_ = static_cast<int64_t>(ids_.size());
  float* x = x_.room(rows_ * weights_.options.d_model);
  embed(context_, weights_.source, ids_, positions_, x);
}

void Encoder::encode_to(size_t layer, std::span<const std::span<const int32_t>> sentences) {
  begin(sentences);
  for (size_t i = 0; i < layer; ++i) run_layer(i, sentences);
}

void Encoder::encode(std::span<const std::span<const int32_t>> sentences) {
  begin(sentences);
  float* x = x_.data();
  for (size_t i = 0; i < weights_.encoder.size(); ++i) {
    run_layer(i, sentences);
    if (!outputs_.empty()) keep_output(i);
  }
  if (weights_.encoder_norm.exists()) {
    normalise(context_, weights_.encoder_norm, x, rows_, x);
  }
}

void Encoder::run_layer(size_t i, std::span<const std::span<const int32_t>> sentences) {
  const EncoderLayer& layer = weights_.encoder[i];
  const int64_t stride = layer.query_key_value.n(), values = value_size(weights_.options);
  float* x = x_.data();
  sublayer(context_, layer.norms[0], x, rows_, [&](const float* input) {
    float* projected = context_.work.projected.room(rows_ * stride);
    multiply(context_, layer.query_key_value, input, rows_, projected);
    float* out = context_.work.context.room(rows_ * values);
    float* to = out;
    for (const auto& sentence : sentences) {
      const auto len = static_cast<int64_t>(sentence.size());
      self_attention_[i]->attend(projected, len, to);
      projected += len * stride;
      to += len * values;
    }
    multiply(context_, layer.output, out, rows_, x, {.update = Update::kAdd});
  });
  sublayer(context_, layer.norms[1], x, rows_,
           [&](const float* input) { feed_forward(context_, layer.feed_forward, input, rows_, x); });
}

void Encoder::keep_output(size_t layer) {
  float* kept = outputs_[layer].room(rows_ * weights_.options.d_model);
  if (weights_.encoder_norm.exists()) {
    normalise(context_, weights_.encoder_norm, x_.data(), rows_, kept);
  } else {
    std::copy_n(x_.data(), rows_ * weights_.options.d_model, kept);
  }
}

const float* Encoder::memory(size_t decoder_layer) {
  const auto layers = static_cast<float>(weights_.encoder.size());
  switch (weights_.options.cross_attention) {
    case CrossAttention::kLast: break;
    case CrossAttention::kMean:
      return decoder_layer > 0 ? mixed_.data() : mean(std::vector<float>(weights_.encoder.size(), 1 / layers));
    case CrossAttention::kWeighted: return mean(weights_.decoder[decoder_layer].mixture);
    case CrossAttention::kLayerwise:
      return outputs_[static_cast<size_t>(
                          architecture::attended_layer(weights_.options, static_cast<int64_t>(decoder_layer)))]
          .data();
  }
  return x_.data();
}

const float* Encoder::mean(std::span<const float> shares) {
  const int64_t count = rows_ * weights_.options.d_model;
  float* mixed = mixed_.room(count);
  std::fill_n(mixed, count, 0.0F);
  for (size_t layer = 0; layer < shares.size(); ++layer) {
    const float* output = outputs_[layer].data();
    for (int64_t i = 0; i < count; ++i) mixed[i] += shares[layer] * output[i];
  }
  return mixed;
}

}  // namespace ventris::layers
