#pragma once
#include <cstdint>

#include "kernels/elements.h"

namespace ventris::kernels {

/// The smoothed distribution of a target: `on_target` for it, `elsewhere` for every other token but padding.
struct SmoothedTarget {
  float on_target, elsewhere;
  float constant;  ///< sum of p log p: what the divergence has over the cross-entropy
  int32_t pad;
};

/// Sums over rows.
struct LossSums {
  double loss = 0;  ///< Kullback-Leibler divergence from the smoothed targets, nats
  double nll = 0;   ///< plain negative log-likelihood, nats
};

/// Rows of a generator's output: `products` [rows, vocab] are logits without their bias [vocab].
template <typename T>
struct LogitRows {
  T* products;
  const float* bias;
  int64_t rows, vocab;
  const int64_t* targets;          ///< [rows]
  const float* weights = nullptr;  ///< [rows] what each row's loss and gradient are multiplied by; null = 1
};

/// The label-smoothed loss of softmax(products + bias) and its gradient, row by row. The products become the gradient
/// of the loss's sum with respect to them; bias_gradient [vocab] gets the gradient's column sums added; rows whose
/// target is padding count nothing. `row_memory` holds vocab floats.
template <typename T>
using SmoothedLossKernel = LossSums (*)(const LogitRows<T>& logits, const SmoothedTarget& target, float* bias_gradient,
                                        float* row_memory);

/// The same for two passes over the same targets, products [2 * rows, vocab] with the second pass's rows behind the
/// first's, and `weight` times the sum of (KL(p||q) + KL(q||p)) / 2 between the two rows of each target added to the
/// loss (R-Drop, Wu et al. 2021, equation 2). `row_memory` holds 4 * vocab floats.
template <typename T>
using PairedLossKernel = LossSums (*)(const LogitRows<T>& logits, const SmoothedTarget& target, float weight,
                                      float* bias_gradient, float* row_memory);

/// The kernels for this processor's instruction set. T is float or BFloat16.
template <typename T>
SmoothedLossKernel<T> smoothed_loss_kernel();
template <typename T>
PairedLossKernel<T> paired_loss_kernel();

}  // namespace ventris::kernels
