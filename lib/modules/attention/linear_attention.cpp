#include "attention/linear_attention.h"

#include <stdexcept>

#include "nn/full_precision.h"

namespace ventris::attention {
namespace {

using torch::Tensor;

constexpr int64_t kChunk = 64;  // positions whose weights are computed together; the sums of all before are kept

/// x [batch, heads, len, width] -> [batch, heads, chunks, kChunk, width], padded with zeros.
Tensor chunks_of(const Tensor& x) {
  const int64_t chunks = (x.size(2) + kChunk - 1) / kChunk;
  return at::constant_pad_nd(x, {0, 0, 0, chunks * kChunk - x.size(2)}).unflatten(2, {chunks, kChunk});
}

/// For each position i, the sum over all j <= i of (query[i] · key[j]) value[j]: query, key [batch, heads, len, width],
/// value [batch, heads, len, value_width] -> [batch, heads, len, value_width].
Tensor causal_sums(const Tensor& query, const Tensor& key, const Tensor& value) {
  const Tensor q = chunks_of(query), k = chunks_of(key), v = chunks_of(value);
  const Tensor products = at::matmul(k.transpose(-2, -1), v);  // [batch, heads, chunks, width, value_width]
  const int64_t chunks = products.size(2);
  const Tensor before =
      at::cat({at::zeros_like(products.narrow(2, 0, 1)), products.narrow(2, 0, chunks - 1)}, 2).cumsum(2);
  const Tensor inside = at::matmul(q, k.transpose(-2, -1)).tril();  // [batch, heads, chunks, kChunk, kChunk]
  return (at::matmul(inside, v) + at::matmul(q, before)).flatten(2, 3).narrow(2, 0, query.size(2));
}

}  // namespace

LinearAttentionImpl::LinearAttentionImpl(const MultiHeadAttentionOptions& settings, bool causal)
    : MultiHeadAttentionImpl(settings), causal_(causal) {
  if (options.score() != nn::AttentionScore::kScaledDot) {
    throw std::invalid_argument("LinearAttention: expected the score scaled_dot, got " +
                                architecture::name_of(options.score()));
  }
}

/// f of queries (`which` = 0) or keys (1): [batch, heads, len, key_width].
Tensor LinearAttentionImpl::features(size_t which, const Tensor& x) {
  return at::elu(nn::at_least_f32(project(which, x))) + 1;
}

/// Values followed by a 1, so that the sum of the weights is computed with that of the values: [batch, heads, len,
/// value_width + 1].
Tensor LinearAttentionImpl::values(const Tensor& x) {
  return at::constant_pad_nd(nn::at_least_f32(project(2, x)), {0, 1}, 1);
}

/// sums [batch, heads, len, value_width + 1] -> [batch, len, d_model].
Tensor LinearAttentionImpl::finish(const Tensor& sums) {
  const int64_t width = options.value_width();
  const Tensor means = sums.narrow(3, 0, width) / sums.narrow(3, width, 1).clamp_min(kSmallestSum);
  return linears->ptr<nn::LinearImpl>(3)->forward(means.transpose(1, 2).flatten(2));
}

Tensor LinearAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask) {
  TORCH_CHECK(query.is_same(key) && key.is_same(value),
              "linear attention: expected one tensor as query, key and value");
  TORCH_CHECK(!mask.defined() || (mask.dim() == 3 && (causal_ || mask.size(1) == 1)),
              "linear attention: expected a mask [batch, 1, len] or, if causal, [batch, len, len], got ",
              mask.defined() ? mask.sizes() : at::IntArrayRef());
  const Tensor q = features(0, query), v = values(query);
  Tensor k = features(1, query), sums;
  if (mask.defined()) {
    k = k.masked_fill(mask.select(1, mask.size(1) - 1).logical_not().unsqueeze(1).unsqueeze(-1), 0);
  }
  {
    const nn::WithoutAutocast plain;
    sums = causal_ ? causal_sums(q, k, v) : at::matmul(q, at::matmul(k.transpose(-2, -1), v));
    if (Tensor* kept = nn::AttentionWatch::place_for(*this)) {
      const Tensor products = at::matmul(q, k.transpose(-2, -1)), seen = causal_ ? products.tril() : products;
      *kept = seen / seen.sum(-1, /*keepdim=*/true).clamp_min(kSmallestSum);
    }
  }
  return finish(sums);
}

Tensor LinearAttentionImpl::empty_sums(int64_t rows) const {
  return torch::zeros({rows, options.heads(), options.key_width(), options.value_width() + 1},
                      linears->ptr<nn::LinearImpl>(0)->weight.options().requires_grad(false));
}

Tensor LinearAttentionImpl::step(const Tensor& x, Tensor& sums) {
  const Tensor q = features(0, x), k = features(1, x), v = values(x);  // [rows, heads, 1, width]
  Tensor mixed;
  {
    const nn::WithoutAutocast plain;
    sums = sums + at::matmul(k.transpose(-2, -1), v);
    mixed = at::matmul(q, sums);
  }
  return finish(mixed);
}

void LinearAttentionImpl::pretty_print(std::ostream& out) const {
  MultiHeadAttentionImpl::pretty_print(out);
  out << " that is linear";
}

}  // namespace ventris::attention
