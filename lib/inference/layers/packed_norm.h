#pragma once
#include <cstdint>

#include "arithmetic/elements.h"
#include "layers/context.h"

namespace ventris::layers {

using arithmetic::Elements;

/// The packed weights of a norm. Its kind is a setting of the model (TransformerOptions::norm_kind).
struct Norm {
  Elements<float> weight;  ///< [d_model]; empty if the model has no norm here
  Elements<float> bias;    ///< [d_model]; empty in an RMSNorm

  bool exists() const { return !weight.empty(); }
};

/// out [rows, d_model] = the norm of x, which may be the same memory.
void normalise(const Context& context, const Norm& norm, const float* x, int64_t rows, float* out);

}  // namespace ventris::layers
