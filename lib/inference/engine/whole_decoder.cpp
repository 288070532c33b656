#include "engine/whole_decoder.h"

#include "layers/widths.h"

#include <algorithm>

namespace ventris::engine {
namespace {

using arithmetic::Update;

using layers::attend;
using layers::DecoderLayer;
using layers::feed_forward;
using layers::key_size;
using layers::make_encoder_attention;
using layers::normalise;
using layers::pack_keys_values;
using layers::packed_size;
using layers::prepare_keys;
using layers::prepare_queries;
using layers::sublayer;
using layers::value_size;

using architecture::TransformerOptions;
using nat::NatPass;
using nat::NatRow;

}  // namespace

WholeDecoder::WholeDecoder(const Kernels& kernels, const TransformerWeights& weights)
    : kernels_(kernels), weights_(weights), options_(weights.options), sources_(weights.decoder.size()) {
  options_.self_attention = architecture::SelfAttention::kFull;  // kLowRank is only for encoders
  for (const DecoderLayer& layer : weights.decoder) {
    self_attention_.push_back(make_encoder_attention(kernels, options_, layer.self_attention));
  }
}

void WholeDecoder::read(Encoder& encoder, std::span<const int64_t> lengths, Workspace& work) {
  const TransformerOptions& options = weights_.options;
  const int64_t keys = key_size(options), stride = keys + value_size(options);
  lengths_.assign(lengths.begin(), lengths.end());
  starts_.clear();
  int64_t size = 0;
  for (const int64_t length : lengths) {
    starts_.push_back(size);
    size += packed_size(options, length);
  }
  for (size_t layer = 0; layer < sources_.size(); ++layer) {
    float* projected = work.projected.room(encoder.rows() * stride);
    weights_.decoder[layer].source_key_value.multiply(kernels_, encoder.memory(layer), options.d_model, encoder.rows(),
                                                      projected, stride, work.inputs);
    prepare_keys(kernels_, options, weights_.decoder[layer].source_score, projected, stride, encoder.rows(), work);
    float* packed = sources_[layer].room(size);
    for (size_t i = 0; i < lengths_.size(); ++i, projected += lengths_[i - 1] * stride) {
      pack_keys_values(kernels_, options, projected, projected + keys, stride, lengths_[i], packed + starts_[i]);
    }
  }
}

const float* WholeDecoder::run(const NatPass& pass, Workspace& work) {
  const TransformerOptions& options = weights_.options;
  rows_.assign(pass.rows.begin(), pass.rows.end());
  positions_ = 0;
  for (const NatRow& row : rows_) positions_ += row.positions;
  float* x = x_.data();
  for (size_t i = 0; i < weights_.decoder.size(); ++i) {
    const DecoderLayer& layer = weights_.decoder[i];
    sublayer(kernels_, options, layer.norms[0], x, positions_, work,
             [&](const float* input) { self_attention(i, input, work); });
    if (i + 1 == weights_.decoder.size() && !pass.wanted.empty()) keep_wanted(pass);
    const bool watched = static_cast<int64_t>(i) == pass.watched_layer;
    sublayer(kernels_, options, layer.norms[1], x, positions_, work,
             [&](const float* input) { source_attention(i, input, watched, work); });
    sublayer(kernels_, options, layer.norms[2], x, positions_, work, [&](const float* input) {
      feed_forward(kernels_, options, layer.feed_forward, input, positions_, x, work);
    });
  }
  if (weights_.decoder_norm.exists()) {
    normalise(kernels_, options, weights_.decoder_norm, x, positions_, x);
  }
  return x;
}

/// Moves the wanted positions to the front of x_.
void WholeDecoder::keep_wanted(const NatPass& pass) {
  const int64_t width = weights_.options.d_model;
  const float* from = x_.data();
  float* to = x_.data();
  size_t place = 0;
  positions_ = 0;
  for (NatRow& row : rows_) {
    int64_t kept = 0;
    for (int64_t t = 0; t < row.positions; ++t, ++place, from += width) {
      if (pass.wanted[place] == 0) continue;
      if (to != from) std::copy_n(from, width, to);
      to += width;
      ++kept;
    }
    row.positions = kept;
    positions_ += kept;
  }
}

void WholeDecoder::self_attention(size_t layer, const float* input, Workspace& work) {
  const TransformerOptions& options = weights_.options;
  const DecoderLayer& weights = weights_.decoder[layer];
  EncoderAttention& attention = *self_attention_[layer];
  const int64_t keys = key_size(options), values = value_size(options), stride = 2 * keys + values;
  float* projected = work.projected.room(positions_ * stride);
  weights.query_key_value.multiply(kernels_, input, options.d_model, positions_, projected, stride, work.inputs);
  float* context = work.context.room(positions_ * values);
  for (const NatRow& row : rows_) {
    attention.attend(projected, row.positions, context, work);
    projected += row.positions * stride;
    context += row.positions * values;
  }
  weights.output.multiply(kernels_, work.context.data(), values, positions_, x_.data(), options.d_model, work.inputs,
                          {.update = Update::kAdd});
}

void WholeDecoder::source_attention(size_t layer, const float* input, bool watched, Workspace& work) {
  const TransformerOptions& options = weights_.options;
  const DecoderLayer& weights = weights_.decoder[layer];
  const int64_t keys = key_size(options), values = value_size(options);
  float* queries = work.projected.room(positions_ * keys);
  weights.source_query.multiply(kernels_, input, options.d_model, positions_, queries, keys, work.inputs);
  prepare_queries(kernels_, options, weights.source_score, queries, keys, positions_, work);
  int64_t size = 0;
  for (const NatRow& row : rows_) size += row.positions * options.heads * lengths_[row.sentence];
  float* kept = watched ? watched_.room(size) : nullptr;
  float* context = work.context.room(positions_ * values);
  for (const NatRow& row : rows_) {
    const int64_t length = lengths_[row.sentence];
    attend(kernels_, options, weights.source_score, queries, keys, row.positions,
           sources_[layer].data() + starts_[row.sentence], length, context, work, kept);
    queries += row.positions * keys;
    context += row.positions * values;
    if (watched) kept += row.positions * options.heads * length;
  }
  weights.source_output.multiply(kernels_, work.context.data(), values, positions_, x_.data(), options.d_model,
                                 work.inputs, {.update = Update::kAdd});
}

}  // namespace ventris::engine
