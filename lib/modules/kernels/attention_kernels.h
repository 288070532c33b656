#pragma once
#include <cstdint>

#include "kernels/element_kernels.h"

namespace ventris::kernels {

/// The sizes of a batch of attention problems and the distances between rows. Queries, keys, values and results are
/// [batch, len, heads * d_head] with rows `..._stride` elements apart (so they may be slices of one merged projection).
struct AttentionShape {
  int64_t batch, heads, q_len, k_len, d_head;
  int64_t q_stride, k_stride, v_stride;
};

/// The mask, true = may look: allowed[b * batch_stride + i * row_stride + j]. With a stride of 0, all sentences or all
/// queries use the same values. null = may look everywhere.
struct AttentionMask {
  const bool* allowed = nullptr;
  int64_t batch_stride = 0, row_stride = 0;
};

/// What attention is computed of; q, k and v as AttentionShape says.
template <typename T>
struct AttentionInputs {
  AttentionShape shape;
  const T *q, *k, *v;
  AttentionMask mask;
  DropDraw draw;
};

/// Where the gradients of q, k and v go, laid out as they are.
template <typename T>
struct AttentionGradients {
  T *q, *k, *v;
};

/// Scaled dot-product attention (Vaswani et al. 2017, section 3.2.1) over several heads, with dropout of the weights:
/// weight (i, j) of head h in sentence b is element ((b * heads + h) * q_len + i) * k_len + j of the draw. A query with
/// nowhere to look gives zeros. A call computes the problems [first, last) of batch * heads, so threads can share a
/// batch.
template <typename T>
struct AttentionKernels {
  /// out [batch, q_len, heads * d_head], dense; log_sums [batch, heads, q_len] for the backward pass (null = omit).
  void (*forward)(const AttentionInputs<T>& inputs, int64_t first, int64_t last, T* out, float* log_sums);

  /// `log_sums` is what the forward pass wrote; d_out has the layout of out.
  void (*backward)(const AttentionInputs<T>& inputs, int64_t first, int64_t last, const float* log_sums, const T* d_out,
                   const AttentionGradients<T>& gradients);
};

/// The kernels for this processor's instruction set. T is float or BFloat16.
template <typename T>
const AttentionKernels<T>& attention_kernels();

}  // namespace ventris::kernels
