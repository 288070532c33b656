#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::model {

/// A tensor in a pickle of PyTorch. Its elements are in a storage, which is a file of its own.
struct PickledTensor {
  std::string name;          ///< of its place: "encoder.layers.0.norm.weight"
  std::string storage_type;  ///< "FloatStorage"
  std::string storage;       ///< the name of the storage's file
  int64_t offset = 0;        ///< of its first element in the storage
  std::vector<int64_t> shape, strides;
};

/// The tensors in objects and dictionaries that are nested in each other, as torch.jit.save pickles a module and
/// torch.save a state dict, in the order of the pickle. Nothing is run: classes and functions are only names, and other
/// values are left out. Memory and time are at most proportional to the pickle. Throws ModelError with `where` if the
/// bytes are no such pickle, if objects are nested deeper than 100 levels, if they are in so many places that the
/// tensors and the way to them need more than 32 bytes for each byte of the pickle, or if two tensors have the same
/// name.
std::vector<PickledTensor> read_pickled_tensors(std::string_view bytes, const std::string& where);

/// What a checkpoint of a toolkit is: a dictionary with tensors under some keys, and settings and lists under others.
struct PickledKeys {
  std::vector<std::string> tensors, values;  ///< keys at the top; those that are not there are left out
};

/// The same for a checkpoint: only the tensors under keys.tensors, whose names begin with the key. `values` becomes a
/// JSON object with keys.values: dictionaries and objects become objects, lists and tuples arrays; what else there is
/// becomes null. Throws ModelError also for a class or function that is not in pickle_names.h, with its name.
std::vector<PickledTensor> read_pickled_checkpoint(std::string_view bytes, const std::string& where,
                                                   const PickledKeys& keys, nlohmann::json& values);

/// The keys at the top of a pickle that is a dictionary; otherwise none. Throws ModelError.
std::vector<std::string> pickled_keys(std::string_view bytes, const std::string& where);

}  // namespace ventris::model
