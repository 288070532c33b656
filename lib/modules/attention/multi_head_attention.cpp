#include "attention/multi_head_attention.h"

#include <ATen/autocast_mode.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "attention/fused_attention.h"
#include "attention/gpu_attention.h"
#include "attention/rotation.h"
#include "nn/attention_watch.h"
#include "nn/cpu_types.h"
#include "nn/full_precision.h"

namespace ventris::attention {

using torch::Tensor;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr size_t kValues = 2;  // their place in `linears`

}  // namespace

MultiHeadAttentionImpl::MultiHeadAttentionImpl(const MultiHeadAttentionOptions& settings) : options(settings) {
  check();
  linears = register_module("linears", torch::nn::ModuleList());
  const int64_t keys = options.heads() * options.key_width(), values = options.heads() * options.value_width();
  const auto add = [&](int64_t in, int64_t out) {
    linears->push_back(nn::Linear(torch::nn::LinearOptions(in, out).bias(options.bias())));
  };
  for (const int64_t width : {keys, keys, values}) add(options.d_model(), width);
  add(values, options.d_model());
  if (options.score() != nn::AttentionScore::kScaledDot) {
    score = register_module("score", Score(options.score(), options.heads(), options.key_width()));
  }
  dropout = register_module("dropout", nn::Dropout(options.dropout()));
  if (options.rotary_positions() == 0) return;
  rotation = register_buffer("rotation", rotations(options.rotary_positions(), options.key_width()));
}

void MultiHeadAttentionImpl::check() const {
  if (options.d_k() < 0 || options.d_v() < 0) {
    throw std::invalid_argument("MultiHeadAttention: d_k and d_v must be at least 0, got " +
                                std::to_string(options.d_k()) + " and " + std::to_string(options.d_v()));
  }
  const bool given = options.d_k() > 0 && options.d_v() > 0;
  if (options.heads() < 1 || (!given && options.d_model() % options.heads() != 0)) {
    throw std::invalid_argument("MultiHeadAttention: d_model (" + std::to_string(options.d_model()) +
                                ") must be a multiple of heads (" + std::to_string(options.heads()) + ")");
  }
  if (options.rotary_positions() == 0) return;
  if (options.score() != nn::AttentionScore::kScaledDot || options.key_width() % 2 != 0) {
    throw std::invalid_argument(
        "MultiHeadAttention: rotary positions need the score scaled_dot and an even width of a head, got " +
        architecture::name_of(options.score()) + " and " + std::to_string(options.key_width()));
  }
}

Tensor MultiHeadAttentionImpl::split_heads(const Tensor& x) const {
  return x.view({x.size(0), x.size(1), options.heads(), x.size(2) / options.heads()}).transpose(1, 2);
}

/// Whether cpu_attention() can compute it.
bool MultiHeadAttentionImpl::is_fused() const {
  return score.is_empty() && options.key_width() == options.value_width() && !options.biased();
}

/// A matrix product of what other code does in one step: not in bf16, whose products need few different shapes. (Under
/// autocast, a fused block comes here only while it is watched.)
Tensor MultiHeadAttentionImpl::product(const Tensor& a, const Tensor& b) const {
  const bool plain = is_fused() && !at::autocast::is_autocast_enabled(a.device().type());
  return plain ? at::matmul(a, b) : nn::full_matmul(a, b);
}

/// x [batch, len, ...], whose first columns are queries or keys of the positions 0, 1, 2 and so on.
Tensor MultiHeadAttentionImpl::rotated(const Tensor& x, int64_t columns) const {
  return rotation.defined() ? rotate(x, rotation.narrow(0, 0, x.size(1)), columns) : x;
}

Tensor MultiHeadAttentionImpl::project(size_t which, const Tensor& x) {
  const Tensor projected = linears->ptr<nn::LinearImpl>(which)->forward(x);
  return split_heads(which == kValues ? projected : rotated(projected, projected.size(2)));
}

Tensor MultiHeadAttentionImpl::project_at(size_t which, const Tensor& x, const Tensor& positions) {
  const Tensor projected = linears->ptr<nn::LinearImpl>(which)->forward(x);
  if (which == kValues || !rotation.defined()) return projected;
  return rotate(projected, rotation.index_select(0, positions), projected.size(1));
}

/// query [batch, heads, q_len, key_width], key [batch, heads, k_len, key_width] -> [batch, heads, q_len, k_len].
Tensor MultiHeadAttentionImpl::weights_of(const Tensor& query, const Tensor& key, const Tensor& mask,
                                          const Tensor& bias) {
  const Tensor scores = score.is_empty()
                            ? product(query / std::sqrt(static_cast<double>(query.size(-1))), key.transpose(-2, -1))
                            : score->forward(query, key);
  return softmax_of_visible(bias.defined() ? scores + bias : scores, mask);
}

Tensor MultiHeadAttentionImpl::softmax_of_visible(const Tensor& scores, const Tensor& mask) {
  if (!mask.defined()) return scores.softmax(-1);
  TORCH_CHECK(mask.dim() == 3, "attention: expected a mask [batch, q_len, k_len], got ", mask.sizes());
  // A query with nowhere to look first sees everything, and its weights are set to zero afterwards: a row of -inf would
  // give NaN, also in the gradient. The mask is added instead of filled in, because adding works in place and needs no
  // backward pass.
  const Tensor visible = mask.unsqueeze(1);                               // [batch|1, 1, q_len|1, k_len]
  const Tensor blind = visible.any(-1, /*keepdim=*/true).logical_not_();  // [batch|1, 1, q_len|1, 1]
  const bool some_blind = !blind.is_cpu() || blind.any().item<bool>();    // asking an accelerator would have to wait
  const Tensor hidden = (some_blind ? visible.logical_or(blind) : visible).logical_not();
  const Tensor bias = at::zeros(hidden.sizes(), scores.options()).masked_fill_(hidden, -kInfinity);
  const Tensor weights = scores.add_(bias).softmax(-1);
  return some_blind ? weights.masked_fill(blind, 0) : weights;
}

/// weights [batch, heads, q_len, k_len], value [batch, heads, k_len, value_width] -> [batch, q_len, d_model].
Tensor MultiHeadAttentionImpl::mix(const Tensor& weights, const Tensor& value) {
  const Tensor mixed = product(dropout(weights), value).transpose(1, 2);  // [batch, q_len, heads, value_width]
  return linears->ptr<nn::LinearImpl>(3)->forward(mixed.reshape({mixed.size(0), mixed.size(1), -1}));
}

Tensor MultiHeadAttentionImpl::attend(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask,
                                      const Tensor& bias) {
  if (!is_fused() || !query.is_cuda()) return mix(weights_of(query, key, mask, bias), value);
  const Tensor mixed = gpu_attention(query, key, value, mask, is_training() ? options.dropout() : 0);
  return linears->ptr<nn::LinearImpl>(3)->forward(mixed);
}

Tensor MultiHeadAttentionImpl::project_merged(const Tensor& x, size_t first, size_t last) {
  if (first == last) return linears->ptr<nn::LinearImpl>(first)->forward(x);
  std::vector<Tensor> weights, biases;
  for (size_t i = first; i <= last; ++i) {
    weights.push_back(linears->ptr<nn::LinearImpl>(i)->weight);
    if (options.bias()) biases.push_back(linears->ptr<nn::LinearImpl>(i)->bias);
  }
  return nn::linear(x, at::cat(weights), options.bias() ? at::cat(biases) : Tensor());
}

Projections MultiHeadAttentionImpl::project_all(const Tensor& query, const Tensor& key, const Tensor& value) {
  const int64_t width = options.heads() * options.key_width();
  if (query.is_same(key) && key.is_same(value)) return {rotated(project_merged(query, 0, 2), 2 * width), {}, {}};
  const Tensor queries = rotated(project_merged(query, 0, 0), width);
  if (key.is_same(value)) return {queries, rotated(project_merged(key, 1, 2), width), {}};
  return {queries, rotated(project_merged(key, 1, 1), width), project_merged(value, 2, 2)};
}

Tensor MultiHeadAttentionImpl::attend_fused(const Projections& projections, const Tensor& mask) {
  const bool drops = is_training() && options.dropout() > 0;
  const Tensor mixed = cpu_attention(projections, options.heads(), mask, drops ? options.dropout() : 0,
                                     drops ? nn::draw_dropout_seed() : 0);
  return linears->ptr<nn::LinearImpl>(3)->forward(mixed);
}

Tensor MultiHeadAttentionImpl::attend_on_gpu(const Projections& projections, const Tensor& mask) {
  std::vector<Tensor> parts;  // queries, keys, values
  const int64_t width = options.heads() * options.key_width();
  for (const Tensor& merged : {projections.first, projections.second, projections.third}) {
    if (!merged.defined()) continue;
    for (const Tensor& part : merged.split(width, 2)) parts.push_back(split_heads(part));
  }
  return attend(parts.at(0), parts.at(1), parts.at(2), mask);
}

Tensor MultiHeadAttentionImpl::attend_merged(const Tensor& query, const Tensor& key_value, const Tensor& mask) {
  if (is_fused() && nn::has_cpu_kernels(query)) return attend_fused({query, key_value, {}}, mask);
  const int64_t keys = query.size(2);
  return attend(split_heads(query), split_heads(key_value.narrow(2, 0, keys)),
                split_heads(key_value.narrow(2, keys, key_value.size(2) - keys)), mask);
}

Tensor MultiHeadAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                       const Tensor& mask) {
  if (Tensor* kept = nn::AttentionWatch::place_for(*this)) {
    auto [mixed, weights] = forward_with_weights(query, key, value, mask);
    *kept = std::move(weights);
    return mixed;
  }
  if (is_fused() && nn::has_cpu_kernels(query)) return attend_fused(project_all(query, key, value), mask);
  if (is_fused() && query.is_cuda()) return attend_on_gpu(project_all(query, key, value), mask);
  return attend(project(0, query), project(1, key), project(2, value), mask);
}

Tensor MultiHeadAttentionImpl::attend_to_self(const Tensor& x, const Tensor& mask, const Tensor& bias) {
  if (!bias.defined()) return forward(x, x, x, mask);
  const Tensor weights = weights_of(project(0, x), project(1, x), mask, bias);
  if (Tensor* kept = nn::AttentionWatch::place_for(*this)) *kept = weights;
  return mix(weights, project(2, x));
}

std::pair<Tensor, Tensor> MultiHeadAttentionImpl::forward_with_weights(const Tensor& query, const Tensor& key,
                                                                       const Tensor& value, const Tensor& mask) {
  const Tensor weights = weights_of(project(0, query), project(1, key), mask);
  return {mix(weights, project(2, value)), weights};
}

void MultiHeadAttentionImpl::pretty_print(std::ostream& out) const {
  out << "ventris::attention::MultiHeadAttention(d_model=" << options.d_model() << ", heads=" << options.heads()
      << ", dropout=" << options.dropout();
  if (options.d_k() > 0) out << ", d_k=" << options.d_k();
  if (options.d_v() > 0) out << ", d_v=" << options.d_v();
  if (!options.bias()) out << ", bias=false";
  if (!score.is_empty()) out << ", score=" << architecture::name_of(options.score());
  if (options.biased()) out << ", biased";
  if (rotation.defined()) out << ", rotary_positions=" << options.rotary_positions();
  out << ")";
}

}  // namespace ventris::attention
