#include "layers/decoder_layers.h"

#include "layers/layers.h"
#include "layers/widths.h"

namespace ventris::layers {
namespace {

using arithmetic::Update;

/// A decoder in one of its layers.
struct LayerRun {
  const Context& context;
  const DecoderLayer& weights;
  size_t number;
  DecoderRows& seen;
  float* x;
  int64_t rows;

  void attend_to_prefix(const float* input) const {
    const bool ssru = context.options.has_ssru();
    const int64_t width = ssru ? context.options.d_model : value_size(context.options);
    const Matrix& projection = ssru ? weights.ssru : weights.query_key_value;
    float* projected = context.work.projected.room(rows * projection.n());
    multiply(context, projection, input, rows, projected);
    float* out = context.work.context.room(rows * width);
    seen.attend(number, projected, rows, out);
    if (!ssru) return multiply(context, weights.output, out, rows, x, {.update = Update::kAdd});
    for (int64_t i = 0; i < rows * width; ++i) x[i] += out[i];
  }

  void attend_to_source(const float* input) const {
    const int64_t keys = key_size(context.options), values = value_size(context.options);
    float* queries = context.work.projected.room(rows * keys);
    multiply(context, weights.source_query, input, rows, queries);
    prepare_queries(context, weights.source_score, queries, keys, rows);
    float* out = context.work.context.room(rows * values);
    float* to = out;
    const std::span<const SourceRows> groups = seen.sources(number);
    for (size_t i = 0; i < groups.size(); ++i) {
      const SourceRows& group = groups[i];
      const PackedSequence next = i + 1 < groups.size() ? groups[i + 1].source : PackedSequence{nullptr, 0};
      attend(context, weights.source_score, {queries, keys, group.rows}, group.source, to, group.weights, next);
      queries += group.rows * keys;
      to += group.rows * values;
    }
    multiply(context, weights.source_output, out, rows, x, {.update = Update::kAdd});
  }

  void run() {
    sublayer(context, weights.norms[0], x, rows, [&](const float* input) { attend_to_prefix(input); });
    rows = seen.keep(number, x, rows);
    sublayer(context, weights.norms[1], x, rows, [&](const float* input) { attend_to_source(input); });
    sublayer(context, weights.norms[2], x, rows,
             [&](const float* input) { feed_forward(context, weights.feed_forward, input, rows, x); });
  }
};

}  // namespace

decoding::MemoryNeeds source_needs(const architecture::TransformerOptions& options) {
  const int64_t layers = options.decoder_layers;
  const PackedWidth width = packed_width(options);
  decoding::MemoryNeeds needs;
  needs.pads_sources = true;
  needs.sentence = arithmetic::grown(kFloat * layers * arithmetic::kPanel * width.keys) + 64 * layers + 256;
  needs.source_token = arithmetic::grown(kFloat * layers * width.both()) + kFloat;
  return needs;
}

void run_decoder(const Context& context, const TransformerWeights& weights, float* x, int64_t rows, DecoderRows& seen) {
  for (size_t i = 0; i < weights.decoder.size(); ++i) {
    LayerRun layer{context, weights.decoder[i], i, seen, x, rows};
    layer.run();
    rows = layer.rows;
  }
  if (weights.decoder_norm.exists()) normalise(context, weights.decoder_norm, x, rows, x);
}

float* project_sources(const Context& context, const DecoderLayer& layer, const float* memory, int64_t rows) {
  float* projected = context.work.projected.room(rows * layer.source_key_value.n());
  multiply(context, layer.source_key_value, memory, rows, projected);
  prepare_keys(context, layer.source_score, projected, layer.source_key_value.n(), rows);
  return projected;
}

}  // namespace ventris::layers
