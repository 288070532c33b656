#include "fuzz/targets.h"
#include "model/package.h"
#include "model/safetensors.h"

/// Files of weights in the format safetensors.
namespace ventris::fuzz {
namespace {

void read_safetensors(std::string_view input) {
  const auto file = model::Safetensors::parse(std::string(input), "model.safetensors");
  for (const auto& [alias, name] : file.aliases())
    require(file.contains(alias) && file.contains(name), "aliases lead somewhere");
  size_t bytes = 0;
  for (const model::TensorView& tensor : file.tensors()) {
    require(tensor.elements() * model::size_of(tensor.dtype) == static_cast<int64_t>(tensor.bytes.size()),
            "a tensor has the bytes of its shape");
    bytes += tensor.bytes.size();
  }
  require(bytes <= input.size(), "tensors do not overlap");
  static_cast<void>(model::tensors_to_json(model::summarise(file)));
  const std::string again = model::write_safetensors(file.tensors(), file.metadata());
  require(model::Safetensors::parse(again, "again").tensors().size() == file.tensors().size(),
          "a file that is read can be written and read again");
}

std::vector<std::string> safetensors_seeds() {
  using model::DType;
  const std::string bytes("0123456789abcdef01234567");
  return {model::write_safetensors({}, {}),
          model::write_safetensors({{"a.weight", DType::kF32, {2, 3}, bytes}}, {{"format", "pt"}}),
          model::write_safetensors({{"a", DType::kBf16, {4}, std::string_view(bytes).substr(0, 8)},
                                    {"b", DType::kI64, {1, 2}, std::string_view(bytes).substr(0, 16)},
                                    {"c", DType::kI8, {}, std::string_view(bytes).substr(0, 1)},
                                    {"d", DType::kF16, {0, 5}, {}}},
                                   {{"alias:e", "a"}, {"alias:f", "b"}})};
}

const Registration kSafetensors("safetensors", read_safetensors, safetensors_seeds);

}  // namespace
}  // namespace ventris::fuzz
