#include "nn/multi_head_attention.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace ventris::nn {

using torch::Tensor;

MultiHeadAttentionImpl::MultiHeadAttentionImpl(const MultiHeadAttentionOptions& settings) : options(settings) {
  if (options.heads() < 1 || options.d_model() % options.heads() != 0) {
    throw std::invalid_argument("MultiHeadAttention: d_model (" + std::to_string(options.d_model()) +
                                ") must be a multiple of heads (" + std::to_string(options.heads()) + ")");
  }
  linears = register_module("linears", torch::nn::ModuleList());
  for (int i = 0; i < 4; ++i) linears->push_back(Linear(options.d_model(), options.d_model()));
  dropout = register_module("dropout", Dropout(options.dropout()));
}

Tensor MultiHeadAttentionImpl::project(size_t which, const Tensor& x) {
  const int64_t d_head = options.d_model() / options.heads();
  const Tensor projected = linears->ptr<LinearImpl>(which)->forward(x);
  return projected.view({x.size(0), -1, options.heads(), d_head}).transpose(1, 2);  // [batch, heads, len, d_head]
}

/// query [batch, heads, q_len, d_head], key [batch, heads, k_len, d_head] -> [batch, heads, q_len, k_len].
Tensor MultiHeadAttentionImpl::weights_of(const Tensor& query, const Tensor& key, const Tensor& mask) const {
  const Tensor scores = torch::matmul(query / std::sqrt(static_cast<double>(query.size(-1))), key.transpose(-2, -1));
  if (!mask.defined()) return scores.softmax(-1);
  const Tensor hidden = mask.unsqueeze(1).logical_not();  // [batch|1, 1, q_len|1, k_len]
  const Tensor weights = scores.masked_fill(hidden, -std::numeric_limits<float>::infinity()).softmax(-1);
  const Tensor blind = hidden.all(-1, /*keepdim=*/true);  // queries with nowhere to look: softmax gave NaN
  if (blind.is_cpu() && !blind.any().item<bool>()) return weights;
  // Through a finite score instead, so that neither the result nor its gradient is NaN.
  const Tensor safe = scores.masked_fill(hidden.logical_and(blind.logical_not()), -std::numeric_limits<float>::infinity());
  return safe.softmax(-1).masked_fill(blind, 0);
}

/// weights [batch, heads, q_len, k_len], value [batch, heads, k_len, d_head] -> [batch, q_len, d_model].
Tensor MultiHeadAttentionImpl::mix(const Tensor& weights, const Tensor& value) {
  const Tensor mixed = torch::matmul(dropout(weights), value).transpose(1, 2);  // [batch, q_len, heads, d_head]
  return linears->ptr<LinearImpl>(3)->forward(mixed.reshape({mixed.size(0), -1, options.d_model()}));
}

Tensor MultiHeadAttentionImpl::attend(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask) {
  return mix(weights_of(query, key, mask), value);
}

Tensor MultiHeadAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask) {
  return attend(project(0, query), project(1, key), project(2, value), mask);
}

std::pair<Tensor, Tensor> MultiHeadAttentionImpl::forward_with_weights(const Tensor& query, const Tensor& key,
                                                                       const Tensor& value, const Tensor& mask) {
  const Tensor weights = weights_of(project(0, query), project(1, key), mask);
  return {mix(weights, project(2, value)), weights};
}

void MultiHeadAttentionImpl::pretty_print(std::ostream& out) const {
  out << "ventris::nn::MultiHeadAttention(d_model=" << options.d_model() << ", heads=" << options.heads()
      << ", dropout=" << options.dropout() << ")";
}

}  // namespace ventris::nn
