#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/package.h"

namespace ventris::model {

/// The parameters of a module, or of a part of a module ("layers.0", "norm").
struct ParameterGroup {
  std::string name;
  int64_t tensors = 0;
  int64_t parameters = 0;             ///< a tied tensor counts only where it is stored
  std::vector<std::string> tied_to;   ///< modules whose tensors this one shares
  std::vector<ParameterGroup> parts;  ///< parts of a module; empty for a part
};

/// Groups tensors by the first component of the name: encoder, decoder, src_embed, tgt_embed, generator, then any
/// others; then by layer or submodule.
std::vector<ParameterGroup> group_parameters(const std::vector<TensorSummary>& tensors);

}  // namespace ventris::model
