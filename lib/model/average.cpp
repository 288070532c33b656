#include "model/average.h"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"

namespace ventris::model {
namespace {

/// Adds the elements of a tensor.
void add(const Safetensors& file, const TensorView& tensor, std::vector<double>& sums) {
  const char* bytes = tensor.bytes.data();
  if (tensor.dtype == DType::kF32) {
    for (size_t i = 0; i < sums.size(); ++i) {
      float value = 0;
      std::memcpy(&value, bytes + 4 * i, 4);
      sums[i] += value;
    }
  } else if (tensor.dtype == DType::kBf16) {
    for (size_t i = 0; i < sums.size(); ++i) {
      uint16_t upper = 0;
      std::memcpy(&upper, bytes + 2 * i, 2);
      sums[i] += std::bit_cast<float>(uint32_t{upper} << 16);
    }
  } else {
    fail<ModelError>(file.where(), ": ", tensor.name, ": expected an F32 or BF16 tensor");
  }
}

const TensorView& same_tensor(const Safetensors& file, const TensorView& expected, const Safetensors& first) {
  const TensorView& found = file.at(expected.name);
  if (found.shape != expected.shape) {
    fail<ModelError>(file.where(), ": ", expected.name, ": another shape than in ", first.where());
  }
  return found;
}

}  // namespace

std::string average_weights(const std::vector<Safetensors>& models) {
  const Safetensors& first = models.at(0);
  for (const Safetensors& file : models) {
    if (file.tensors().size() != first.tensors().size() || file.aliases() != first.aliases()) {
      fail<ModelError>(file.where(), ": holds other tensors than ", first.where());
    }
  }
  std::vector<std::string> means;
  std::vector<TensorView> views;
  means.reserve(first.tensors().size());  // the views look at them
  for (const TensorView& tensor : first.tensors()) {
    std::vector<double> sums(static_cast<size_t>(tensor.elements()));
    for (const Safetensors& file : models) add(file, same_tensor(file, tensor, first), sums);
    std::string bytes(4 * sums.size(), '\0');
    for (size_t i = 0; i < sums.size(); ++i) {
      const auto mean = static_cast<float>(sums[i] / static_cast<double>(models.size()));
      std::memcpy(bytes.data() + 4 * i, &mean, 4);
    }
    means.push_back(std::move(bytes));
    views.push_back({tensor.name, DType::kF32, tensor.shape, means.back()});
  }
  return write_safetensors(views, first.metadata());
}

void check_same_kind(const Package& first, const Package& other) {
  const auto shape = [](const Package& package) {
    auto json = package.config.transformer.to_json();
    json["vocabularies"] = {package.config.transformer.src_vocab, package.config.transformer.tgt_vocab};
    return json;
  };
  if (shape(first) != shape(other)) fail<ModelError>(other.path, ": another model shape than ", first.path);
  if (first.source_spm != other.source_spm || first.target_spm != other.target_spm) {
    fail<ModelError>(other.path, ": another tokenizer than ", first.path);
  }
}

Average average_bundles(const std::vector<std::string>& paths) {
  Average average;
  std::vector<Safetensors> weights;
  for (const std::string& path : paths) {
    Bundle bundle = open_bundle(path);
    if (weights.empty()) {
      average.package = std::move(bundle.package);
    } else {
      check_same_kind(average.package, bundle.package);
    }
    weights.push_back(std::move(bundle.weights));
  }
  average.package.config.provenance = nlohmann::json({{"average_of", paths}}).dump();
  average.weights = average_weights(weights);
  return average;
}

}  // namespace ventris::model
