#include "core/error.h"
#include "imports/tensor_source.h"
#include "model/floats.h"
#include "model/safetensors.h"

namespace ventris::imports {
namespace {

class SafetensorsSource : public TensorSource {
 public:
  explicit SafetensorsSource(const std::string& path) : file_(model::Safetensors::from_file(path)) {}

  const std::string& where() const override { return file_.where(); }
  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const model::TensorView& tensor : file_.tensors()) names.push_back(tensor.name);
    return names;
  }
  bool contains(const std::string& name) const override { return file_.contains(name); }
  std::vector<int64_t> shape(const std::string& name) const override { return file_.at(name).shape; }
  std::vector<float> floats(const std::string& name) const override {
    const model::TensorView& tensor = file_.at(name);
    if (!model::is_float(tensor.dtype)) {
      fail<ModelError>(where(), ": tensor '", name, "': expected F32, F16 or BF16, found ", name_of(tensor.dtype));
    }
    return model::floats_from(tensor.bytes, tensor.dtype);
  }

 private:
  model::Safetensors file_;
};

}  // namespace

std::unique_ptr<TensorSource> open_safetensors(const std::string& path) {
  return std::make_unique<SafetensorsSource>(path);
}

}  // namespace ventris::imports
