#include "layers/workspace.h"

#include <algorithm>

#include "layers/widths.h"

namespace ventris::layers {

int64_t Workspace::bytes_of_row(const architecture::TransformerOptions& options) {
  const int64_t d = options.d_model, keys = key_size(options), values = value_size(options);
  const int64_t widest = std::max({d, options.d_ff, values});
  // Input, norm, projections, context, hidden layer, lengths of queries and keys; and the inputs of bf16 and int8.
  const int64_t floats = 3 * d + 2 * keys + 2 * values + options.d_ff + options.heads;
  return arithmetic::grown(kFloat * floats + 3 * widest + 16);
}

}  // namespace ventris::layers
