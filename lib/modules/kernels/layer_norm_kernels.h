#pragma once
#include <cstdint>

#include "kernels/element_kernels.h"

namespace ventris::kernels {

/// Rows to normalise, and the values that are kept for the gradient.
struct NormRows {
  const float* x;     ///< [rows, width]
  const float* gain;  ///< [width]
  int64_t rows = 0, width = 0;
  float* mean;     ///< [rows]
  float* inverse;  ///< [rows] 1 / sqrt(variance + epsilon)
};

/// Layer normalisation (Ba et al. 2016), forward and backward in one pass over memory each. T (float or BFloat16) is
/// the type of the result and of its gradient; arithmetic is in float.
template <typename T>
struct LayerNormKernels {
  /// out[i, j] = (x[i, j] - mean[i]) * inverse[i] * gain[j] + bias[j]. Writes mean and inverse.
  void (*forward)(const NormRows& rows, const float* bias, float epsilon, T* out);

  /// The gradients from `of_out` [rows, width]: writes of_x [rows, width], adds to of_gain and of_bias [width]. Reads
  /// mean and inverse. `residual` [rows, width], if not null, is added to of_x: the gradient that reaches x through the
  /// residual connection.
  void (*backward)(const NormRows& rows, const T* of_out, const float* residual, float* of_x, float* of_gain,
                   float* of_bias);
};

/// The kernels for this processor's instruction set. T is float or BFloat16.
template <typename T>
const LayerNormKernels<T>& layer_norm_kernels();

}  // namespace ventris::kernels
