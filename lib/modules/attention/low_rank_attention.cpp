#include "attention/low_rank_attention.h"

#include <stdexcept>
#include <string>

#include "nn/full_precision.h"

namespace ventris::attention {
namespace {

using torch::Tensor;

Tensor drawn(int64_t rows, int64_t columns) { return torch::nn::init::xavier_uniform_(torch::empty({rows, columns})); }

/// Mixes the positions of x [batch, len, width] with the first columns of `projection` -> [batch, size, width]. Not in
/// bf16, whose products need few different shapes.
Tensor mixtures(const Tensor& projection, const Tensor& x) {
  return nn::full_matmul(projection.narrow(1, 0, x.size(1)), x).to(x.scalar_type());
}

}  // namespace

LowRankAttentionImpl::LowRankAttentionImpl(const MultiHeadAttentionOptions& settings, int64_t size, int64_t max_len)
    : MultiHeadAttentionImpl(settings) {
  if (size < 1 || size > max_len) {
    throw std::invalid_argument("LowRankAttention: expected a size from 1 to " + std::to_string(max_len) + ", got " +
                                std::to_string(size));
  }
  key_projection = register_parameter("key_projection", drawn(size, max_len));
  value_projection = register_parameter("value_projection", drawn(size, max_len));
}

Tensor LowRankAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask) {
  TORCH_CHECK(query.is_same(key) && key.is_same(value),
              "low-rank attention: expected one tensor as query, key and value");
  TORCH_CHECK(!mask.defined() || (mask.dim() == 3 && mask.size(1) == 1),
              "low-rank attention: expected a mask [batch, 1, len], got ",
              mask.defined() ? mask.sizes() : at::IntArrayRef());
  const int64_t keys = options.heads() * options.key_width();
  Tensor key_value = project_merged(query, 1, 2);  // [batch, len, keys + values]
  if (mask.defined()) key_value = key_value.masked_fill(mask.logical_not().transpose(1, 2), 0);
  const Tensor mixed = at::cat({mixtures(key_projection, key_value.narrow(2, 0, keys)),
                                mixtures(value_projection, key_value.narrow(2, keys, key_value.size(2) - keys))},
                               2);  // [batch, size, keys + values]
  return attend_merged(project_merged(query, 0, 0), mixed, {});
}

void LowRankAttentionImpl::pretty_print(std::ostream& out) const {
  MultiHeadAttentionImpl::pretty_print(out);
  out << " to " << key_projection.size(0) << " mixtures of the positions";
}

}  // namespace ventris::attention
