#pragma once
#include <cstdint>

#include "kernels/element_kernels.h"

namespace ventris::kernels {

/// Rows of a generator's output: `products` [rows, vocab] are logits without their bias [vocab].
template <typename T>
struct ProductRows {
  T* products;
  const float* bias;
  int64_t rows, vocab;
};

/// What a softmax should be at some columns: in row i, the probability `shares[i * count + j]` at column columns[j]. A
/// column may occur several times; then its shares add up.
struct SymbolShares {
  const int64_t* columns;
  int64_t count;
  const float* shares;  ///< [rows, count]
};

/// Operations on the softmax over each row of products + bias. `row_memory` must have vocab floats. T is float or
/// BFloat16.
template <typename T>
struct SoftmaxRowsKernels {
  /// log_sums[i] = the log of the sum of the exponentials of row i; NaN if there is a NaN.
  void (*log_sums)(const ProductRows<T>& in, float* row_memory, float* log_sums);

  /// largest[i] = the first column with the largest element of row i; some column if there is a NaN.
  void (*largest)(const ProductRows<T>& in, float* row_memory, int64_t* largest);

  /// The gradient of weight * (cross-entropy between shares that add up to 1 and the softmax): overwrites the products
  /// with weight * (softmax - shares), and adds the column sums to bias_gradient [vocab].
  void (*gradient)(const ProductRows<T>& in, const float* log_sums, const SymbolShares& shares, float weight,
                   float* row_memory, float* bias_gradient);
};

/// The kernels for this processor's instruction set.
template <typename T>
const SoftmaxRowsKernels<T>& softmax_rows_kernels();

}  // namespace ventris::kernels
