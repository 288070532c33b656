#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "imports/tensor_source.h"
#include "model/pickle_reader.h"

namespace ventris::imports {

/// A file that a toolkit wrote with torch.save: tensors, and settings and lists as JSON.
struct Checkpoint {
  std::unique_ptr<TensorSource> tensors;  ///< their names begin with the key under which they are
  nlohmann::json values;                  ///< an object
};

/// Reads what is under these keys. Nothing in the file is run; objects whose classes are not known to be plain data are
/// refused by their names. Throws ModelError.
Checkpoint open_checkpoint(const std::string& path, const model::PickledKeys& keys);

/// The keys at the top of a checkpoint; empty for any other file. Throws nothing.
std::vector<std::string> checkpoint_keys(const std::string& path);

}  // namespace ventris::imports
