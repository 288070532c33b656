#include "imports/ctranslate2_model.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "core/error.h"
#include "files/files.h"
#include "files/paths.h"
#include "imports/ctranslate2_tokens.h"
#include "imports/ctranslate2_transformer.h"
#include "text/model_check.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

using architecture::TransformerOptions;

constexpr const char* kWeights = "model.bin";

/// Reads a model of CTranslate2 in the order in which its parts depend on each other.
class CTranslate2Import {
 public:
  CTranslate2Import(const ModelFiles& files, std::string folder, std::vector<GivenTokenizer> tokenizers)
      : files_(files),
        folder_(std::move(folder)),
        tokenizers_(std::move(tokenizers)),
        variables_(files.read(folder_ + kWeights), files.where(folder_ + kWeights)) {}

  Imported run(const std::string& path) {
    const std::optional<ConfigFile> config = read_config();
    special_ = special_tokens(variables_, config);
    TransformerOptions options = ctranslate2_options(variables_, epsilon_of(config));
    find_tokenizers();
    read_vocabularies();
    options.src_vocab = static_cast<int64_t>(sides_.source.rows.size());
    options.tgt_vocab = static_cast<int64_t>(sides_.target.rows.size());
    const Order features = unchanged(options.d_model);
    BundleWeights weights(variables_, options, features);
    take_ctranslate2(variables_, sides_, options, weights, imported_.notes);
    imported_.weights = weights.finish();
    configure(imported_.package, options, sides_, path);
    imported_.package.config.tokenizer.source_eos = special_.source_eos;
    imported_.package.config.tokenizer.languages = languages_of(sides_.source, sides_.target);
    imported_.what =
        fmt::format("a Transformer of CTranslate2 (file version {}, {})", variables_.version(), variables_.types());
    note_tokens();
    return std::move(imported_);
  }

 private:
  std::optional<ConfigFile> read_config() const {
    const std::string name = folder_ + "config.json";
    if (!files_.contains(name)) return std::nullopt;
    return ConfigFile(files_.read_text(name), files_.where(name));
  }

  static std::optional<double> epsilon_of(const std::optional<ConfigFile>& config) {
    const char* key = "layer_norm_epsilon";
    if (!config || !config->contains(key)) return std::nullopt;
    const double epsilon = config->number(key, 0);
    if (epsilon > 0 && epsilon < 1) return epsilon;
    fail<ModelError>(config->path(), ": ", key, ": expected a number between 0 and 1, found ", epsilon);
  }

  void find_tokenizers() {
    for (const char* name : {"source.spm", "target.spm"}) {
      const std::string file = folder_ + name;
      if (tokenizers_.size() > 1 || given_ || !files_.contains(file)) continue;
      tokenizers_.push_back({files_.read_text(file), files_.where(file)});
    }
    for (const GivenTokenizer& one : tokenizers_) text::check_model(one.bytes, one.where);
    if (tokenizers_.size() == 1) tokenizers_.push_back(tokenizers_.front());
  }

  void read_vocabularies() {
    const bool shared =
        files_.contains(folder_ + "shared_vocabulary.json") || files_.contains(folder_ + "shared_vocabulary.txt");
    std::vector<std::string> source = read_tokens_of(files_, folder_ + (shared ? "shared" : "source"), special_),
                             target = shared ? source : read_tokens_of(files_, folder_ + "target", special_);
    sides_.source_rows = static_cast<int64_t>(source.size());
    sides_.target_rows = static_cast<int64_t>(target.size());
    if (tokenizers_.empty()) {
      take_spaced(std::move(source), std::move(target));
    } else {
      take_with_tokenizers(source, target, shared);
    }
    model::Package& package = imported_.package;
    const std::string made = files_.where(folder_ + kWeights) + ": tokenizer of its tokens";
    static_cast<void>(text::Tokenizer(package.source_spm, tokenizers_.empty() ? made : tokenizers_[0].where));
    static_cast<void>(text::Tokenizer(package.target_spm, tokenizers_.empty() ? made : tokenizers_[1].where));
  }

  NewVocabulary made_of(const std::vector<std::string>& tokens, const std::vector<std::string_view>& spms,
                        const char* side) const {
    const bool zeros = variables_.number("decoder/start_from_zero_embedding").value_or(0) != 0;
    return vocabulary_of(tokens, special_, zeros, spms, files_.where(folder_ + side + " vocabulary"));
  }

  void take_with_tokenizers(const std::vector<std::string>& source, const std::vector<std::string>& target,
                            bool shared) {
    const std::string &of_source = tokenizers_[0].bytes, &of_target = tokenizers_[1].bytes;
    if (shared) {
      sides_.source = sides_.target = made_of(source, {of_source, of_target}, "shared");
    } else {
      sides_.source = made_of(source, {of_source}, "source");
      sides_.target = made_of(target, {of_target}, "target");
    }
    // Tokens of languages are never found in a text, nor written into one.
    for (const auto& [_, tokens] : languages_of(sides_.source, sides_.target)) {
      sides_.source.control.insert(tokens.source_prefix.front());
      sides_.target.control.insert(tokens.target_prefix.front());
    }
    imported_.package.source_spm = spm_with(of_source, sides_.source);
    imported_.package.target_spm = spm_with(of_target, sides_.target);
  }

  void take_spaced(std::vector<std::string> source, std::vector<std::string> target) {
    if (are_pieces(source) || are_pieces(target)) {
      fail<ConfigError>("--tokenizer: ", files_.where(folder_ + kWeights),
                        " was trained with SentencePiece, but has no tokenizer; give the model of SentencePiece, or ",
                        "those of source and target");
    }
    sides_.source = made_of(spaced_pieces(std::move(source), special_), {}, "source");
    sides_.target = made_of(spaced_pieces(std::move(target), special_), {}, "target");
    imported_.package.source_spm = spaced_spm(sides_.source);
    imported_.package.target_spm = spaced_spm(sides_.target);
    imported_.notes.emplace_back(
        "the model has no tokenizer: a text must be tokens separated by spaces, and a translation is; give a model of "
        "SentencePiece with --tokenizer if it was trained with one");
  }

  void note_tokens() {
    if (special_.eos_of_caller) {
      imported_.notes.push_back(
          fmt::format("a source ends with '{}': the model seems to be converted from Hugging "
                      "Face's transformers, whose tokenizer adds it",
                      special_.eos));
    }
    const size_t languages = imported_.package.config.tokenizer.languages.size();
    if (languages > 0) {
      imported_.notes.push_back(
          fmt::format("{} languages were found among the tokens; ventris-translate must be told "
                      "both with --source-language and --target-language",
                      languages));
    }
    note_pieces_without_row(sides_.source, imported_.notes);
  }

  const ModelFiles& files_;
  std::string folder_;
  std::vector<GivenTokenizer> tokenizers_;
  bool given_ = !tokenizers_.empty();
  CTranslate2Variables variables_;
  SpecialTokens special_;
  Sides sides_;
  Imported imported_;
};

}  // namespace

bool is_ctranslate2_folder(const std::string& path) { return files::exists(path + "/" + kWeights); }

Imported from_ctranslate2(const ModelFiles& files, const std::string& folder, const std::string& path,
                          std::vector<GivenTokenizer> tokenizers) {
  return CTranslate2Import(files, folder, std::move(tokenizers)).run(path);
}

Imported from_ctranslate2_folder(const std::string& folder, const std::vector<std::string>& tokenizers) {
  if (!is_ctranslate2_folder(folder)) fail<ModelError>(folder, "/", kWeights, ": does not exist");
  std::vector<GivenTokenizer> given;
  for (const std::string& path : tokenizers) given.push_back({files::read_plain_file(path), path});
  return from_ctranslate2(*files_of_folder(folder), "", folder, std::move(given));
}

}  // namespace ventris::imports
