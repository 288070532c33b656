#include "imports/argos_package.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/error.h"
#include "files/paths.h"
#include "imports/config_file.h"
#include "imports/ctranslate2_model.h"
#include "imports/model_files.h"
#include "text/model_proto.h"

namespace ventris::imports {
namespace {

constexpr const char* kMetadata = "metadata.json";
constexpr const char* kModelFolder = "model/";

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

void check_metadata(const ConfigFile& metadata) {
  const std::string type = metadata.text("type", "translate");
  if (type != "translate") {
    fail<ModelError>(metadata.path(), ": type: expected a package that translates ('translate'), found '", type, "'");
  }
}

/// The token with which the translations of some packages begin, as that of the target language.
model::LanguageMap language_with_prefix(const ConfigFile& metadata, const std::string& target_spm) {
  const std::string prefix = metadata.text("target_prefix", ""), language = metadata.text("to_code", "");
  if (prefix.empty()) return {};
  constexpr size_t kLongestName = 40;
  if (language.empty() || language.size() > kLongestName) {
    fail<ModelError>(metadata.path(), ": to_code: expected a language of at most ", kLongestName, " bytes, found '",
                     language, "'");
  }
  const auto model = text::parse_model_proto(target_spm);
  const bool known = std::ranges::find(model->pieces, prefix, &text::ModelPiece::text) != model->pieces.end();
  if (!known) {
    fail<ModelError>(metadata.path(), ": target_prefix: expected a token of the model, found '", prefix, "'");
  }
  return {{language, {.target_prefix = {prefix}}}};
}

GivenTokenizer tokenizer_of(const ModelFiles& files) {
  const std::string name = "sentencepiece.model", other = "bpe.model";
  if (files.contains(name)) return {files.read_text(name), files.where(name)};
  if (!files.contains(other)) fail<ModelError>(files.where(name), ": does not exist");
  std::string bytes = files.read_text(other);
  const auto model = text::parse_model_proto(bytes);
  if (model && !model->pieces.empty()) return {std::move(bytes), files.where(other)};
  fail<ModelError>(files.where(other), ": is a list of merges for words of Moses (subword-nmt); only packages with a ",
                   "SentencePiece model can be imported");
}

}  // namespace

bool is_argos_package(const std::string& path) {
  if (!is_folder(path)) return is_zip_with(path, kMetadata);
  return files::exists(path + "/" + kMetadata) && files::exists(path + "/" + kModelFolder + "model.bin");
}

Imported from_argos_package(const std::string& path) {
  const auto files = is_folder(path) ? files_of_folder(path) : files_of_zip(path, kMetadata);
  const ConfigFile metadata(files->read_text(kMetadata), files->where(kMetadata));
  check_metadata(metadata);
  Imported imported = from_ctranslate2(*files, kModelFolder, path, {tokenizer_of(*files)});
  // What Argos Translate searches with.
  imported.package.config.decoding.beam_size = 4;
  imported.package.config.decoding.length_alpha = 0.2;
  if (auto languages = language_with_prefix(metadata, imported.package.target_spm); !languages.empty()) {
    imported.package.config.tokenizer.languages = std::move(languages);
  }
  imported.what = fmt::format("a package of Argos Translate ({} to {}), {}", metadata.text("from_code", "?"),
                              metadata.text("to_code", "?"), imported.what);
  return imported;
}

}  // namespace ventris::imports
