#include "imports/sharded_source.h"

#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_reader.h"
#include "files/files.h"

namespace ventris::imports {
namespace {

class ShardedSource : public TensorSource {
 public:
  ShardedSource(const std::string& folder, const std::string& index) : where_(folder + "/" + index) {
    const nlohmann::json files = read_index();
    for (const auto& [tensor, file] : files.items()) {
      if (!file.is_string()) fail<ModelError>(where_, ": tensor '", tensor, "': expected the name of a file");
      const std::string name = file.get<std::string>();
      if (name.empty() || name.find('/') != std::string::npos || name.starts_with('.')) {
        fail<ModelError>(where_, ": tensor '", tensor, "': expected a file of the folder, found '", name, "'");
      }
      auto& source = sources_[name];
      if (source == nullptr) source = open(folder + "/" + name);
      of_tensor_[tensor] = source.get();
    }
  }

  const std::string& where() const override { return where_; }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, source] : of_tensor_) all.push_back(name);
    return all;
  }
  bool contains(const std::string& name) const override { return of_tensor_.contains(name); }
  std::vector<int64_t> shape(const std::string& name) const override { return source_of(name).shape(name); }
  std::vector<float> floats(const std::string& name) const override { return source_of(name).floats(name); }

 private:
  nlohmann::json read_index() const {
    try {
      const nlohmann::json index = core::parse_json(files::read_plain_file(where_), where_);
      if (index.is_object() && index.contains("weight_map") && index.at("weight_map").is_object()) {
        return index.at("weight_map");
      }
    } catch (const ConfigError& error) {
      fail<ModelError>(error.what());
    }
    fail<ModelError>(where_, ": expected a JSON object with the file of each tensor under \"weight_map\"");
  }
  static std::unique_ptr<TensorSource> open(const std::string& path) {
    return path.ends_with(".safetensors") ? open_safetensors(path) : open_state_dict(path);
  }
  const TensorSource& source_of(const std::string& name) const {
    const auto found = of_tensor_.find(name);
    if (found == of_tensor_.end()) fail<ModelError>(where_, ": has no tensor '", name, "'");
    return *found->second;
  }

  std::string where_;
  std::map<std::string, std::unique_ptr<TensorSource>> sources_;  // by file
  std::map<std::string, const TensorSource*> of_tensor_;
};

}  // namespace

std::unique_ptr<TensorSource> open_sharded(const std::string& folder, const std::string& index) {
  return std::make_unique<ShardedSource>(folder, index);
}

}  // namespace ventris::imports
