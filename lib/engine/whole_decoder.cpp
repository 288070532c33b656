#include "engine/whole_decoder.h"

namespace ventris::engine {
namespace {

using architecture::TransformerOptions;
using decoding::NatRow;

int64_t keys_of(const TransformerOptions& options) { return options.heads * options.key_width(); }
int64_t values_of(const TransformerOptions& options) { return options.heads * options.value_width(); }

}  // namespace

WholeDecoder::WholeDecoder(const Kernels& kernels, const TransformerWeights& weights)
    : kernels_(kernels), weights_(weights), sources_(weights.decoder.size()) {
  for (const DecoderLayer& layer : weights.decoder) {
    self_attention_.push_back(make_encoder_attention(kernels, weights.options, layer.self_attention));
  }
}

void WholeDecoder::read(Encoder& encoder, std::span<const int64_t> lengths, Workspace& work) {
  const TransformerOptions& options = weights_.options;
  const int64_t keys = keys_of(options), stride = keys + values_of(options);
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

const float* WholeDecoder::run(std::span<const NatRow> rows, int64_t watched_layer, Workspace& work) {
  const TransformerOptions& options = weights_.options;
  positions_ = 0;
  for (const NatRow& row : rows) positions_ += row.positions;
  float* x = x_.data();
  for (size_t i = 0; i < weights_.decoder.size(); ++i) {
    const DecoderLayer& layer = weights_.decoder[i];
    const bool watched = static_cast<int64_t>(i) == watched_layer;
    sublayer(kernels_, options, layer.norms[0], x, positions_, work,
             [&](const float* input) { self_attention(i, rows, input, work); });
    sublayer(kernels_, options, layer.norms[1], x, positions_, work,
             [&](const float* input) { source_attention(i, rows, input, watched, work); });
    sublayer(kernels_, options, layer.norms[2], x, positions_, work, [&](const float* input) {
      feed_forward(kernels_, options, layer.feed_forward, input, positions_, x, work);
    });
  }
  if (!weights_.decoder_norm.weight.empty()) {
    normalise(kernels_, options, weights_.decoder_norm, x, positions_, x);
  }
  return x;
}

void WholeDecoder::self_attention(size_t number, std::span<const NatRow> rows, const float* input, Workspace& work) {
  const TransformerOptions& options = weights_.options;
  const DecoderLayer& layer = weights_.decoder[number];
  EncoderAttention& attention = *self_attention_[number];
  const int64_t keys = keys_of(options), values = values_of(options), stride = 2 * keys + values;
  float* projected = work.projected.room(positions_ * stride);
  layer.query_key_value.multiply(kernels_, input, options.d_model, positions_, projected, stride, work.inputs);
  float* context = work.context.room(positions_ * values);
  for (const NatRow& row : rows) {
    attention.attend(projected, row.positions, context, work);
    projected += row.positions * stride;
    context += row.positions * values;
  }
  layer.output.multiply(kernels_, work.context.data(), values, positions_, x_.data(), options.d_model, work.inputs,
                        {.add = true});
}

void WholeDecoder::source_attention(size_t layer, std::span<const NatRow> rows, const float* input, bool watched,
                                    Workspace& work) {
  const TransformerOptions& options = weights_.options;
  const DecoderLayer& weights = weights_.decoder[layer];
  const int64_t keys = keys_of(options), values = values_of(options);
  float* queries = work.projected.room(positions_ * keys);
  weights.source_query.multiply(kernels_, input, options.d_model, positions_, queries, keys, work.inputs);
  prepare_queries(kernels_, options, weights.source_score, queries, keys, positions_, work);
  int64_t size = 0;
  for (const NatRow& row : rows) size += row.positions * options.heads * lengths_[row.sentence];
  float* kept = watched ? watched_.room(size) : nullptr;
  float* context = work.context.room(positions_ * values);
  for (const NatRow& row : rows) {
    const int64_t length = lengths_[row.sentence];
    attend(kernels_, options, weights.source_score, queries, keys, row.positions,
           sources_[layer].data() + starts_[row.sentence], length, context, work, kept);
    queries += row.positions * keys;
    context += row.positions * values;
    if (watched) kept += row.positions * options.heads * length;
  }
  weights.source_output.multiply(kernels_, work.context.data(), values, positions_, x_.data(), options.d_model,
                                 work.inputs, {.add = true});
}

}  // namespace ventris::engine
