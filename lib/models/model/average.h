#pragma once
#include <string>
#include <vector>

#include "model/package.h"

namespace ventris::model {

/// The mean of the weights of several models, per tensor, as the bytes of a safetensors file (F32; summed in double).
/// Tied tensors stay tied. `models` must not be empty. Throws ModelError if two models differ in names, shapes or ties
/// (with both files and the first such tensor), or if a tensor is neither F32 nor BF16 (with file and tensor). Source:
/// checkpoint averaging, Vaswani et al. 2017, section 6.1.
std::string average_weights(const std::vector<Safetensors>& models);

/// Throws ModelError with the names of both bundles unless their shapes and tokenizers are the same. Dropout may
/// differ, because it matters only in training.
void check_same_kind(const Package& first, const Package& other);

/// The mean of several bundles.
struct Average {
  Package package;      ///< the first bundle's, with provenance {"average_of": paths}
  std::string weights;  ///< the bytes of a safetensors file
};

/// For a bundle folder that a user names. Throws ConfigError unless `path` does not exist, is empty, or is a
/// bundle. Then does what files::prepare_folder_target does.
void prepare_bundle_target(const std::string& path);

/// The mean of the bundles in these folders. Throws ModelError if one cannot be opened or differs from the first.
Average average_bundles(const std::vector<std::string>& paths);

}  // namespace ventris::model
