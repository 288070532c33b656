#include "layers/packed_linear_attention.h"

#include <algorithm>
#include <utility>

#include "layers/widths.h"

namespace ventris::layers {
namespace {

using arithmetic::grown;
using arithmetic::kPanel;
using arithmetic::linear_sums_size;
using arithmetic::panels_of;

using architecture::TransformerOptions;

constexpr float kSmallestSum = 1e-6F;  // as in attention::LinearAttention

}  // namespace

decoding::MemoryNeeds LinearAttention::needs(const TransformerOptions& options) {
  const int64_t layers = options.encoder_layers, d_k = options.key_width(), width = options.value_width() + 1;
  const int64_t packed = panels_of(width) * kPanel;
  decoding::MemoryNeeds needs;
  needs.fixed = grown(kFloat * (layers * d_k * width + d_k * packed));  // sums
  needs.encoded_token = grown(kFloat * (layers * (d_k + width) + width + packed));
  return needs;
}

decoding::MemoryNeeds LinearSteps::needs(const TransformerOptions& options) {
  const int64_t size = options.heads * options.key_width() * (options.value_width() + 1);
  decoding::MemoryNeeds needs;
  needs.row = PrefixSums::bytes_of_row(options.decoder_layers, size);
  return needs;
}

void LinearAttention::sum_up(const float* keys, const float* values, int64_t len, float* packed) {
  const int64_t d_k = options_.key_width(), d_v = options_.value_width();
  const int64_t stride = 2 * key_size(options_) + value_size(options_);
  float* turned = keys_.room(d_k * len);
  float* with_one = values_.room(len * (d_v + 1));
  for (int64_t j = 0; j < len; ++j) {
    for (int64_t i = 0; i < d_k; ++i) turned[i * len + j] = keys[j * stride + i];
    std::copy_n(values + j * stride, d_v, with_one + j * (d_v + 1));
    with_one[j * (d_v + 1) + d_v] = 1;
  }
  float* rows = context_.work.packed.room(panels_of(d_v + 1) * kPanel * len);
  pack_rows(with_one, d_v + 1, len, d_v + 1, rows);
  float* sums = sums_.room(d_k * (d_v + 1));
  context_.kernels.product_f32({turned, len, d_k, rows, len, d_v + 1, sums, d_v + 1});
  pack_rows(sums, d_v + 1, d_k, d_v + 1, packed);
}

void LinearAttention::attend(float* projected, int64_t len, float* out) {
  const int64_t d_k = options_.key_width(), d_v = options_.value_width(), width = d_v + 1;
  const int64_t keys = key_size(options_), stride = 2 * keys + value_size(options_);
  context_.kernels.linear_features(projected, stride, len, 2 * keys);
  float* packed = context_.work.hidden.room(panels_of(width) * kPanel * d_k);
  float* means = context_.work.scores.room(len * width);
  for (int64_t head = 0; head < options_.heads; ++head) {
    sum_up(projected + keys + head * d_k, projected + 2 * keys + head * d_v, len, packed);
    context_.kernels.product_f32({projected + head * d_k, stride, len, packed, d_k, width, means, width});
    for (int64_t row = 0; row < len; ++row) {
      const float* sums = means + row * width;
      const float factor = 1.0F / std::max(sums[d_v], kSmallestSum);  // in this order, NaN stays
      float* to = out + row * options_.heads * d_v + head * d_v;
      for (int64_t i = 0; i < d_v; ++i) to[i] = sums[i] * factor;
    }
  }
}

void PrefixSums::clear() {
  free_.insert(free_.end(), rows_.begin(), rows_.end());
  rows_.clear();
}

size_t PrefixSums::new_place() {
  if (free_.empty()) {
    free_.push_back(pools_.front().size());
    for (auto& pool : pools_) pool.emplace_back().room(size_);
  }
  const size_t place = free_.back();
  free_.pop_back();
  return place;
}

void PrefixSums::add() {
  rows_.push_back(new_place());
  for (auto& pool : pools_) std::fill_n(pool[rows_.back()].data(), size_, 0.0F);
}

void PrefixSums::follow(std::span<const int32_t> parents) {
  taken_.assign(rows_.size(), 0);
  for (const int32_t parent : parents) taken_.at(static_cast<size_t>(parent)) = 1;
  for (size_t row = 0; row < rows_.size(); ++row) {
    if (taken_[row] == 0) free_.push_back(rows_[row]);
  }
  next_rows_.clear();
  for (const int32_t parent : parents) {
    const auto old = static_cast<size_t>(parent);
    size_t place = rows_[old];
    if (std::exchange(taken_[old], 0) == 0) {  // another row has it
      place = new_place();
      for (auto& pool : pools_) std::copy_n(pool[rows_[old]].data(), size_, pool[place].data());
    }
    next_rows_.push_back(place);
  }
  rows_.swap(next_rows_);
}

LinearSteps::LinearSteps(const Kernels& kernels, const TransformerOptions& options)
    : kernels_(kernels),
      options_(options),
      sums_(static_cast<size_t>(options.decoder_layers),
            linear_sums_size(options.heads, options.key_width(), options.value_width())) {}

void LinearSteps::attend(size_t layer, float* projected, int64_t rows, float* out) {
  const int64_t keys = key_size(options_), values = value_size(options_), stride = 2 * keys + values;
  kernels_.linear_features(projected, stride, rows, 2 * keys);
  for (int64_t row = 0; row < rows; ++row, projected += stride, out += values) {
    kernels_.linear_step({projected, projected + keys, projected + 2 * keys, options_.heads, options_.key_width(),
                          options_.value_width(), kSmallestSum, sums_.of(layer, static_cast<size_t>(row)), out});
  }
}

}  // namespace ventris::layers
