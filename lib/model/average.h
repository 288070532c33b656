#pragma once
#include <string>
#include <vector>

#include "model/package.h"

namespace ventris::model {

/// The mean of several models' weights, tensor by tensor, as a safetensors file's bytes (F32; sums in double). Ties
/// stay. Throws ModelError, naming both files and the first such tensor, if two differ in names, shapes or ties; naming
/// file and tensor if one is neither F32 nor BF16. `models` must not be empty. Source: checkpoint averaging, Vaswani et
/// al. 2017, section 6.1.
std::string average_weights(const std::vector<Safetensors>& models);

/// Throws ModelError naming both bundles unless their shapes and tokenizers are the same. Dropout may differ: it is of
/// the training.
void check_same_kind(const Package& first, const Package& other);

/// What several bundles' mean is made of.
struct Average {
  Package package;      ///< the first bundle's, with provenance {"average_of": paths}
  std::string weights;  ///< a safetensors file's bytes
};

/// For a bundle's folder that people name. Throws ConfigError unless a bundle written there replaces nothing but a
/// bundle or an empty folder.
void check_bundle_target(const std::string& path);

/// The mean of the bundles in these folders. Throws ModelError if one cannot be opened or differs from the first.
Average average_bundles(const std::vector<std::string>& paths);

}  // namespace ventris::model
