#include "imports/import_model.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "exports/huggingface.h"
#include "files/paths.h"
#include "imports/argos_package.h"
#include "imports/config_file.h"
#include "imports/ctranslate2_model.h"
#include "imports/eole_model.h"
#include "imports/fairseq_model.h"
#include "imports/huggingface_marian.h"
#include "imports/huggingface_multilingual.h"
#include "imports/huggingface_t5.h"
#include "imports/joeynmt_model.h"
#include "imports/marian_folder.h"
#include "imports/marian_model.h"
#include "imports/opennmt_model.h"
#include "imports/pytorch_model.h"

namespace ventris::imports {
namespace {

void refuse_tokenizer(const ImportOptions& options, const std::string& kind) {
  if (options.tokenizer.empty()) return;
  fail<ConfigError>("--tokenizer: ", kind, " has its tokenizers in its folder; leave it out");
}

void refuse_second_tokenizer(const ImportOptions& options, const std::string& kind) {
  if (options.target_tokenizer.empty()) return;
  fail<ConfigError>("--tokenizer: ", kind, " has one tokenizer, found two; give one");
}

std::vector<std::string> tokenizers_of(const ImportOptions& options) {
  std::vector<std::string> tokenizers;
  for (const std::string& one : {options.tokenizer, options.target_tokenizer}) {
    if (!one.empty()) tokenizers.push_back(one);
  }
  return tokenizers;
}

bool is_huggingface(const std::string& path) { return files::exists(path + "/config.json"); }

Imported from_huggingface(const ImportOptions& options) {
  const ConfigFile config(options.model + "/config.json");
  const std::string type = config.text("model_type", "");
  if (type == "bert") {
    refuse_second_tokenizer(options, "a BERT");
    exports::Imported bert = exports::from_huggingface(options.model, options.tokenizer);
    return {std::move(bert.package), std::move(bert.weights), "a BERT of Hugging Face's transformers"};
  }
  if (type == "marian" || type == "pegasus") {
    refuse_tokenizer(options, type == "marian" ? "a MarianMT" : "a Pegasus");
    return from_marian_folder(options.model);
  }
  if (type == "m2m_100" || type == "mbart") {
    refuse_tokenizer(options, type == "mbart" ? "an mBART" : "an M2M-100 or NLLB");
    return from_multilingual_folder(options.model);
  }
  if (type == "t5" || type == "mt5") {
    refuse_tokenizer(options, type == "t5" ? "a T5" : "an mT5");
    return from_t5_folder(options.model);
  }
  fail<ModelError>(config.path(), ": model_type: expected bert, m2m_100, marian, mbart, mt5, pegasus or t5, found '",
                   type, "'; other models cannot be imported");
}

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return std::filesystem::is_directory(path, unknown);
}

/// Bergamot has a model.bin, too.
bool is_ctranslate2(const std::string& path) { return is_ctranslate2_folder(path) && !is_marian_folder(path); }

Imported from_ctranslate2(const ImportOptions& options) {
  return from_ctranslate2_folder(options.model, tokenizers_of(options));
}

Imported from_pytorch(const ImportOptions& options) {
  return from_pytorch_model(options.model, {tokenizers_of(options), options.heads});
}

Imported from_argos(const ImportOptions& options) {
  refuse_tokenizer(options, "a package of Argos Translate");
  return from_argos_package(options.model);
}

bool is_marian(const std::string& path) { return is_marian_file(path) || is_marian_folder(path); }

Imported from_marian(const ImportOptions& options) {
  MarianFolder files{options.model, tokenizers_of(options)};
  if (is_folder(options.model)) {
    files = find_marian_files(options.model);
    const bool given = !options.tokenizer.empty() || !options.vocabularies.empty();
    if (given) files.tokenizers = tokenizers_of(options);
  }
  return from_marian_file(files.model, {files.tokenizers, options.vocabularies}, options.shortlist);
}

Imported from_joey(const ImportOptions& options) {
  return from_joeynmt(options.model, {tokenizers_of(options), options.vocabularies});
}

Imported from_eole_folder(const ImportOptions& options) { return from_eole(options.model, tokenizers_of(options)); }

Imported from_fairseq_checkpoint(const ImportOptions& options) {
  return from_fairseq(options.model, {tokenizers_of(options), options.vocabularies});
}

Imported from_opennmt_checkpoint(const ImportOptions& options) {
  return from_opennmt(options.model, tokenizers_of(options));
}

/// A kind of model: its name, whether a path looks like one, and how it is read.
struct Format {
  const char* name;
  bool (*is)(const std::string& path);
  Imported (*read)(const ImportOptions& options);
  bool has_vocabularies = false;  ///< whether lists of tokens can be given
};

/// The first that `is` accepts is taken.
constexpr Format kFormats[] = {{"argos", is_argos_package, from_argos},
                               {"ctranslate2", is_ctranslate2, from_ctranslate2},
                               {"eole", is_eole, from_eole_folder},
                               {"fairseq", is_fairseq, from_fairseq_checkpoint, true},
                               {"huggingface", is_huggingface, from_huggingface},
                               {"joeynmt", is_joeynmt, from_joey, true},
                               {"marian", is_marian, from_marian, true},
                               {"opennmt", is_opennmt, from_opennmt_checkpoint},
                               {"pytorch", is_state_dict, from_pytorch}};

void refuse_other_options(const ImportOptions& options, const Format& format) {
  if (!options.vocabularies.empty() && !format.has_vocabularies) {
    fail<ConfigError>("--vocabulary: only for a model of fairseq, JoeyNMT, Marian or Bergamot; leave it out");
  }
  if (!options.shortlist.empty() && format.read != from_marian) {
    fail<ConfigError>("--shortlist: only for a model of Marian or Bergamot; leave it out");
  }
  if (options.heads > 0 && format.read != from_pytorch) {
    fail<ConfigError>("--heads: is only for a state dict of PyTorch; this model says how many it has, leave it out");
  }
}

/// "argos, ctranslate2, ... or pytorch"
std::string list_of_formats() {
  std::string list;
  for (const Format& format : kFormats) {
    const bool last = &format == std::end(kFormats) - 1;
    list += (list.empty() ? "" : last ? " or " : ", ") + std::string(format.name);
  }
  return list;
}

bool is_folder_or_file(const std::string& path) {
  std::error_code unknown;
  const auto type = std::filesystem::status(path, unknown).type();
  return type == std::filesystem::file_type::directory || type == std::filesystem::file_type::regular;
}

/// Throws ModelError if the bundle could not be opened: the other program has wider limits than this one.
void check_bundle(const Imported& imported) {
  const model::Package& package = imported.package;
  static_cast<void>(model::ModelConfig::parse(package.config.to_json(), package.path));
}

const Format* format_of(const ImportOptions& options) {
  const auto* const found = std::ranges::find_if(kFormats, [&](const Format& format) {
    return options.from.empty() ? format.is(options.model) : options.from == format.name;
  });
  return found == std::end(kFormats) ? nullptr : found;
}

}  // namespace

std::vector<std::string> import_formats() {
  std::vector<std::string> names;
  for (const Format& format : kFormats) names.emplace_back(format.name);
  return names;
}

Imported import_model(const ImportOptions& options) {
  if (!files::exists(options.model)) fail<ModelError>(options.model, ": does not exist");
  if (!is_folder_or_file(options.model)) {
    fail<ModelError>(options.model, ": expected a folder or a file, found a pipe or a device");
  }
  const Format* format = format_of(options);
  if (format == nullptr && !options.from.empty()) {
    fail<ConfigError>("--from: expected ", list_of_formats(), ", found '", options.from, "'");
  }
  if (format == nullptr) {
    fail<ModelError>(
        options.model,
        ": expected a folder of Hugging Face's transformers with a config.json, a folder of CTranslate2 with a "
        "model.bin, a package of Argos Translate, a model of Marian (.npz or .bin, or a folder with one), a folder of "
        "Eole or JoeyNMT, a "
        "checkpoint of fairseq or OpenNMT-py, or a state dict of PyTorch; models of other programs cannot be imported");
  }
  refuse_other_options(options, *format);
  Imported imported = format->read(options);
  check_bundle(imported);
  return imported;
}

}  // namespace ventris::imports
