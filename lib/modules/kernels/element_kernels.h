#pragma once
#include <bit>
#include <cstdint>

#include "kernels/drop_draw.h"

namespace ventris::kernels {

/// The upper half of a float.
struct BFloat16 {
  uint16_t bits;
};

inline float as_float(float x) { return x; }
inline float as_float(BFloat16 x) { return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16); }

/// Elementwise operations of a training step, each in one pass over memory. T is float or BFloat16; arithmetic is in
/// float. factor(i) is the factor of the draw for element i: 0 or its scale. The result may replace the input, but
/// otherwise arrays may not overlap.
template <typename T>
struct ElementKernels {
  /// out[i] = x[i] * factor(first + i): dropout, and its gradient.
  void (*drop)(const T* x, T* out, int64_t first, int64_t count, const DropDraw& draw);

  /// out[i] = x[i] + y[i] * factor(first + i): a residual connection.
  void (*add_dropped)(const float* x, const T* y, float* out, int64_t first, int64_t count, const DropDraw& draw);

  /// out[i] = gradient[i] * factor(first + i): the gradient of add_dropped with respect to y.
  void (*add_dropped_gradient)(const float* gradient, T* out, int64_t first, int64_t count, const DropDraw& draw);

  /// out[i] = max(x[i], 0) * factor(first + i).
  void (*relu_dropped)(const T* x, T* out, int64_t first, int64_t count, const DropDraw& draw);

  /// out[i] = gradient[i] * scale where result[i], the result of relu_dropped with this scale, is not 0, else 0.
  void (*relu_dropped_gradient)(const T* gradient, const T* result, T* out, int64_t count, float scale);

  /// sum[i] += x[i].
  void (*accumulate)(const T* x, float* sum, int64_t count);

  /// sum[j] += x[i, j] over all rows i of x [rows, width]: the gradient of a bias.
  void (*add_rows)(const T* x, float* sum, int64_t rows, int64_t width);
};

/// The kernels for this processor's instruction set. T is float or BFloat16.
template <typename T>
const ElementKernels<T>& element_kernels();

}  // namespace ventris::kernels
