#pragma once
#include <string>
#include <vector>

#include "model/package.h"

namespace ventris::model {

/// The mean of several models' weights, tensor by tensor, as a safetensors file's bytes (F32; sums in double). Ties
/// stay. Throws ModelError, naming both files and the tensor, if two differ in names, shapes or ties, or if a tensor is
/// neither F32 nor BF16. Source: checkpoint averaging, Vaswani et al. 2017, section 6.1.
std::string average_weights(const std::vector<Safetensors>& models);

/// Throws ModelError naming both bundles unless their shapes and tokenizers are the same.
void check_same_kind(const Package& first, const Package& other);

}  // namespace ventris::model
