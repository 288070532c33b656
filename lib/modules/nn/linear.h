#pragma once
#include <torch/torch.h>

namespace ventris::nn {

/// x [..., in] -> x weight^T + bias [..., out]; weight [out, in], bias [out] or undefined. Like at::linear. Where our
/// kernels compute it in bf16 under autocast, the gradients of weight and bias are summed in f32, and there is no
/// second derivative.
torch::Tensor linear(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias);

/// torch::nn::Linear whose weight can be shared with another module permanently (also under its registered name).
class LinearImpl : public torch::nn::LinearImpl {
 public:
  using torch::nn::LinearImpl::LinearImpl;
  /// x [..., in_features] -> [..., out_features].
  torch::Tensor forward(const torch::Tensor& x) { return linear(x, weight, bias); }
  /// Makes `shared` [out_features, in_features] this module's weight.
  void share_weight(const torch::Tensor& shared) { weight = parameters_["weight"] = shared; }
  /// Makes `shared` [out_features] this module's bias.
  void share_bias(const torch::Tensor& shared) { bias = parameters_["bias"] = shared; }
  void pretty_print(std::ostream& out) const override {
    out << "ventris::nn::Linear(in_features=" << weight.size(1) << ", out_features=" << weight.size(0) << ")";
  }
};
TORCH_MODULE(Linear);

/// A table of vectors: ids [...] (long) -> [..., width].
class EmbeddingImpl : public torch::nn::Module {
 public:
  EmbeddingImpl(int64_t vocab, int64_t width) { weight = register_parameter("weight", torch::randn({vocab, width})); }
  torch::Tensor forward(const torch::Tensor& ids) { return at::embedding(weight, ids); }
  /// Makes `shared` [vocab, width] this module's table.
  void share_weight(const torch::Tensor& shared) { weight = parameters_["weight"] = shared; }
  void pretty_print(std::ostream& out) const override {
    out << "ventris::nn::Embedding(vocab=" << weight.size(0) << ", width=" << weight.size(1) << ")";
  }
  torch::Tensor weight;
};
TORCH_MODULE(Embedding);

}  // namespace ventris::nn
