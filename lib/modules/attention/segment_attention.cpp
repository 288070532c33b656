#include "attention/segment_attention.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "attention/visible_positions.h"
#include "nn/embeddings.h"
#include "nn/full_precision.h"
#include "nn/masks.h"

namespace ventris::attention {
namespace {

using torch::Tensor;

/// A sequence in blocks [memory | segment]. A short sequence has one, which is no longer than the sequence.
struct Blocks {
  Blocks(const Segments& segments, int64_t its_len)
      : len(its_len),
        size(std::min(segments.size, len)),
        count((len + size - 1) / size),
        memory(std::min(segments.memory, (count - 1) * size)) {}

  int64_t earlier() const { return (count - 1) * size; }  ///< positions that are in the memory of a later one
  int64_t keys() const { return memory + size; }

  int64_t len, size, count, memory;
};

/// x [batch, len, width] -> [batch, count, size, width]: the segments, the last one with zeros at its end.
Tensor in_segments(const Tensor& x, const Blocks& blocks) {
  return at::constant_pad_nd(x, {0, 0, 0, blocks.count * blocks.size - blocks.len})
      .unflatten(1, {blocks.count, blocks.size});
}

/// own [batch, len, width], earlier [batch, blocks.earlier(), width] -> [batch, count, keys, width]: for each block its
/// memory, which is a part of `earlier`, and its segment, which is a part of `own`; zeros where there are no positions.
Tensor in_blocks(const Tensor& own, const Tensor& earlier, const Blocks& blocks) {
  if (blocks.memory == 0) return in_segments(own, blocks);
  const Tensor memories = at::constant_pad_nd(earlier, {0, 0, blocks.memory, 0})
                              .unfold(1, blocks.memory, blocks.size)  // [batch, count, width, memory]
                              .transpose(2, 3);
  return at::cat({memories, in_segments(own, blocks)}, 2);
}

/// visible [batch|1, len] bool -> [batch|1, count, 1 or (causal) size, keys] bool: what the queries of a block see.
Tensor mask_in_blocks(const Tensor& visible, const Blocks& blocks, bool causal) {
  const Tensor marks = visible.unsqueeze(2);
  const Tensor seen = in_blocks(marks, marks.narrow(1, 0, blocks.earlier()), blocks).transpose(2, 3);
  if (!causal) return seen;
  const auto numbers = visible.options().dtype(torch::kLong);
  const Tensor keys = torch::arange(blocks.keys(), numbers) - blocks.memory;
  return seen.logical_and(keys.le(torch::arange(blocks.size, numbers).unsqueeze(1)));
}

/// weights [batch * count, heads, size, keys] of the blocks -> [batch, heads, len, len].
Tensor weights_of_blocks(const Tensor& weights, const Blocks& blocks) {
  const Tensor parts = weights.unflatten(0, {weights.size(0) / blocks.count, blocks.count});
  Tensor all = at::zeros({parts.size(0), parts.size(2), blocks.len, blocks.len}, weights.options());
  for (int64_t i = 0; i < blocks.count; ++i) {
    const int64_t start = i * blocks.size, first = std::max<int64_t>(0, start - blocks.memory);
    const int64_t rows = std::min(blocks.size, blocks.len - start), columns = start + rows - first;
    const Tensor part = parts.select(1, i).narrow(2, 0, rows);
    all.narrow(2, start, rows).narrow(3, first, columns).copy_(part.narrow(3, first - start + blocks.memory, columns));
  }
  return all;
}

}  // namespace

Tensor segment_mask(const Segments& segments, int64_t len, torch::Device device) {
  const Tensor places = torch::arange(len, torch::dtype(torch::kLong).device(device));
  const Tensor first = places.div(segments.size, "floor") * segments.size;  // of each position's segment
  Tensor seen = places.ge(first.unsqueeze(1) - segments.memory);
  seen = seen.logical_and(places.lt(first.unsqueeze(1) + segments.size)).unsqueeze(0);
  return segments.causal ? seen.logical_and(nn::subsequent_mask(len, device)) : seen;
}

SegmentAttentionImpl::SegmentAttentionImpl(const MultiHeadAttentionOptions& settings, const Segments& its_segments)
    : MultiHeadAttentionImpl(settings), segments(its_segments) {
  if (segments.size < 1 || segments.memory < 0) {
    throw std::invalid_argument("SegmentAttention: expected segments of at least 1 and a memory of at least 0, got " +
                                std::to_string(segments.size) + " and " + std::to_string(segments.memory));
  }
  if (options.score() != nn::AttentionScore::kScaledDot) {
    throw std::invalid_argument("SegmentAttention: expected the score scaled_dot, got " +
                                architecture::name_of(options.score()));
  }
  const int64_t width = options.heads() * options.key_width();
  r_net = register_module("r_net", nn::Linear(torch::nn::LinearOptions(options.d_model(), width).bias(false)));
  r_w_bias = register_parameter("r_w_bias", torch::zeros({width}));
  r_r_bias = register_parameter("r_r_bias", torch::zeros({width}));
}

/// query [groups, q_len, heads * key_width] and u or v -> their sum / sqrt(key_width), at least in f32.
Tensor SegmentAttentionImpl::scaled_query(const Tensor& query, const Tensor& bias) const {
  return (nn::at_least_f32(query) + bias) / std::sqrt(static_cast<double>(options.key_width()));
}

Tensor SegmentAttentionImpl::distance_keys(const Tensor& distances) {
  const Tensor keys = r_net(nn::sinusoids(distances.to(torch::kFloat), options.d_model()));  // [count, width]
  return keys.view({keys.size(0), options.heads(), options.key_width()}).permute({1, 2, 0});
}

/// query [groups, size, heads * key_width], key [groups, keys, heads * key_width] -> [groups, heads, size, keys].
Tensor SegmentAttentionImpl::scores(const Tensor& query, const Tensor& key) {
  const int64_t groups = query.size(0), size = query.size(1), keys = key.size(1), heads = options.heads();
  const Tensor of_content =
      nn::full_matmul(split_heads(scaled_query(query, r_w_bias)), split_heads(key).transpose(-2, -1));
  // Row a has the products of query a with the distances keys, keys - 1 and so on. That of key b stands in column
  // size - a + b, one column earlier than in the row before. So without the first `size` numbers, and cut into rows
  // that are one column shorter, the products of key b stand in column b. (A causal row then ends in numbers of the
  // next query. They are at later positions, which are hidden.)
  const int64_t columns = segments.causal ? keys : keys + size - 1;
  const Tensor distances = keys - torch::arange(columns + 1, query.options().dtype(torch::kLong));
  const Tensor queries =
      scaled_query(query, r_r_bias).view({groups * size, heads, options.key_width()}).transpose(0, 1);
  const Tensor of_distances = nn::full_matmul(queries, distance_keys(distances))  // [heads, groups * size, columns + 1]
                                  .view({heads, groups, size * (columns + 1)})
                                  .narrow(2, size, size * columns)
                                  .unflatten(2, {size, columns})
                                  .narrow(3, 0, keys)
                                  .transpose(0, 1);
  return of_content + of_distances;
}

/// weights [groups, heads, q_len, k_len], value [groups, heads, k_len, value_width] -> [groups, q_len, heads *
/// value_width].
Tensor SegmentAttentionImpl::mixture(const Tensor& weights, const Tensor& value) {
  return nn::full_matmul(dropout(weights), value).transpose(1, 2).flatten(2);
}

Tensor SegmentAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask) {
  TORCH_CHECK(query.is_same(key) && key.is_same(value),
              "segment attention: expected one tensor as query, key and value");
  const Tensor visible = visible_positions(mask, query, segments.causal, "segment");
  const int64_t batch = query.size(0), keys = options.heads() * options.key_width();
  const Blocks blocks(segments, query.size(1));
  const Tensor merged = project_merged(query, 0, 2);  // [batch, len, widths of queries, keys and values]
  const Tensor key_value = merged.narrow(2, keys, merged.size(2) - keys);
  // The weights of the projections learn from the memory, what is projected does not.
  const bool learns = at::GradMode::is_enabled() && blocks.memory > 0;
  const Tensor earlier = learns ? project_merged(query.narrow(1, 0, blocks.earlier()).detach(), 1, 2)
                                : key_value.narrow(1, 0, blocks.earlier());
  const Tensor queries = in_segments(merged.narrow(2, 0, keys), blocks).flatten(0, 1);
  const Tensor seen = in_blocks(key_value, earlier, blocks).flatten(0, 1);  // [batch * count, keys, width]
  const Tensor allowed = mask_in_blocks(visible, blocks, segments.causal).expand({batch, -1, -1, -1}).flatten(0, 1);
  const Tensor weights = softmax_of_visible(scores(queries, seen.narrow(2, 0, keys)), allowed);
  if (Tensor* kept = nn::AttentionWatch::place_for(*this)) *kept = weights_of_blocks(weights, blocks);
  const Tensor values = split_heads(seen.narrow(2, keys, seen.size(2) - keys));
  const Tensor mixed = mixture(weights, values).unflatten(0, {batch, blocks.count}).flatten(1, 2);
  return linears->ptr<nn::LinearImpl>(3)->forward(mixed.narrow(1, 0, blocks.len));
}

Tensor SegmentAttentionImpl::step(const Tensor& x, const Tensor& key, const Tensor& value, const Tensor& distances,
                                  const Tensor& of_distances, const Tensor& mask) {
  const Tensor query = linears->ptr<nn::LinearImpl>(0)->forward(x);  // [rows, 1, heads * key_width]
  const Tensor of_content =
      nn::full_matmul(split_heads(scaled_query(query, r_w_bias)), key.transpose(-2, -1));  // [rows, heads, 1, places]
  const Tensor queries = split_heads(scaled_query(query, r_r_bias)).squeeze(2).transpose(0, 1);
  const Tensor of_every =
      nn::full_matmul(queries, of_distances).transpose(0, 1).unsqueeze(2);  // [rows, heads, 1, count]
  const Tensor index = distances.unsqueeze(1).unsqueeze(1).expand_as(of_content);
  const Tensor weights = softmax_of_visible(of_content + of_every.gather(3, index), mask);
  return linears->ptr<nn::LinearImpl>(3)->forward(mixture(weights, value));
}

void SegmentAttentionImpl::pretty_print(std::ostream& out) const {
  MultiHeadAttentionImpl::pretty_print(out);
  out << " within segments of " << segments.size << " positions, with a memory of " << segments.memory;
}

}  // namespace ventris::attention
