#include "imports/bundle_weights.h"

#include <stdexcept>

#include "architecture/transformer_parts.h"
#include "core/error.h"
#include "model/safetensors.h"

namespace ventris::imports {

std::vector<float> BundleWeights::take(const std::string& theirs, const std::vector<int64_t>& shape) {
  used_.insert(theirs);
  return floats_of_shape(tensors_, theirs, shape);
}

void BundleWeights::linear(const std::string& name, const std::string& theirs, int64_t out, int64_t in,
                           Sides features) {
  const std::vector<float> weight = take(theirs + ".weight", {out, in}), bias = take(theirs + ".bias", {out});
  const bool outputs = features == Sides::kOutputs;
  set(name + ".weight", outputs ? rows_in(features_, weight, in) : columns_in(features_, weight));
  set(name + ".bias", outputs ? columns_in(features_, bias) : bias);
}

void BundleWeights::norm(const std::string& name, const std::string& theirs) {
  for (const char* part : {".weight", ".bias"}) {
    set(name + part, columns_in(features_, take(theirs + part, {options_.d_model})));
  }
}

void BundleWeights::table(const std::string& name, const std::string& theirs, int64_t their_rows, const Order& rows) {
  const std::vector<float> values = take(theirs, {their_rows, options_.d_model});
  set(name, columns_in(features_, rows_in(rows, values, options_.d_model)));
}

std::string BundleWeights::finish() const {
  for (const std::string& name : tensors_.names()) {
    if (used_.contains(name)) continue;
    fail<ModelError>(tensors_.where(), ": tensor '", name, "': this kind of model has no such part");
  }
  const auto tied = architecture::tied_tensors(options_.tying);
  std::map<std::string, std::string> metadata{{"format", "pt"}};
  std::vector<model::TensorView> views;
  architecture::each_transformer_tensor(
      options_, options_.max_positions, [&](const std::string& name, const std::vector<int64_t>& shape) {
        if (const auto tie = tied.find(name); tie != tied.end()) {
          metadata["alias:" + name] = tie->second;
          return;
        }
        const auto found = values_.find(name);
        const auto count = static_cast<size_t>(model::elements_of(shape));
        if (found == values_.end() || found->second.size() != count) {
          throw std::logic_error("imports: the tensor '" + name + "' was not made, or has another size");
        }
        views.push_back({name,
                         model::DType::kF32,
                         shape,
                         {reinterpret_cast<const char*>(found->second.data()), count * sizeof(float)}});
      });
  return model::write_safetensors(views, metadata);
}

}  // namespace ventris::imports
