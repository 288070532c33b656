#include "imports/huggingface_multilingual.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/error.h"
#include "core/human.h"
#include "files/paths.h"
#include "imports/halved_sinusoids.h"
#include "imports/huggingface_folder.h"
#include "imports/huggingface_seq2seq.h"
#include "text/model_proto.h"

namespace ventris::imports {
namespace {

constexpr int64_t kFirstPosition = 2;  // rows of a table before that of the first token
constexpr const char* kMultilingualSpm = "sentencepiece.bpe.model";

/// The languages of M2M-100 in the order of their rows, which no file of a folder lists.
constexpr const char* kLanguagesOfM2m =
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu ha he hi "
    "hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms my ne nl no ns "
    "oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk ur uz vi wo xh yi yo zh "
    "zu";
/// Those of its models of WMT 2021.
constexpr const char* kLanguagesOfWmt21 = "en ha is ja cs ru zh de";

enum class Multilingual { kM2M100, kNllb, kMBart50 };

const char* name_of(Multilingual kind) {
  return kind == Multilingual::kM2M100 ? "an M2M-100" : kind == Multilingual::kNllb ? "an NLLB" : "an mBART-50";
}

using AddedTokens = std::map<std::string, int64_t>;

/// The files of a folder, which are read once.
class MultilingualFolder {
 public:
  explicit MultilingualFolder(std::string folder)
      : path_(std::move(folder)), config_(path_ + "/config.json"), spm_(huggingface_spm(path_, kMultilingualSpm)) {
    settings_ = optional_json("tokenizer_config.json");
    kind_ = find_kind();
    rows_ = huggingface_rows(config_, "vocab_size");
  }

  const ConfigFile& config() const { return config_; }
  const std::string& spm() const { return spm_; }
  Multilingual kind() const { return kind_; }
  int64_t rows() const { return rows_; }

  /// The tokens by row.
  Vocabulary vocabulary() {
    std::vector<std::string> texts =
        kind_ == Multilingual::kM2M100 ? token_rows(path_, "vocab.json", rows_) : shifted_pieces();
    add_tokens(texts);
    return with_special_rows(config_, std::move(texts), "eos_token_id", path_);
  }
  /// Whether vocabulary() has found this token outside the SentencePiece model.
  bool is_added(const std::string& text) const { return added_.contains(text); }
  /// Those of the tokens that vocabulary() has found.
  model::LanguageMap languages() const {
    const bool last =
        kind_ == Multilingual::kNllb && settings_.value("legacy_behaviour", nlohmann::json(false)) == true;
    model::LanguageMap languages;
    for (const std::string& token : language_tokens_) {
      model::LanguageTokens& language = languages[code_of(token)];
      (last ? language.source_suffix : language.source_prefix) = {token};
      language.target_prefix = {token};
    }
    return languages;
  }

 private:
  nlohmann::json optional_json(const std::string& name) const {
    if (!files::exists(path_ + "/" + name)) return nlohmann::json::object();
    nlohmann::json found = huggingface_json(path_, name);
    if (!found.is_object()) fail<ModelError>(path_, "/", name, ": expected a JSON object, found another value");
    return found;
  }
  Multilingual find_kind() const {
    if (config_.text("model_type", "") == "m2m_100") {
      return files::exists(path_ + "/vocab.json") ? Multilingual::kM2M100 : Multilingual::kNllb;
    }
    nlohmann::json named = settings_.value("tokenizer_class", nlohmann::json(config_.text("tokenizer_class", "")));
    const std::string tokenizer = named.is_string() ? named.get<std::string>() : "";
    if (tokenizer.starts_with("MBart50Tokenizer")) return Multilingual::kMBart50;
    fail<ModelError>(path_, ": expected a tokenizer_config.json or config.json with \"tokenizer_class\" ",
                     "MBart50Tokenizer, found '", tokenizer, "'; of the mBART models, only mBART-50 can be imported");
  }
  /// A row is that of the SentencePiece model + 1; the first ones are special.
  std::vector<std::string> shifted_pieces() const {
    std::vector<std::string> texts{"<s>", "<pad>", "</s>", "<unk>"};
    const auto model = text::parse_model_proto(spm_);
    const bool known = model->pieces.size() > 3 && model->pieces[0].type == text::PieceType::kUnknown &&
                       model->pieces[1].text == "<s>" && model->pieces[2].text == "</s>";
    if (!known) fail<ModelError>(path_, "/", kMultilingualSpm, ": expected the pieces <unk>, <s> and </s> first");
    for (size_t id = 3; id < model->pieces.size(); ++id) texts.emplace_back(model->pieces[id].text);
    if (static_cast<int64_t>(texts.size()) > rows_) {
      fail<ModelError>(path_, "/", kMultilingualSpm, ": expected at most ", rows_ - 1,
                       " pieces as in config.json, found ", model->pieces.size());
    }
    return texts;
  }
  std::string code_of(const std::string& token) const {
    return kind_ == Multilingual::kM2M100 ? token.substr(2, token.size() - 4) : token;
  }
  bool is_language(const std::string& token) const {
    if (kind_ == Multilingual::kM2M100) return token.size() > 4 && token.starts_with("__") && token.ends_with("__");
    return token.size() > 1 && token.find('_') != std::string::npos && token.find_first_of("<> ") == std::string::npos;
  }

  /// Puts the tokens that other files add to the vocabulary into their rows.
  void add_tokens(std::vector<std::string>& texts) {
    added_ = added_tokens(number_of_own(texts));
    texts.resize(static_cast<size_t>(rows_));
    for (const auto& [text, row] : added_) {
      if (row < 0 || row >= rows_) {
        fail<ModelError>(path_, ": the token '", text, "' has row ", row, ", but vocab_size is ", rows_);
      }
      texts[static_cast<size_t>(row)] = text;
      if (is_language(text)) language_tokens_.push_back(text);
    }
    if (!language_tokens_.empty()) return;
    fail<ModelError>(path_, ": has no tokens of languages; expected them in tokenizer.json, tokenizer_config.json, ",
                     "added_tokens.json or special_tokens_map.json");
  }
  static int64_t number_of_own(const std::vector<std::string>& texts) {
    const auto last = std::find_if(texts.rbegin(), texts.rend(), [](const auto& text) { return !text.empty(); });
    return texts.rend() - last;
  }
  AddedTokens added_tokens(int64_t own) const {
    if (kind_ == Multilingual::kM2M100) return m2m_languages(own);
    AddedTokens added;
    for (const auto& token : list_in(optional_json("tokenizer.json"), "added_tokens")) {
      if (token.is_object()) add(added, token, token.value("id", nlohmann::json()));
    }
    if (const auto by_row = settings_.find("added_tokens_decoder"); by_row != settings_.end() && by_row->is_object()) {
      for (const auto& [row, token] : by_row->items()) add(added, token, row_of(row));
    }
    const nlohmann::json by_text = optional_json("added_tokens.json");
    for (const auto& [text, row] : by_text.items()) add(added, text, row);
    const bool has_language = std::ranges::any_of(added, [&](const auto& one) { return is_language(one.first); });
    if (!has_language) add_in_order(added, own);
    return added;
  }
  AddedTokens m2m_languages(int64_t row) const {
    const bool wmt21 = settings_.value("language_codes", nlohmann::json()) == "wmt21";
    std::istringstream codes(wmt21 ? kLanguagesOfWmt21 : kLanguagesOfM2m);
    AddedTokens added;
    for (std::string code; codes >> code;) added["__" + code + "__"] = row++;
    return added;
  }
  /// Languages without rows follow the other tokens in the order in which they are listed.
  void add_in_order(AddedTokens& added, int64_t row) const {
    nlohmann::json listed = list_in(optional_json("special_tokens_map.json"), "additional_special_tokens");
    if (listed.empty()) listed = list_in(settings_, "additional_special_tokens");
    for (const auto& token : listed) {
      const std::string text = text_of(token);
      if (is_language(text)) added[text] = row++;
    }
  }
  static nlohmann::json list_in(const nlohmann::json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_array() ? *found : nlohmann::json::array();
  }
  static nlohmann::json row_of(const std::string& text) {
    const bool number = !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
    return number ? nlohmann::json(std::stoul(text)) : nlohmann::json();
  }
  static std::string text_of(const nlohmann::json& token) {
    const nlohmann::json text = token.is_object() ? token.value("content", nlohmann::json()) : token;
    return text.is_string() ? text.get<std::string>() : "";
  }
  void add(AddedTokens& added, const nlohmann::json& token, const nlohmann::json& row) const {
    const std::string text = text_of(token);
    if (text.empty() || !row.is_number_unsigned() || row.get<uint64_t>() >= static_cast<uint64_t>(rows_)) {
      fail<ModelError>(path_, ": an added token '", text, "': expected a text and a row from 0 to ", rows_ - 1,
                       ", found row ", row.dump());
    }
    added[text] = row.get<int64_t>();
  }

  std::string path_;
  ConfigFile config_;
  std::string spm_;
  nlohmann::json settings_;
  Multilingual kind_ = Multilingual::kNllb;
  int64_t rows_ = 0;
  AddedTokens added_;
  std::vector<std::string> language_tokens_;
};

/// The sinusoids of M2M-100, [positions, d_model], in the order of its features.
std::vector<float> m2m_positions(int64_t positions, int64_t d_model) {
  return halved_sinusoids(kFirstPosition, positions, d_model, step_in_64_bits(d_model));
}

/// Sets the positions and, if options.embedding_norm, the norms of both sides.
void take_positions(const architecture::TransformerOptions& options, Multilingual kind, BundleWeights& weights) {
  for (const auto& [ours, theirs] :
       {std::pair<std::string, std::string>{"src_embed", "model.encoder"}, {"tgt_embed", "model.decoder"}}) {
    if (kind == Multilingual::kMBart50) {
      std::vector<float> table =
          weights.take(theirs + ".embed_positions.weight", {options.max_positions + kFirstPosition, options.d_model});
      table.erase(table.begin(), table.begin() + kFirstPosition * options.d_model);
      weights.set(ours + ".1.pe", std::move(table));
      weights.norm(ours + ".1.norm", theirs + ".layernorm_embedding");
    } else {
      weights.set(ours + ".1.pe", m2m_positions(options.max_positions, options.d_model));
    }
    for (const char* part : {".embed_positions.weights", ".embed_positions._float_tensor", ".version"}) {
      weights.ignore(theirs + part);
    }
  }
}

architecture::TransformerOptions multilingual_options(const MultilingualFolder& folder) {
  architecture::TransformerOptions options = seq2seq_options(folder.config());
  options.norm = architecture::NormPlace::kPre;
  options.positions = architecture::Positions::kLearned;
  options.embedding_norm = folder.kind() == Multilingual::kMBart50;
  return options;
}

}  // namespace

Imported from_multilingual_folder(const std::string& path) {
  MultilingualFolder folder(path);
  architecture::TransformerOptions options = multilingual_options(folder);
  Imported imported;
  model::Package& package = imported.package;
  Sides sides;
  sides.source_rows = sides.target_rows = folder.rows();
  sides.source = new_vocabulary(folder.vocabulary(), {folder.spm()}, path);
  for (size_t id = 0; id < sides.source.texts.size(); ++id) {
    const std::string& text = sides.source.texts[id];
    const bool filler = text.starts_with("<row ") && static_cast<int64_t>(id) < sides.source.own_rows;
    if (filler || folder.is_added(text)) sides.source.control.insert(text);
  }
  sides.target = sides.source;
  package.source_spm = package.target_spm = new_spm(folder.spm(), sides.source);
  const auto tensors = huggingface_weights(path);
  const Order features = unchanged(options.d_model);
  BundleWeights weights(*tensors, options, features);
  take_seq2seq(folder.config(), *tensors, sides, options, weights);
  take_positions(options, folder.kind(), weights);
  imported.weights = weights.finish();
  configure(package, options, sides, path);
  package.config.decoding = huggingface_decoding(path, folder.config());
  package.config.tokenizer.languages = folder.languages();
  imported.what = std::string(name_of(folder.kind())) + " of Hugging Face's transformers";
  imported.notes = {
      fmt::format("the positions are a table; the longest sentence has {} tokens", options.max_positions),
      fmt::format("it has {}; --source-language and --target-language say which to use",
                  core::count_of(static_cast<int64_t>(package.config.tokenizer.languages.size()), "language"))};
  return imported;
}

}  // namespace ventris::imports
