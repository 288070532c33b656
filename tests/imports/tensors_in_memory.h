#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "imports/tensor_source.h"

namespace ventris::imports {

/// Tensors in memory, for tests of what reads those of other programs.
class TensorsInMemory : public TensorSource {
 public:
  void add(const std::string& name, std::vector<int64_t> shape, std::vector<float> values) {
    all_[name] = {std::move(shape), std::move(values)};
  }
  const std::string& where() const override { return where_; }
  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, one] : all_) names.push_back(name);
    return names;
  }
  bool contains(const std::string& name) const override { return all_.contains(name); }
  std::vector<int64_t> shape(const std::string& name) const override { return at(name).first; }
  std::vector<float> floats(const std::string& name) const override { return at(name).second; }

 private:
  using One = std::pair<std::vector<int64_t>, std::vector<float>>;
  const One& at(const std::string& name) const {
    const auto found = all_.find(name);
    if (found == all_.end()) fail<ModelError>(where_, ": has no tensor '", name, "'");
    return found->second;
  }
  std::string where_ = "file";
  std::map<std::string, One> all_;
};

}  // namespace ventris::imports
