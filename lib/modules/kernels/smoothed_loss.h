#pragma once
#include <cstdint>

#include "kernels/element_kernels.h"

namespace ventris::kernels {

/// Smaller logits count as this one in the loss of the tokens that are not the target, with which smoothing is
/// concerned. Imported models mark by such logits (-1e9) tokens that are never written; counted as they are, they would
/// be all of the loss. The gradient does not depend on it.
inline constexpr float kLeastCountedLogit = -1000;

/// The smoothed distribution of a target: `on_target` for the target, `elsewhere` for all other tokens except padding.
struct SmoothedTarget {
  float on_target, elsewhere;
  float constant;  ///< sum of p log p: the difference between divergence and cross-entropy
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
  const float* weights = nullptr;  ///< [rows] factors of each row's loss and gradient; null = 1
};

/// The label-smoothed loss of softmax(products + bias) and its gradient, row by row. The products are overwritten with
/// the gradient of the summed loss with respect to them, and its column sums are added to bias_gradient [vocab]. Rows
/// whose target is padding do not count. `row_memory` must have vocab floats.
template <typename T>
using SmoothedLossKernel = LossSums (*)(const LogitRows<T>& logits, const SmoothedTarget& target, float* bias_gradient,
                                        float* row_memory);

/// The same for two passes over the same targets: products [2 * rows, vocab] has the rows of the first pass, then those
/// of the second. Adds to the loss `weight` times the sum of (KL(p||q) + KL(q||p)) / 2 between the two rows of each
/// target (R-Drop, Wu et al. 2021, equation 2). `row_memory` must have 4 * vocab floats.
template <typename T>
using PairedLossKernel = LossSums (*)(const LogitRows<T>& logits, const SmoothedTarget& target, float weight,
                                      float* bias_gradient, float* row_memory);

/// The kernels for this processor's instruction set. T is float or BFloat16.
template <typename T>
SmoothedLossKernel<T> smoothed_loss_kernel();
template <typename T>
PairedLossKernel<T> paired_loss_kernel();

}  // namespace ventris::kernels
