#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ventris::exports {

/// A tensor of floats with its name. Tied tensors have the same values.
struct NamedTensor {
  std::string name;
  std::vector<int64_t> shape;
  std::shared_ptr<const std::vector<float>> values;  ///< row-major
};

/// A file with a dictionary of tensors, as torch.save writes it and torch.load(weights_only=True) reads it. Tied
/// tensors share their storage. Throws ModelError for 4 GiB or more.
std::string pytorch_file(const std::vector<NamedTensor>& tensors);

}  // namespace ventris::exports
