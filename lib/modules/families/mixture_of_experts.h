#pragma once
#include <torch/torch.h>

#include "families/positionwise_feed_forward.h"
#include "nn/layer_options.h"
#include "nn/linear.h"
#include "nn/routed_block.h"

namespace ventris::families {

/// Several feed-forward parts, of which a router chooses one or two for each position. The result is the sum of their
/// outputs, each times its share: with one, the probability of the router, softmax(router(x)) (Fedus et al. 2021,
/// "Switch Transformers", section 2.1); with two, their probabilities divided by their sum (Lepikhin et al. 2021,
/// "GShard", section 2.2). An expert takes as many positions as choose it, so no position depends on others. Which of
/// equally probable experts is chosen is not defined.
class MixtureOfExpertsImpl : public torch::nn::Module, public nn::RoutedBlock {
 public:
  explicit MixtureOfExpertsImpl(const nn::TransformerOptions& options);
  /// x [batch, len, d_model] -> the same shape.
  torch::Tensor forward(const torch::Tensor& x);
  int64_t experts_per_token() const override { return experts_per_token_; }
  void pretty_print(std::ostream& out) const override;
  nn::Linear router{nullptr};              ///< [experts, d_model], without a bias; computed in f32
  torch::nn::ModuleList experts{nullptr};  ///< PositionwiseFeedForwards

 private:
  int64_t experts_per_token_;
};
TORCH_MODULE(MixtureOfExperts);

}  // namespace ventris::families
