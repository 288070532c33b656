#pragma once
#include <torch/torch.h>

#include <utility>

#include "kernels/drop_draw.h"
#include "kernels/smoothed_loss.h"

/// Operations of a training step on a GPU with their gradients, in few passes over memory. All tensors are on a GPU,
/// for which has_kernels() holds; "float" below is f32 or bf16. None has a second derivative.
namespace ventris::gpu {

/// x (float) with the elements that the draw drops set to zero, the others scaled. The mask is not stored.
torch::Tensor drop(const torch::Tensor& x, const kernels::DropDraw& draw);

/// x (f32) + drop(y), where y (float) has the shape of x.
torch::Tensor add_dropped(const torch::Tensor& x, const torch::Tensor& y, const kernels::DropDraw& draw);

/// drop(relu(x)), x (float).
torch::Tensor relu_dropped(const torch::Tensor& x, const kernels::DropDraw& draw);

/// x (f32) [..., width] and its layer norm with gain and bias (f32) [width], in `type` (float). The gradients of both
/// are added in one pass.
std::pair<torch::Tensor, torch::Tensor> norm_branch(const torch::Tensor& x, const torch::Tensor& gain,
                                                    const torch::Tensor& bias, double epsilon, torch::ScalarType type);

/// x (float) [..., in] times weight^T plus bias in bf16; weight [out, in] and bias [out] (or undefined) in f32. The
/// gradients of weight and bias are summed in f32.
torch::Tensor bf16_linear(const torch::Tensor& x, const torch::Tensor& weight, const torch::Tensor& bias);

/// The sums over tokens of nn::label_smoothed_loss() and of the plain negative log-likelihood, which has no gradient:
/// logits (float) [tokens, vocab], targets [tokens] (long) in [0, vocab), which is not checked; weights [tokens] (f32)
/// or undefined.
std::pair<torch::Tensor, torch::Tensor> smoothed_loss(const torch::Tensor& logits, const torch::Tensor& targets,
                                                      const torch::Tensor& weights,
                                                      const kernels::SmoothedTarget& target);

}  // namespace ventris::gpu
