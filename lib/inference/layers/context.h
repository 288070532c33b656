#pragma once
#include "architecture/transformer_options.h"
#include "arithmetic/matrix.h"
#include "layers/workspace.h"

namespace ventris::layers {

using arithmetic::Epilogue;
using arithmetic::Kernels;
using arithmetic::Matrix;

/// What the blocks of a model compute with, in one thread. It only refers to these three, which must outlive it.
struct Context {
  const Kernels& kernels;
  const architecture::TransformerOptions& options;
  Workspace& work;
};

/// out [rows, matrix.n()] = x [rows, matrix.k()] times a matrix, whose bias is added.
inline void multiply(const Context& context, const Matrix& matrix, const float* x, int64_t rows, float* out,
                     const Epilogue& epilogue = {}) {
  matrix.multiply(context.kernels, {x, matrix.k(), rows}, {out, matrix.n()}, context.work.inputs, epilogue);
}

}  // namespace ventris::layers
