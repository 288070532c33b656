#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/config.h"
#include "model/safetensors.h"

namespace ventris::model {

/// What holds a model: a bundle (a folder) or a TorchScript export (one file).
enum class PackageKind { kBundle, kTorchScript };

/// Name, element type and shape of a stored tensor, for listings.
struct TensorSummary {
  std::string name;
  std::string dtype;  ///< as safetensors writes it: "F32"
  std::vector<int64_t> shape;
  std::string tied_to;  ///< the tensor whose bytes it shares; empty = it has its own
};

/// A model without its weights: all that text needs, and what a listing shows.
struct Package {
  PackageKind kind = PackageKind::kBundle;
  std::string path;
  ModelConfig config;
  std::string source_spm;  ///< serialised tokenizers; the same text if shared
  std::string target_spm;
  std::vector<TensorSummary> tensors;  ///< stored ones in file order, then tied ones by name
  std::shared_ptr<const std::string> script;  ///< of an export: a path to the very file that was opened, whatever
                                              ///< becomes of `path`; good as long as this lives
};

/// A bundle with its weights.
struct Bundle {
  Package package;
  Safetensors weights;
};

/// A model to be used: a bundle with its weights, or an export, whose weights stay in its file.
struct LoadedModel {
  Package package;
  std::shared_ptr<const std::string> weights;  ///< model.safetensors; null = an export
};

/// Names inside a TorchScript archive's extra files (folder "extra/" of the zip file).
inline constexpr const char* kExtraConfig = "config.json";
inline constexpr const char* kExtraSourceSpm = "source.spm";
inline constexpr const char* kExtraTargetSpm = "target.spm";
inline constexpr const char* kExtraTensors =
    "tensors.json";  ///< [{"name":..., "dtype":..., "shape":[...]}]; tied ones: "tied_to"

/// The TorchScript extra file kExtraTensors.
std::string tensors_to_json(const std::vector<TensorSummary>& tensors);

/// What a safetensors file holds.
std::vector<TensorSummary> summarise(const Safetensors& file);

/// Opens a bundle folder (every file is checked against MANIFEST) or a TorchScript export (every entry is checked
/// against the archive's CRC; nothing in it is run). Tokenizers pass text/model_check.h. Throws ModelError naming the
/// file, what was expected and what was found.
Package open_package(const std::string& path);

/// The same, to be used.
LoadedModel load_model(const std::string& path);

/// Opens a bundle folder with its weights: the same checks, and every file is read only once.
Bundle open_bundle(const std::string& path);

/// Throws ConfigError if `output` is the model's own file, or lies in its folder: it would be replaced. "-" is none.
void check_output(const std::string& model, const std::string& output);

/// Writes a bundle folder: config.json, model.safetensors, source.spm, target.spm unless shared, MANIFEST.
/// `weights` is a safetensors file's bytes. Throws WriteError; an older bundle of that name is then untouched.
void write_bundle(const std::string& path, const Package& package, const std::string& weights);

}  // namespace ventris::model
