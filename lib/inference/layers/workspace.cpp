#include "layers/workspace.h"

#include <algorithm>

#include "layers/widths.h"

namespace ventris::layers {

int64_t Workspace::bytes_of_row(const architecture::TransformerOptions& options) {
  const int64_t d = options.d_model, keys = key_size(options), values = value_size(options);
  const int64_t widest = std::max({d, options.d_ff, values});
  // Input, norm, projections, context, hidden layer, lengths of queries and keys; and the inputs of bf16 and int8.
  const int64_t floats = 3 * d + 2 * keys + 2 * values + options.d_ff + options.heads;
  // With experts: logits, a copy of the input and the output of an expert, and which experts were chosen.
  const int64_t routed = options.experts == 0 ? 0
                                              : kFloat * (options.experts + 2 * d * options.experts_per_token) +
                                                    Routing::bytes_of_row(options);
  return arithmetic::grown(kFloat * floats + routed + 3 * widest + 16);
}

}  // namespace ventris::layers
