#include "attention/score.h"

#include <cmath>
#include <stdexcept>

#include "attention/additive_score.h"
#include "nn/full_precision.h"

namespace ventris::attention {
namespace {

using torch::Tensor;

/// x [..., width] with vectors of length 1.
Tensor unit(const Tensor& x) {
  return x / at::linalg_vector_norm(x, 2, -1, /*keepdim=*/true).clamp_min(ScoreImpl::kSmallestNorm);
}

Tensor products(const Tensor& query, const Tensor& key) { return at::matmul(query, key.transpose(-2, -1)); }

}  // namespace

ScoreImpl::ScoreImpl(nn::AttentionScore kind, int64_t heads, int64_t width) : kind_(kind) {
  const double root = std::sqrt(static_cast<double>(width));
  switch (kind) {
    case nn::AttentionScore::kScaledDot: throw std::invalid_argument("Score: scaled_dot needs no module");
    case nn::AttentionScore::kCosine:
      log_scale = register_parameter("log_scale", torch::full({heads}, std::log(kFirstScale)));
      return;
    case nn::AttentionScore::kBilinear:
      weight = register_parameter("weight", (torch::eye(width) / root).repeat({heads, 1, 1}));
      return;
    case nn::AttentionScore::kAdditive:
      vector = register_parameter("vector", torch::empty({heads, width}).uniform_(-1 / root, 1 / root));
      return;
    case nn::AttentionScore::kDot:
    case nn::AttentionScore::kGaussian: return;
  }
}

Tensor ScoreImpl::forward(const Tensor& query, const Tensor& key) {
  const nn::WithoutAutocast plain;
  const Tensor q = nn::at_least_f32(query), k = nn::at_least_f32(key);
  switch (kind_) {
    case nn::AttentionScore::kCosine: {
      const Tensor scale = log_scale.clamp_max(std::log(kLargestScale)).exp().view({-1, 1, 1});  // [heads, 1, 1]
      return products(unit(q) * scale, unit(k));
    }
    case nn::AttentionScore::kBilinear: return products(at::matmul(q, weight), k);
    case nn::AttentionScore::kAdditive: return additive_scores(q, k, vector);
    case nn::AttentionScore::kGaussian: return products(q, k) - k.square().sum(-1).unsqueeze(-2) / 2;
    case nn::AttentionScore::kScaledDot:
    case nn::AttentionScore::kDot: break;
  }
  return products(q, k);
}

void ScoreImpl::pretty_print(std::ostream& out) const {
  out << "ventris::attention::Score(" << architecture::name_of(kind_) << ")";
}

}  // namespace ventris::attention
