#include "imports/tensor_source.h"

#include <fstream>
#include <map>
#include <set>

#include "core/error.h"
#include "model/safetensors.h"

namespace ventris::imports {
namespace {

class RenamedTensors : public TensorSource {
 public:
  RenamedTensors(std::unique_ptr<TensorSource> all, const std::function<std::string(const std::string& name)>& new_name)
      : all_(std::move(all)) {
    for (const std::string& old : all_->names()) {
      const std::string name = new_name(old);
      if (name.empty()) continue;
      const auto [place, added] = old_names_.emplace(name, old);
      if (!added) {
        fail<ModelError>(where(), ": has the tensor '", name, "' twice, as '", place->second, "' and '", old, "'");
      }
      order_.push_back(name);
    }
  }

  const std::string& where() const override { return all_->where(); }
  std::vector<std::string> names() const override { return order_; }
  bool contains(const std::string& name) const override { return old_names_.contains(name); }
  std::vector<int64_t> shape(const std::string& name) const override { return all_->shape(old_name(name)); }
  std::vector<float> floats(const std::string& name) const override { return all_->floats(old_name(name)); }

 private:
  const std::string& old_name(const std::string& name) const {
    const auto found = old_names_.find(name);
    if (found == old_names_.end()) fail<ModelError>(where(), ": has no tensor '", name, "'");
    return found->second;
  }

  std::unique_ptr<TensorSource> all_;
  std::vector<std::string> order_;
  std::map<std::string, std::string> old_names_;
};

}  // namespace

std::unique_ptr<TensorSource> renamed(std::unique_ptr<TensorSource> all,
                                      const std::function<std::string(const std::string& name)>& new_name) {
  return std::make_unique<RenamedTensors>(std::move(all), new_name);
}

std::pair<int64_t, int64_t> matrix_shape(const TensorSource& tensors, const std::string& name) {
  const std::vector<int64_t> shape = tensors.shape(name);
  if (shape.size() == 2 && shape[0] > 0 && shape[1] > 0) return {shape[0], shape[1]};
  fail<ModelError>(tensors.where(), ": tensor '", name, "': expected a matrix, found shape ", model::shape_text(shape));
}

int64_t layers_of(const TensorSource& tensors, const std::string& prefix) {
  std::set<std::string> numbers;
  for (const std::string& name : tensors.names()) {
    if (!name.starts_with(prefix)) continue;
    numbers.insert(name.substr(prefix.size(), name.find('.', prefix.size()) - prefix.size()));
  }
  int64_t count = 0;
  while (numbers.contains(std::to_string(count))) ++count;
  return count;
}

std::string first_bytes(const std::string& path, size_t count) {
  std::string bytes(count, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<size_t>(file.gcount()));
  return bytes;
}

std::vector<float> floats_of_shape(const TensorSource& tensors, const std::string& name,
                                   const std::vector<int64_t>& shape) {
  const std::vector<int64_t> found = tensors.shape(name);
  if (found != shape) {
    fail<ModelError>(tensors.where(), ": tensor '", name, "': expected shape ", model::shape_text(shape), ", found ",
                     model::shape_text(found));
  }
  return tensors.floats(name);
}

}  // namespace ventris::imports
