#pragma once
#include <memory>
#include <string>

#include "imports/tensor_source.h"

namespace ventris::imports {

/// Tensors that are divided into several files of a folder. `index`, such as model.safetensors.index.json, says which
/// tensor is in which file. Throws ModelError for an index that is damaged, or that names a file outside the folder.
std::unique_ptr<TensorSource> open_sharded(const std::string& folder, const std::string& index);

}  // namespace ventris::imports
