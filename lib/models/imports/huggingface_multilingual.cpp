#include "imports/huggingface_multilingual.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "core/error.h"
#include "core/human.h"
#include "core/json_reader.h"
#include "files/paths.h"
#include "imports/huggingface_folder.h"
#include "imports/huggingface_seq2seq.h"
#include "text/model_proto.h"

namespace ventris::imports {
namespace {

using architecture::TransformerOptions;
using nlohmann::json;

constexpr int64_t kPositionOffset = 2;  // the vector of position i is row i + 2
constexpr int64_t kShift = 1;           // of ids of SentencePiece, from the first piece of text on
constexpr size_t kFirstText = 3;        // ids of SentencePiece before it are <unk>, <s>, </s>

/// The languages of M2M-100 in the order of their tokens, which follow the vocabulary.
constexpr const char* kM2mLanguages[] = {
    "af", "am", "ar", "ast", "az", "ba",  "be", "bg", "bn", "br", "bs", "ca", "ceb", "cs", "cy", "da", "de",
    "el", "en", "es", "et",  "fa", "ff",  "fi", "fr", "fy", "ga", "gd", "gl", "gu",  "ha", "he", "hi", "hr",
    "ht", "hu", "hy", "id",  "ig", "ilo", "is", "it", "ja", "jv", "ka", "kk", "km",  "kn", "ko", "lb", "lg",
    "ln", "lo", "lt", "lv",  "mg", "mk",  "ml", "mn", "mr", "ms", "my", "ne", "nl",  "no", "ns", "oc", "or",
    "pa", "pl", "ps", "pt",  "ro", "ru",  "sd", "si", "sk", "sl", "so", "sq", "sr",  "ss", "su", "sv", "sw",
    "ta", "th", "tl", "tn",  "tr", "uk",  "ur", "uz", "vi", "wo", "xh", "yi", "yo",  "zh", "zu"};
constexpr const char* kWmt21Languages[] = {"en", "ha", "is", "ja", "cs", "ru", "zh", "de"};

/// The languages of a model with their tokens, and the texts of all its rows.
struct Tokens {
  std::vector<std::string> texts;
  std::vector<std::pair<std::string, std::string>> languages;  // code, token
};

json read_json(const std::string& folder, const std::string& name) {
  try {
    return core::parse_json(huggingface_file(folder, name), folder + "/" + name);
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
}

void set_text(Tokens& tokens, int64_t row, const std::string& text, const std::string& where) {
  if (row < 0 || row >= static_cast<int64_t>(tokens.texts.size())) {
    fail<ModelError>(where, ": token '", text, "': expected a row from 0 to ", tokens.texts.size() - 1, ", found ",
                     row);
  }
  tokens.texts[static_cast<size_t>(row)] = text;
}

/// Of an M2M-100: vocab.json, then the languages.
Tokens tokens_of_m2m(const std::string& folder, const ConfigFile& tokenizer, int64_t rows) {
  Tokens tokens{read_tokens(folder, "vocab.json", rows), {}};
  const auto first = static_cast<int64_t>(read_json(folder, "vocab.json").size());
  const bool wmt = tokenizer.text("language_codes", "m2m100") == "wmt21";
  int64_t row = first;
  for (const char* code :
       wmt ? std::span<const char* const>(kWmt21Languages) : std::span<const char* const>(kM2mLanguages)) {
    tokens.languages.emplace_back(code, std::string("__") + code + "__");
    set_text(tokens, row++, tokens.languages.back().second, tokenizer.path());
  }
  return tokens;
}

/// The tokens beside those of SentencePiece, by row: of tokenizer_config.json or, in older folders, tokenizer.json.
std::map<int64_t, std::string> added_tokens(const std::string& folder) {
  std::map<int64_t, std::string> added;
  const json config = read_json(folder, "tokenizer_config.json");
  const auto take = [&](int64_t row, const json& token) {
    if (token.is_object() && token.contains("content") && token.at("content").is_string())
      added[row] = token.at("content");
  };
  if (config.is_object() && config.contains("added_tokens_decoder") && config.at("added_tokens_decoder").is_object()) {
    for (const auto& [row, token] : config.at("added_tokens_decoder").items())
      take(std::strtoll(row.c_str(), nullptr, 10), token);
  } else if (files::exists(folder + "/tokenizer.json")) {
    const json whole = read_json(folder, "tokenizer.json");
    for (const json& token : whole.value("added_tokens", json::array())) {
      if (token.is_object() && token.contains("id") && token.at("id").is_number_integer()) take(token.at("id"), token);
    }
  }
  return added;
}

/// Of the others: the pieces of SentencePiece, then the languages.
Tokens tokens_of_pieces(const std::string& folder, const std::string& spm, int64_t rows) {
  constexpr std::array<const char*, 4> kSpecial{"<s>", "<pad>", "</s>", "<unk>"};
  const std::string where = folder + "/tokenizer_config.json";
  Tokens tokens{std::vector<std::string>(static_cast<size_t>(rows)), {}};
  for (size_t row = 0; row < kSpecial.size(); ++row) set_text(tokens, static_cast<int64_t>(row), kSpecial[row], where);
  const auto model = text::parse_model_proto(spm);
  for (size_t id = kFirstText; id < model->pieces.size(); ++id) {
    set_text(tokens, static_cast<int64_t>(id) + kShift, std::string(model->pieces[id].text), where);
  }
  const auto last = static_cast<int64_t>(model->pieces.size()) - 1 + kShift;
  for (const auto& [row, text] : added_tokens(folder)) {
    if (row <= last) continue;
    set_text(tokens, row, text, where);
    if (text != "<mask>") tokens.languages.emplace_back(text, text);
  }
  if (tokens.languages.empty()) {
    fail<ModelError>(where, ": expected the tokens of languages under \"added_tokens_decoder\", found none");
  }
  return tokens;
}

/// `behind`: the token of the source language is behind its eos.
model::LanguageMap languages_of_tokens(const Tokens& tokens, bool behind) {
  model::LanguageMap languages;
  for (const auto& [code, token] : tokens.languages) {
    model::LanguageTokens& language = languages[code];
    (behind ? language.source_suffix : language.source_prefix) = {token};
    language.target_prefix = {token};
  }
  return languages;
}

/// The sinusoids of M2M-100, in single precision as it computes them: sines before cosines, in steps of
/// 10000^(1 / (d/2 - 1)).
std::vector<float> m2m_positions(const TransformerOptions& options) {
  const int64_t half = options.d_model / 2;
  const auto step = static_cast<float>(std::log(10000.0) / static_cast<double>(half - 1));
  std::vector<float> table(static_cast<size_t>(options.max_positions * options.d_model));
  for (int64_t position = 0; position < options.max_positions; ++position) {
    float* row = table.data() + position * options.d_model;
    for (int64_t i = 0; i < half; ++i) {
      const float angle = static_cast<float>(position + kPositionOffset) * std::exp(static_cast<float>(i) * -step);
      row[i] = std::sin(angle);
      row[half + i] = std::cos(angle);
    }
  }
  return table;
}

void take_positions(const TransformerOptions& options, bool mbart, BundleWeights& weights) {
  for (const auto& [ours, theirs] :
       {std::pair<std::string, std::string>{"src_embed.1", "model.encoder."}, {"tgt_embed.1", "model.decoder."}}) {
    if (!mbart) {
      weights.set(ours + ".pe", m2m_positions(options));
      weights.ignore(theirs + "embed_positions.weights");
      continue;
    }
    std::vector<float> table =
        weights.take(theirs + "embed_positions.weight", {options.max_positions + kPositionOffset, options.d_model});
    table.erase(table.begin(), table.begin() + kPositionOffset * options.d_model);
    weights.set(ours + ".pe", std::move(table));
    weights.norm(ours + ".norm", theirs + "layernorm_embedding");
  }
}

void check_tokenizer(const ConfigFile& tokenizer) {
  const std::string found = tokenizer.text("tokenizer_class", "");
  if (found != "MBartTokenizer" && found != "MBartTokenizerFast") return;
  fail<ModelError>(tokenizer.path(), ": tokenizer_class: expected that of an mBART-50, an NLLB or an M2M-100, found '",
                   found, "', whose decoder starts with the language");
}

}  // namespace

Imported from_multilingual_folder(const std::string& folder) {
  const ConfigFile config(folder + "/config.json"), tokenizer(folder + "/tokenizer_config.json");
  check_tokenizer(tokenizer);
  const bool mbart = config.text("model_type", "") == "mbart";
  TransformerOptions options = seq2seq_options(config);
  options.norm = architecture::NormPlace::kPre;
  options.positions = architecture::Positions::kLearned;
  options.embedding_norm = mbart;
  const int64_t rows = config.required("vocab_size", 4);
  const std::string spm = read_spm(folder, "sentencepiece.bpe.model"), where = folder + "/sentencepiece.bpe.model";
  const Tokens tokens = files::exists(folder + "/vocab.json") ? tokens_of_m2m(folder, tokenizer, rows)
                                                              : tokens_of_pieces(folder, spm, rows);
  const Vocabulary old = special_rows(config, tokens.texts, where);
  const NewVocabulary made = new_vocabulary(old, {spm}, where);
  const Sides sides{rows, rows, made, made};
  const auto tensors = huggingface_weights(folder);
  const Order features = unchanged(options.d_model);
  BundleWeights weights(*tensors, options, features);
  take_seq2seq(*tensors, sides, options, weights);
  take_positions(options, mbart, weights);
  Imported imported;
  imported.weights = weights.finish();
  imported.package.source_spm = imported.package.target_spm = new_spm(spm, made);
  configure(imported.package, options, sides, folder);
  imported.package.config.decoding = read_decoding(folder, config);
  imported.package.config.tokenizer.languages = languages_of_tokens(tokens, tokenizer.flag("legacy_behaviour", false));
  imported.what = std::string("an ") + (mbart ? "mBART-50" : "M2M-100 or NLLB") + " of Hugging Face's transformers";
  imported.notes.push_back(
      fmt::format("it has {}; --source-language and --target-language say which; the longest sentence has {} tokens",
                  core::count_of(static_cast<int64_t>(tokens.languages.size()), "language"), options.max_positions));
  return imported;
}

}  // namespace ventris::imports
