#include "torchscript/verify_export.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "architecture/transformer_options.h"
#include "core/error.h"
#include "core/special_ids.h"
#include "engine/factory.h"
#include "files/files.h"
#include "imports/import_model.h"
#include "model/floats.h"
#include "translation/model_text.h"
#include "translation/verification.h"

namespace ventris::torchscript {
namespace {

namespace fs = std::filesystem;
using Scorers = std::shared_ptr<const decoding::ScorerFactory>;

/// A folder for temporary files, which goes with this object.
class ShortLivedFolder {
 public:
  ShortLivedFolder() {
    std::error_code error;
    const std::string parent = fs::temp_directory_path(error).string();
    path_ = parent + "/ventris-verify-XXXXXX";
    if (!error && mkdtemp(path_.data()) != nullptr) return;
    fail<WriteError>("--verify: no temporary folder can be made in '", parent,
                     "'; set the environment variable TMPDIR to a folder that can be written");
  }
  ~ShortLivedFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ShortLivedFolder(const ShortLivedFolder&) = delete;
  ShortLivedFolder& operator=(const ShortLivedFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

imports::Imported read_back(const model::Package& package, const WrittenExport& written) {
  const ShortLivedFolder folder;
  for (const auto& [name, bytes] : written.files) files::write_file(folder.file(name), bytes);
  imports::ImportOptions options{folder.path()};
  options.from = written.from;
  if (!written.model.empty()) {
    options.model = folder.file(written.model);
    options.tokenizer = folder.file("tokenizer of the source.spm");
    options.target_tokenizer = folder.file("tokenizer of the target.spm");
    files::write_file(options.tokenizer, package.source_spm);
    files::write_file(options.target_tokenizer, package.target_spm);
    const auto& transformer = dynamic_cast<const architecture::TransformerArchitecture&>(*package.config.architecture);
    options.heads = transformer.options.heads;
  }
  try {
    return imports::import_model(options);
  } catch (const core::Error& error) {
    fail<ModelError>("--verify: the export cannot be read back, so nothing can be compared; leave --verify out (",
                     error.what(), ")");
  }
}

/// The same tokens of each line, as texts; ids may differ.
void compare_tokens(const model::Package& expected, const model::Package& found, const std::vector<std::string>& lines,
                    const std::string& file) {
  const text::Tokenizer ours = translation::source_tokenizer(expected), theirs = translation::source_tokenizer(found);
  const auto tokens = [](const text::Tokenizer& tokenizer, const std::string& line) {
    std::string all;
    for (const int32_t id : tokenizer.encode(line)) all += (all.empty() ? "" : " ") + tokenizer.piece(id);
    return all;
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string one = tokens(ours, lines[i]), other = tokens(theirs, lines[i]);
    if (one == other) continue;
    fail<ModelError>(file, ":", i + 1, ": the export has other tokens: '", other, "', expected '", one, "'");
  }
}

/// The weights of a model whose output layer gives padding and start no probability.
std::string without_specials(const model::Safetensors& weights) {
  constexpr float kNever = -1e9F;
  constexpr const char* kBias = "generator.proj.bias";
  std::vector<float> bias = model::floats_of(weights, weights.at(kBias));
  const core::SpecialIds ids;
  bias.at(static_cast<size_t>(ids.pad)) = bias.at(static_cast<size_t>(ids.bos)) = kNever;
  std::vector<model::TensorView> tensors = weights.tensors();
  for (model::TensorView& tensor : tensors) {
    if (tensor.name != kBias) continue;
    tensor.dtype = model::DType::kF32;
    tensor.bytes = {reinterpret_cast<const char*>(bias.data()), bias.size() * sizeof(float)};
  }
  return model::write_safetensors(tensors, weights.metadata());
}

Scorers scorers_of(const model::ModelConfig& config, const model::Safetensors& weights) {
  return engine::make_factory(config, weights, {});
}

/// A model and what translates with it.
struct Opened {
  const model::Package& package;
  Scorers scorers;
};

void compare(const Opened& bundle, const Opened& written, const std::string& file, int beam_size) {
  const std::vector<std::string> lines = translation::lines_to_compare(file);
  compare_tokens(bundle.package, written.package, lines, file);
  auto options = translation::comparison_options(bundle.package, beam_size);
  const int64_t longest =
      std::min(bundle.package.config.architecture->max_length(), written.package.config.architecture->max_length());
  options.max_source_length = options.search.longest = longest;  // one of the models may take longer sentences
  const auto expected = translation::best_translations(bundle.package, bundle.scorers, lines, options);
  const auto found = translation::best_translations(written.package, written.scorers, lines, options);
  translation::log_verified(lines.size(), translation::compare_translations(expected, found, file, "the export"));
}

}  // namespace

void verify_export(const model::Bundle& bundle, const WrittenExport& written, const std::string& file, int beam_size) {
  const imports::Imported imported = read_back(bundle.package, written);
  const auto weights = model::Safetensors::parse(imported.weights, "the export");
  const std::string changed = written.generates_specials ? "" : without_specials(bundle.weights);
  const Scorers expected =
      scorers_of(bundle.package.config,
                 changed.empty() ? bundle.weights : model::Safetensors::parse(changed, bundle.package.path));
  compare({bundle.package, expected}, {imported.package, scorers_of(imported.package.config, weights)}, file,
          beam_size);
}

void verify_packed(const model::Bundle& bundle, const std::string& packed, const std::string& file, int beam_size) {
  const auto weights = model::Safetensors::parse(packed, "the export");
  compare({bundle.package, scorers_of(bundle.package.config, bundle.weights)},
          {bundle.package, engine::make_packed_factory(bundle.package.config, weights, {})}, file, beam_size);
}

}  // namespace ventris::torchscript
