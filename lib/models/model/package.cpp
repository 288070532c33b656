#include "model/package.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "core/json_problem.h"
#include "core/json_reader.h"
#include "files/folders.h"
#include "files/paths.h"
#include "model/exported_files.h"
#include "text/model_check.h"

namespace ventris::model {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

const std::set<std::string> kWeights{kWeightsFile, kPackedFile};
const std::set<std::string> kFiles{"config.json", "source.spm", "target.spm", kWeightsFile, kPackedFile};
constexpr int64_t kMostElements = int64_t{1} << 40;  // of a tensor, so that sums over kMostListed cannot overflow
constexpr size_t kMostListed = 100'000;

ModelConfig parse_config(const std::string& text, const std::string& where) {
  try {
    return ModelConfig::parse(core::parse_json(text, where), where);
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
}

/// Checks that the tensors are those of the configuration, before memory for the model is allocated. Tied embeddings
/// are stored once and used up to three times. A small file that would make a large model with other ties is refused. A
/// few more parameters do no harm.
void check_tensors(const Package& package, const std::string& where) {
  constexpr double kTied = 3, kHarmless = 1 << 20;
  std::map<std::string, std::vector<int64_t>> shapes;
  double stored = 0, expected_values = 0;
  for (const TensorSummary& tensor : package.tensors) {
    shapes.emplace(tensor.name, tensor.shape);
    if (tensor.tied_to.empty()) stored += static_cast<double>(elements_of(tensor.shape));
  }
  package.config.architecture->each_tensor([&](const std::string& name, const std::vector<int64_t>& expected) {
    const auto found = shapes.find(name);
    if (found == shapes.end()) {
      fail<ModelError>(where, ": has no tensor '", name, "'; expected the weights of the model in config.json");
    }
    if (found->second != expected) {
      fail<ModelError>(where, ": tensor '", name, "': expected shape ", shape_text(expected),
                       " as in config.json, found ", shape_text(found->second));
    }
    expected_values += static_cast<double>(elements_of(expected));
    if (expected_values > kTied * stored + kHarmless) {
      fail<ModelError>(where, ": has ", stored, " values, but the model in config.json has at least ", expected_values,
                       " parameters; expected the weights of that model");
    }
    shapes.erase(found);
  });
  if (shapes.empty()) return;
  fail<ModelError>(where, ": ", shapes.begin()->first, ": the model in config.json has no such tensor");
}

TensorSummary parse_tensor(const json& item, const std::string& where) {
  TensorSummary tensor{item.at("name"), item.at("dtype"), item.at("shape"), item.value("tied_to", std::string())};
  dtype_of(tensor.dtype, where);
  if (tensor.shape.size() > kHighestRank) fail<ModelError>(where, ": expected tensors of at most rank ", kHighestRank);
  const bool negative =
      std::any_of(tensor.shape.begin(), tensor.shape.end(), [](int64_t length) { return length < 0; });
  const int64_t count = elements_of(tensor.shape);
  if (!is_printable(tensor.name) || !is_printable(tensor.tied_to) || negative || count < 0 || count > kMostElements) {
    fail<ModelError>(where, ": damaged: expected a list of tensors with names and shapes");
  }
  return tensor;
}

std::vector<TensorSummary> parse_tensors(const std::string& text, const std::string& where) {
  try {
    std::vector<TensorSummary> tensors;
    const json list = core::parse_json(text, where);
    if (list.size() > kMostListed) fail<ModelError>(where, ": damaged: expected at most ", kMostListed, " tensors");
    for (const json& item : list) tensors.push_back(parse_tensor(item, where));
    return tensors;
  } catch (const json::exception& error) {
    fail<ModelError>(where, ": damaged: ", core::json_problem(error));
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
}

/// Checks the tokenizers. They are not loaded here, but other code loads or copies them without a check.
void check_tokenizers(const Package& package) {
  const std::string where = package.path + ": target.spm";
  const text::ModelProto source = text::check_model(package.source_spm, package.path + ": source.spm");
  if (package.config.tokenizer.shared) return;
  const text::ModelProto target = text::check_model(package.target_spm, where);
  if (package.config.tokenizer.common_ids) text::check_common_ids(source, target, where);
}

/// Refuses a run folder, which contains bundles but is not one.
void refuse_run_folder(const std::string& path) {
  const fs::path best = fs::path(path) / "best";
  if (files::exists(fs::path(path) / "MANIFEST") || !files::exists(best / "MANIFEST")) return;
  fail<ModelError>(path, ": expected a bundle, found a run folder; give the bundle in it: ", best.string());
}

/// A path to the file that `path` names now. It stays valid as long as the result lives, even if `path` is replaced.
std::shared_ptr<const std::string> pin_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail<ModelError>(path, ": cannot be read: ", std::strerror(errno));
  const auto close_file = [descriptor](const std::string* text) {
    ::close(descriptor);
    delete text;
  };
  return {new std::string("/proc/self/fd/" + std::to_string(descriptor)), close_file};
}

Package open_torchscript(const std::string& path) {
  const std::shared_ptr<const std::string> script = pin_file(path);
  ExportedFiles files(*script, path);
  Package package;
  package.kind = PackageKind::kTorchScript;
  package.path = path;
  package.script = script;
  package.config = parse_config(files.at(kExtraConfig), path + " (" + kExtraConfig + ")");
  package.source_spm = files.at(kExtraSourceSpm);
  package.target_spm = package.config.tokenizer.shared ? package.source_spm : files.at(kExtraTargetSpm);
  package.tensors = parse_tensors(files.at(kExtraTensors), path + " (" + kExtraTensors + ")");
  check_tokenizers(package);
  return package;
}

/// The files of a model's folder.
class Files {
 public:
  Files(const std::string& path, std::vector<files::FolderFile> files) : path_(path) {
    for (files::FolderFile& file : files) {
      const std::string name = file.name;
      files_.emplace(name, std::move(file));
    }
  }

  bool contains(const std::string& name) const { return files_.contains(name); }
  std::string full(const std::string& name) const { return (fs::path(path_) / name).string(); }
  files::FolderFile take(const std::string& name) {
    const auto found = files_.find(name);
    if (found == files_.end()) fail<ModelError>(path_, ": is not a complete bundle: its MANIFEST does not list ", name);
    return std::move(found->second);
  }

 private:
  std::string path_;
  std::map<std::string, files::FolderFile> files_;
};

/// Opens a bundle or a packed model that consists of these files.
Bundle open_files(const std::string& path, Files files) {
  const bool packed = files.contains(kPackedFile);
  if (packed && files.contains(kWeightsFile)) {
    fail<ModelError>(path, ": expected ", kWeightsFile, " or ", kPackedFile, ", found both; make the model again");
  }
  if (!packed && !files.contains(kWeightsFile) && files::exists(fs::path(path) / "model.bin")) {
    fail<ModelError>(path,
                     ": expected a bundle, found a model for CTranslate2; give the bundle from which it was made");
  }
  Bundle opened;
  Package& package = opened.package;
  package.kind = packed ? PackageKind::kPacked : PackageKind::kBundle;
  package.path = path;
  package.config = parse_config(files.take("config.json").bytes, files.full("config.json"));
  package.source_spm = files.take("source.spm").bytes;
  package.target_spm = package.config.tokenizer.shared ? package.source_spm : files.take("target.spm").bytes;
  const char* weights = packed ? kPackedFile : kWeightsFile;
  opened.weights = Safetensors::parse(files.take(weights).mapped, files.full(weights));
  package.tensors = summarise(opened.weights);
  if (!packed) check_tensors(package, files.full(weights));
  check_tokenizers(package);
  return opened;
}

Bundle open_folder(const std::string& path) {
  refuse_run_folder(path);
  return open_files(path, {path, files::map_folder(path, kFiles, kWeights)});
}

void write_model(const std::string& path, const Package& package, const char* name, const std::string& weights) {
  std::vector<files::NamedBytes> files{
      {"config.json", package.config.to_json().dump(2) + "\n"}, {name, weights}, {"source.spm", package.source_spm}};
  if (!package.config.tokenizer.shared) files.emplace_back("target.spm", package.target_spm);
  files::write_folder(path, files);
}

}  // namespace

std::string tensors_to_json(const std::vector<TensorSummary>& tensors) {
  json list = json::array();
  for (const TensorSummary& tensor : tensors) {
    json item = {{"name", tensor.name}, {"dtype", tensor.dtype}, {"shape", tensor.shape}};
    if (!tensor.tied_to.empty()) item["tied_to"] = tensor.tied_to;
    list.push_back(std::move(item));
  }
  return list.dump(1);
}

std::vector<TensorSummary> summarise(const Safetensors& file) {
  std::vector<TensorSummary> tensors;
  const auto add = [&](const std::string& name, const TensorView& stored, const std::string& tied_to) {
    tensors.push_back({name, name_of(stored.dtype), stored.shape, tied_to});
  };
  for (const TensorView& tensor : file.tensors()) add(tensor.name, tensor, "");
  for (const auto& [alias, name] : file.aliases()) add(alias, file.at(name), name);
  return tensors;
}

Bundle bundle_of(const std::string& path, std::vector<files::FolderFile> files) {
  return open_files(path, {path, std::move(files)});
}

Bundle read_bundle(const std::string& path) {
  Bundle bundle = open_folder(path);
  if (bundle.package.kind != PackageKind::kPacked) return bundle;
  fail<ModelError>(path,
                   ": expected a bundle, found a packed model, which is only for translating and scoring with the "
                   "engine; give the bundle from which it was made");
}

LoadedModel read_model(const std::string& path) {
  std::error_code error;
  const auto type = fs::status(path, error).type();
  if (type == fs::file_type::not_found) {
    fail<ModelError>(path, ": does not exist; expected a bundle folder or a TorchScript file");
  }
  if (type == fs::file_type::directory) {
    Bundle opened = open_folder(path);
    return {std::move(opened.package), opened.weights.bytes()};
  }
  if (type == fs::file_type::regular) return {open_torchscript(path), {}};
  fail<ModelError>(path, ": cannot be opened; expected a bundle folder or a TorchScript file",
                   error ? ": " + error.message() : "");
}

Package read_package(const std::string& path) { return read_model(path).package; }

void check_output(const std::string& model, const std::string& output) {
  if (output == "-") return;
  const fs::path own = files::resolved(model), wanted = files::resolved(output);
  if (wanted == own || wanted.parent_path() == own) {
    fail<ConfigError>("--output: ", output, " is a file of the model ", model, "; give another file");
  }
}

void write_bundle(const std::string& path, const Package& package, const std::string& weights) {
  write_model(path, package, kWeightsFile, weights);
}

void write_packed(const std::string& path, const Package& package, const std::string& weights) {
  write_model(path, package, kPackedFile, weights);
}

}  // namespace ventris::model
