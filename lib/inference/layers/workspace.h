#pragma once
#include <cstdint>

#include "architecture/transformer_options.h"
#include "arithmetic/matrix.h"
#include "layers/routing.h"

namespace ventris::layers {

using arithmetic::Aligned;
using arithmetic::Inputs;

/// Memory of one thread for intermediate results. It grows to the largest size needed and is then reused.
struct Workspace {
  Inputs inputs;
  Aligned<float> normed, projected, context, hidden, scores, packed, squares;
  Aligned<float> logits, expert_inputs, expert_outputs;  ///< only with experts
  Routing routing;

  /// The bytes that it needs of a row or position that is computed, without scores and packed sequences.
  static int64_t bytes_of_row(const architecture::TransformerOptions& options);
};

}  // namespace ventris::layers
