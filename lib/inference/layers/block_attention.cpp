#include "layers/block_attention.h"

#include <algorithm>

#include "layers/widths.h"

namespace ventris::layers {
namespace {

using arithmetic::grown;
using arithmetic::Update;

using architecture::TransformerOptions;

constexpr int64_t kFewestQueries = 12, kMostQueries = 48;  // of a block in a window

int64_t stride_of(const TransformerOptions& options) {
  return 2 * key_size(options) + options.heads * options.value_width();
}
int64_t whole_panels(int64_t position) { return position / kPanel * kPanel; }

/// out [rows, d_v] = weights [rows, keys] times the values of the block in a head, or is increased by it.
void mix(const Context& context, const QueryBlock& block, const PackedHead& head, const float* weights, int64_t ldw,
         float* out, bool add) {
  const TransformerOptions& options = context.options;
  context.kernels.product_f32({weights,
                               ldw,
                               block.rows,
                               head.values + block.first * kPanel,
                               block.keys(),
                               options.value_width(),
                               out,
                               options.heads * options.value_width(),
                               {.update = add ? Update::kAdd : Update::kReplace},
                               block.len * kPanel});
}

}  // namespace

decoding::MemoryNeeds WindowAttention::needs(const TransformerOptions& options) {
  const int64_t seen = options.global_positions + 2 * options.window + kMostQueries + kPanel;
  decoding::MemoryNeeds needs;
  needs.fixed = grown(kFloat * kMostQueries * seen);  // scores
  return needs;
}

void WindowAttention::attend(float* projected, int64_t len, float* out) {
  const int64_t keys = key_size(options_), stride = stride_of(options_), window = options_.window;
  prepare_queries(context_, score_, projected, stride, len);
  prepare_keys(context_, score_, projected + keys, stride, len);
  float* packed = context_.work.packed.room(packed_size(options_, len));
  pack_keys_values(context_, projected + keys, projected + 2 * keys, stride, len, packed);
  const int64_t seeing_all = len <= window + 1 ? len : std::min(options_.global_positions, len);
  if (seeing_all > 0) {
    layers::attend(context_, score_, {projected, stride, seeing_all}, {packed, len}, out);
  }
  const int64_t size = std::clamp(window, kFewestQueries, kMostQueries);
  for (int64_t query = seeing_all; query < len; query += size) {
    const int64_t rows = std::min(size, len - query), end = std::min(len, query + rows + window);
    attend_block({len, query, rows, whole_panels(std::max(seeing_all, query - window)), end}, projected, packed, out);
  }
}

void WindowAttention::attend_block(const QueryBlock& block, const float* queries, const float* packed,
                                   float* out) const {
  const int64_t d_k = options_.key_width(), d_v = options_.value_width(), stride = stride_of(options_);
  const int64_t globals = options_.global_positions, width = globals + block.keys();
  const QueryBlock to_globals{block.len, block.query, block.rows, 0, globals};
  queries += block.query * stride;
  out += block.query * options_.heads * d_v;
  float* scores = context_.work.scores.room(block.rows * width);
  for (int64_t head = 0; head < options_.heads; ++head, queries += d_k, out += d_v) {
    const PackedHead seen = packed_head(options_, {packed, block.len}, head);
    const auto multiply = [&](const QueryBlock& part, float* to) {
      multiply_scores(context_.kernels, score_, head,
                      {queries, stride, part.rows, seen.keys + part.first * d_k, d_k, part.keys(), to, width},
                      seen.terms == nullptr ? nullptr : seen.terms + part.first);
    };
    if (globals > 0) multiply(to_globals, scores);
    multiply(block, scores + globals);
    make_weights(block, scores);
    if (globals > 0) mix(context_, to_globals, seen, scores, width, out, /*add=*/false);
    mix(context_, block, seen, scores + globals, width, out, /*add=*/globals > 0);
  }
}

/// The weights of what each query sees in `scores` [rows, globals + keys]; those of all other positions are 0.
void WindowAttention::make_weights(const QueryBlock& block, float* scores) const {
  const int64_t globals = options_.global_positions, width = globals + block.keys();
  for (int64_t i = block.query; i < block.query + block.rows; ++i, scores += width) {
    const int64_t first = std::max(globals, i - options_.window), end = std::min(block.len, i + options_.window + 1);
    float* local = scores + first - block.first;  // for the softmax, the global positions stand before the window
    std::copy_backward(scores, scores + globals, local + globals);
    context_.kernels.softmax(local, width, 1, globals + end - first);
    std::copy(local, local + globals, scores);
    std::fill(scores + globals, local + globals, 0.0F);
    std::fill(local + globals + end - first, scores + width, 0.0F);
  }
}

decoding::MemoryNeeds SegmentAttention::needs(const TransformerOptions& options) {
  const int64_t layers = options.encoder_layers, keys = key_size(options);
  const int64_t distances = DistanceKeys::most_of_encoder(options);
  decoding::MemoryNeeds needs;
  needs.fixed = layers * DistanceKeys::bytes(options, distances) +
                kFloat * distances * (options.d_model + keys);  // while they are computed
  needs.encoded_token = grown(kFloat * (layers * (keys + distances) + kPanel));
  return needs;
}

void SegmentAttention::attend(float* projected, int64_t len, float* out) {
  const int64_t keys = key_size(options_), stride = stride_of(options_), segment = options_.segment;
  distances_.reserve(std::min(len, segment + options_.segment_memory) - 1, 1 - std::min(len, segment));
  float* of_distances = distance_queries_.room(len * keys);
  for (int64_t i = 0; i < len; ++i) {
    add_biases(weights_, keys, projected + i * stride, of_distances + i * keys);
  }
  float* packed = context_.work.packed.room(packed_size(options_, len));
  pack_keys_values(context_, projected + keys, projected + 2 * keys, stride, len, packed);
  for (int64_t query = 0; query < len; query += segment) {
    const int64_t end = std::min(len, query + segment);
    const int64_t first = whole_panels(std::max<int64_t>(0, query - options_.segment_memory));
    attend_block({len, query, end - query, first, end}, projected, packed, out);
  }
}

void SegmentAttention::attend_block(const QueryBlock& block, const float* queries, const float* packed, float* out) {
  const int64_t d_k = options_.key_width(), d_v = options_.value_width(), stride = stride_of(options_);
  const int64_t visible = std::max<int64_t>(0, block.query - options_.segment_memory), hidden = visible - block.first;
  queries += block.query * stride;
  out += block.query * options_.heads * d_v;
  float* scores = context_.work.scores.room(block.rows * block.keys());
  for (int64_t head = 0; head < options_.heads; ++head, queries += d_k, out += d_v) {
    const PackedHead seen = packed_head(options_, {packed, block.len}, head);
    distance_scores(block, head, visible, scores);
    context_.kernels.product_f32({queries,
                                  stride,
                                  block.rows,
                                  seen.keys + block.first * d_k,
                                  d_k,
                                  block.keys(),
                                  scores,
                                  block.keys(),
                                  {.update = Update::kAdd}});
    context_.kernels.softmax(scores + hidden, block.keys(), block.rows, block.keys() - hidden);
    for (int64_t row = 0; row < block.rows; ++row) std::fill_n(scores + row * block.keys(), hidden, 0.0F);
    mix(context_, block, seen, scores, block.keys(), out, /*add=*/false);
  }
}

void SegmentAttention::distance_scores(const QueryBlock& block, int64_t head, int64_t visible, float* scores) {
  const int64_t d_k = options_.key_width(), keys = key_size(options_);
  const int64_t largest = block.query + block.rows - 1 - visible, smallest = block.query - block.end + 1;
  const int64_t width = DistanceKeys::most_columns(largest - smallest + 1);
  float* products = products_.room(block.rows * width);
  const int64_t skipped = distances_.multiply(head, distance_queries_.data() + block.query * keys + head * d_k, keys,
                                              block.rows, largest, smallest, products, width);
  for (int64_t row = 0; row < block.rows; ++row, scores += block.keys(), products += width) {
    const int64_t column = skipped + block.rows - 1 - row;  // of its distance to the first key that it sees
    std::fill_n(scores, visible - block.first, 0.0F);
    std::copy_n(products + column, block.end - visible, scores + visible - block.first);
  }
}

}  // namespace ventris::layers
