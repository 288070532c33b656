#include "files.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>
#include <string>

#include "interruptible.h"
#include "model/package.h"
#include "model/safetensors.h"
#include "text.h"

namespace ventris::python {

namespace nb = nanobind;

namespace {

/// (name, element type, shape, bytes) of each stored tensor, and the names of tied tensors with those of the stored
/// ones.
nb::tuple tensors_of(const model::Safetensors& file) {
  nb::list tensors;
  for (const model::TensorView& tensor : file.tensors()) {
    tensors.append(nb::make_tuple(to_str(tensor.name), model::name_of(tensor.dtype), nb::cast(tensor.shape),
                                  nb::bytearray(tensor.bytes.data(), tensor.bytes.size())));
  }
  nb::dict aliases;
  for (const auto& [alias, name] : file.aliases()) aliases[to_str(alias)] = to_str(name);
  return nb::make_tuple(tensors, aliases);
}

nb::tuple read_safetensors(const nb::object& path) {
  const std::string file = to_path(path);
  return tensors_of(interruptible([&] { return model::Safetensors::from_file(file); }));
}

/// The content of config.json, and the tensors as above.
nb::tuple read_bundle(const nb::object& path) {
  const std::string folder = to_path(path);
  const model::Bundle bundle = interruptible([&] { return model::read_bundle(folder); });
  return nb::make_tuple(bundle.package.config.to_json().dump(), tensors_of(bundle.weights));
}

}  // namespace

void bind_files(nb::module_& module) {
  module.def("read_safetensors", &read_safetensors, nb::arg("path"));
  module.def("read_bundle", &read_bundle, nb::arg("path"));
}

}  // namespace ventris::python
