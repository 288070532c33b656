#include "imports/fairseq_tensors.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/error.h"
#include "model/safetensors.h"

namespace ventris::imports {
namespace {

/// Ends of old names, and what they are now.
constexpr std::array<std::pair<const char*, const char*>, 4> kOldParts{
    {{".layer_norms.0.", ".self_attn_layer_norm."},
     {".layer_norms.1.", ".encoder_attn_layer_norm."},
     {".layer_norms.2.", ".final_layer_norm."},
     {"decoder.embed_out", "decoder.output_projection.weight"}}};

/// The layers of fairseq 0.12 have copies of their projections for a fast path of PyTorch, which it makes anew. They
/// are not under the name of an attention part.
bool is_of_fast_path(const std::string& name) {
  constexpr std::array<const char*, 4> kCopies{".in_proj_", ".out_proj_", ".fc1_", ".fc2_"};
  const bool copy = std::ranges::any_of(kCopies, [&](const std::string& part) {
    return name.ends_with(part + "weight") || name.ends_with(part + "bias");
  });
  return copy && name.find("attn.") == std::string::npos;
}

std::string name_in_fairseq_012(std::string name) {
  if (name.starts_with("model.")) name.erase(0, std::string("model.").size());
  if (is_of_fast_path(name)) return "";
  if (name.ends_with(".embed_positions._float_tensor") || name.ends_with(".embed_positions.weights")) return "";
  for (const auto& [old_part, new_part] : kOldParts) {
    const size_t at = name.find(old_part);
    if (at != std::string::npos) name.replace(at, std::string(old_part).size(), new_part);
  }
  return name;
}

/// The encoder's layer has no attention to the source, so its second norm is the last one.
std::string with_encoder_norms(std::string name) {
  const std::string old_part = ".encoder_attn_layer_norm.";
  const size_t at = name.find(old_part);
  if (name.starts_with("encoder.") && at != std::string::npos) {
    name.replace(at, old_part.size(), ".final_layer_norm.");
  }
  return name;
}

/// Divides "in_proj_weight" and "in_proj_bias", which have the projections of queries, keys and values one below the
/// other.
class DividedProjections : public TensorSource {
 public:
  explicit DividedProjections(std::unique_ptr<TensorSource> all) : all_(std::move(all)) {
    for (const std::string& name : all_->names()) {
      const bool weight = name.ends_with(".in_proj_weight");
      if (!weight && !name.ends_with(".in_proj_bias")) {
        order_.push_back(name);
        continue;
      }
      const std::string block = name.substr(0, name.rfind(".in_proj_") + 1);
      for (size_t i = 0; i < kNames.size(); ++i) {
        order_.push_back(block + kNames[i] + (weight ? ".weight" : ".bias"));
        parts_[order_.back()] = {name, i};
      }
    }
  }

  const std::string& where() const override { return all_->where(); }
  std::vector<std::string> names() const override { return order_; }
  bool contains(const std::string& name) const override { return parts_.contains(name) || all_->contains(name); }
  std::vector<int64_t> shape(const std::string& name) const override {
    const auto part = parts_.find(name);
    if (part == parts_.end()) return all_->shape(name);
    std::vector<int64_t> shape = all_->shape(part->second.first);
    if (shape.empty() || shape[0] % std::ssize(kNames) != 0) {
      fail<ModelError>(where(), ": tensor '", part->second.first, "': expected three projections, found shape ",
                       model::shape_text(shape));
    }
    shape[0] /= std::ssize(kNames);
    return shape;
  }
  std::vector<float> floats(const std::string& name) const override {
    const auto part = parts_.find(name);
    if (part == parts_.end()) return all_->floats(name);
    const std::vector<float> values = all_->floats(part->second.first);
    const auto size = static_cast<size_t>(model::elements_of(shape(name))), begin = part->second.second * size;
    return {values.begin() + static_cast<std::ptrdiff_t>(begin),
            values.begin() + static_cast<std::ptrdiff_t>(begin + size)};
  }

 private:
  static constexpr std::array<const char*, 3> kNames{"q_proj", "k_proj", "v_proj"};

  std::unique_ptr<TensorSource> all_;
  std::vector<std::string> order_;
  std::map<std::string, std::pair<std::string, size_t>> parts_;  // of a new name, the stored tensor and the part
};

}  // namespace

std::unique_ptr<TensorSource> fairseq_tensors(std::unique_ptr<TensorSource> stored) {
  return std::make_unique<DividedProjections>(renamed(
      std::move(stored), [](const std::string& name) { return with_encoder_norms(name_in_fairseq_012(name)); }));
}

}  // namespace ventris::imports
