#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "files/folders.h"
#include "model/model_config.h"
#include "model/safetensors.h"

namespace ventris::model {

/// How a model is stored: as a bundle (a folder), as a packed model (a folder that only the engine can use,
/// engine/packed_file.h), or as a TorchScript export (one file).
enum class PackageKind { kBundle, kPacked, kTorchScript };

/// Name, element type and shape of a stored tensor, for listings.
struct TensorSummary {
  std::string name;
  std::string dtype;  ///< as safetensors writes it: "F32"
  std::vector<int64_t> shape;
  std::string tied_to;  ///< the tensor whose bytes it shares; empty = not tied
};

/// A model without its weights: configuration and tokenizers, and what a listing shows.
struct Package {
  PackageKind kind = PackageKind::kBundle;
  std::string path;
  ModelConfig config;
  std::string source_spm;  ///< serialised tokenizers; both the same if shared
  std::string target_spm;
  std::vector<TensorSummary> tensors;  ///< stored ones in file order, then tied ones by name
  std::shared_ptr<const std::string> script;  ///< for an export: a path to the opened file, even if `path` is
                                              ///< replaced later; valid as long as this object lives
};

/// A bundle with its weights.
struct Bundle {
  Package package;
  Safetensors weights;
};

/// The names of the files of weights, in a bundle and in a packed model. Both are in the safetensors format.
inline constexpr const char* kWeightsFile = "model.safetensors";
inline constexpr const char* kPackedFile = "model.packed";

/// A model for use: a bundle or a packed model with its weights, or an export, whose weights stay in its file.
struct LoadedModel {
  Package package;
  core::SharedBytes weights;  ///< kWeightsFile or kPackedFile, mapped into memory; none = an export
};

/// Names inside a TorchScript archive's extra files (folder "extra/" of the zip file).
inline constexpr const char* kExtraConfig = "config.json";
inline constexpr const char* kExtraSourceSpm = "source.spm";
inline constexpr const char* kExtraTargetSpm = "target.spm";
inline constexpr const char* kExtraTensors =
    "tensors.json";  ///< [{"name":..., "dtype":..., "shape":[...]}]; tied tensors have "tied_to"

/// The content of the extra file kExtraTensors.
std::string tensors_to_json(const std::vector<TensorSummary>& tensors);

/// Lists the tensors of a safetensors file.
std::vector<TensorSummary> summarise(const Safetensors& file);

/// Reads a folder of a bundle or a packed model (and checks every file against MANIFEST) or a TorchScript export (and
/// checks the CRC of every entry; nothing in it is run). The tensors of a packed model are only listed; the engine
/// compares them with config.json. Tokenizers are checked (text/model_check.h). Throws ModelError with the file, what
/// was expected and what was found.
Package read_package(const std::string& path);

/// The same, with the weights of a bundle or a packed model.
LoadedModel read_model(const std::string& path);

/// Reads a bundle folder with its weights, after the same checks. Throws ModelError for a packed model, too.
Bundle read_bundle(const std::string& path);

/// The same for files that are not in place yet: a bundle or a packed model of the files of a folder, after the same
/// checks. `path` names the folder in messages. The bytes of weights are those in `mapped`.
Bundle bundle_of(const std::string& path, std::vector<files::FolderFile> files);

/// Throws ConfigError if writing `output` would replace the model's file or a file in its folder. "-" is allowed.
void check_output(const std::string& model, const std::string& output);

/// Writes a bundle folder: config.json, model.safetensors, source.spm, target.spm unless shared, MANIFEST.
/// `weights` are the bytes of a safetensors file. Throws WriteError; an older bundle then stays as it was.
void write_bundle(const std::string& path, const Package& package, const std::string& weights);

/// The same for a packed model: model.packed in place of model.safetensors.
void write_packed(const std::string& path, const Package& package, const std::string& weights);

}  // namespace ventris::model
