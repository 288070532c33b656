#include "model/average.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/error.h"
#include "files/folders.h"
#include "files/paths.h"
#include "model/finite.h"
#include "model/floats.h"

namespace ventris::model {
namespace {

/// Adds the elements of a tensor.
void add(const Safetensors& file, const TensorView& tensor, std::vector<double>& sums) {
  const std::vector<float> values = floats_of(file, tensor);
  for (size_t i = 0; i < sums.size(); ++i) sums[i] += values[i];
}

void expect_tensor(const Safetensors& file, const std::string& name, const Safetensors& other) {
  if (file.contains(name)) return;
  fail<ModelError>(file.where(), ": has no tensor '", name, "', but ", other.where(), " has one");
}

const TensorView& same_tensor(const Safetensors& file, const TensorView& expected, const Safetensors& first) {
  expect_tensor(file, expected.name, first);
  const TensorView& found = file.at(expected.name);
  if (found.shape != expected.shape) {
    fail<ModelError>(file.where(), ": ", expected.name, ": its shape differs from that in ", first.where());
  }
  return found;
}

/// The first tensor that is tied in only one of the files, or to different tensors; empty = none.
std::string tied_otherwise(const Safetensors& one, const Safetensors& other) {
  const auto here = one.aliases(), there = other.aliases();
  for (const auto* ties : {&here, &there}) {
    for (const auto& tie : *ties) {
      const auto same = [&](const auto& found) {
        return found.contains(tie.first) && found.at(tie.first) == tie.second;
      };
      if (!same(here) || !same(there)) return tie.first;
    }
  }
  return "";
}

/// Sums weights, one model at a time. Only the first model stays in memory.
class WeightSums {
 public:
  void add(const Safetensors& file) {
    check_finite(file);
    if (!first_) {
      first_ = file;
      for (const TensorView& tensor : file.tensors()) sums_.emplace_back(static_cast<size_t>(tensor.elements()));
    }
    for (const TensorView& tensor : file.tensors()) expect_tensor(*first_, tensor.name, file);
    if (const std::string name = tied_otherwise(file, *first_); !name.empty()) {
      fail<ModelError>(file.where(), ": ", name, ": it is tied to another tensor than in ", first_->where());
    }
    for (size_t i = 0; i < sums_.size(); ++i) {
      ventris::model::add(file, same_tensor(file, first_->tensors()[i], *first_), sums_[i]);
    }
    ++models_;
  }

  /// The means, as the bytes of a safetensors file.
  std::string mean() const {
    std::vector<std::string> means;
    std::vector<TensorView> views;
    means.reserve(sums_.size());  // views point into the elements
    for (size_t t = 0; t < sums_.size(); ++t) {
      const TensorView& tensor = first_->tensors()[t];
      std::string bytes(4 * sums_[t].size(), '\0');
      for (size_t i = 0; i < sums_[t].size(); ++i) {
        const auto mean = static_cast<float>(sums_[t][i] / models_);
        std::memcpy(bytes.data() + 4 * i, &mean, 4);
      }
      means.push_back(std::move(bytes));
      views.push_back({tensor.name, DType::kF32, tensor.shape, means.back()});
    }
    return write_safetensors(views, first_->metadata());
  }

 private:
  std::optional<Safetensors> first_;
  std::vector<std::vector<double>> sums_;
  double models_ = 0;
};

/// The settings that must be the same: those of the model without dropout, which matters only in training.
nlohmann::json shape(const Package& package) {
  nlohmann::json shape = package.config.to_json().at("model");
  std::erase_if(shape.get_ref<nlohmann::json::object_t&>(),
                [](const auto& one) { return one.first.ends_with("dropout"); });
  return shape;
}

}  // namespace

std::string average_weights(const std::vector<Safetensors>& models) {
  WeightSums sums;
  for (const Safetensors& file : models) sums.add(file);
  return sums.mean();
}

void check_same_kind(const Package& first, const Package& other) {
  const nlohmann::json expected = shape(first), found = shape(other);
  for (const auto& [name, value] : expected.items()) {
    if (found[name] == value) continue;
    fail<ModelError>(other.path, ": ", name, " is ", found[name].dump(), ", but ", value.dump(), " in ", first.path,
                     "; expected models of the same shape");
  }
  if (first.source_spm != other.source_spm || first.target_spm != other.target_spm) {
    fail<ModelError>(other.path, ": its tokenizer differs from that of ", first.path);
  }
}

void prepare_bundle_target(const std::string& path) {
  files::prepare_folder_target(path);
  if (!files::exists(path + "/state.json")) return;
  fail<ConfigError>(path, ": is a checkpoint of a run and is not replaced; give another name");
}

Average average_bundles(const std::vector<std::string>& paths) {
  Average average;
  WeightSums sums;
  for (const std::string& path : paths) {
    Bundle bundle = read_bundle(path);
    if (path != paths.front()) check_same_kind(average.package, bundle.package);
    sums.add(bundle.weights);
    if (path == paths.front()) average.package = std::move(bundle.package);
  }
  constexpr auto kReplace = nlohmann::json::error_handler_t::replace;  // a path may not be valid UTF-8
  average.package.config.provenance = nlohmann::json({{"average_of", paths}}).dump(-1, ' ', false, kReplace);
  average.weights = sums.mean();
  return average;
}

}  // namespace ventris::model
