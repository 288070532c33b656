#include "imports/ctranslate2_tokens.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "core/json_reader.h"
#include "imports/token_lists.h"
#include "text/model_check.h"
#include "text/model_proto.h"
#include "text/model_rewriting.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

using nlohmann::json;

constexpr const char* kSpace = "\u2581";
/// Texts of padding, which CTranslate2 does not name.
constexpr const char* kPadding[] = {"<blank>", "<pad>"};

[[noreturn]] void refuse_start(const std::string& where) {
  fail<ModelError>(where, ": the first token of a translation is given with each sentence, for example as a language; ",
                   "a model of ours always starts with the same token");
}

[[noreturn]] void refuse_source_bos(const std::string& where) {
  fail<ModelError>(where, ": expected false, found true: a source of ours does not begin with a special token");
}

SpecialTokens from_config(const ConfigFile& config) {
  SpecialTokens special;
  special.unk = config.text("unk_token", special.unk);
  special.bos = config.text("bos_token", special.bos);
  special.eos = config.text("eos_token", special.eos);
  if (!config.contains("decoder_start_token")) refuse_start(config.path() + ": decoder_start_token");
  special.start = config.text("decoder_start_token", special.bos);
  if (config.flag("add_source_bos", false)) refuse_source_bos(config.path() + ": add_source_bos");
  special.eos_of_caller = !config.flag("add_source_eos", false) && special.start != special.bos;
  special.source_eos = config.flag("add_source_eos", false) || special.eos_of_caller;
  return special;
}

SpecialTokens from_variables(const CTranslate2Variables& variables) {
  const auto flag = [&](const char* name, bool missing) { return variables.number(name).value_or(missing) != 0; };
  SpecialTokens special;
  special.unk = variables.text("unk_token", special.unk);
  special.bos = variables.text("bos_token", special.bos);
  special.eos = variables.text("eos_token", special.eos);
  if (flag("user_decoder_start_tokens", false))
    refuse_start(variables.where() + ": variable user_decoder_start_tokens");
  if (flag("with_source_bos", false)) refuse_source_bos(variables.where() + ": variable with_source_bos");
  special.start = flag("with_target_bos", true) ? special.bos : special.eos;
  special.source_eos = flag("with_source_eos", false);
  return special;
}

/// The lines of a file. If all end with CR, it is not part of them.
std::vector<std::string> lines_of(const std::string& bytes) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', begin), bytes.size());
    lines.push_back(bytes.substr(begin, end - begin));
    begin = end + 1;
  }
  if (std::ranges::all_of(lines, [](const std::string& line) { return line.ends_with('\r'); })) {
    for (std::string& line : lines) line.pop_back();
  }
  return lines;
}

std::vector<std::string> texts_in(const std::string& bytes, const std::string& where) {
  json found;
  try {
    found = core::parse_json(bytes, where);
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
  const bool texts = found.is_array() && std::ranges::all_of(found, [](const json& one) { return one.is_string(); });
  if (!texts) fail<ModelError>(where, ": expected a JSON list of the texts of tokens");
  return found.get<std::vector<std::string>>();
}

/// The row of a token; kZeroRow if there is none.
int64_t row_of(const std::vector<std::string>& tokens, const std::string& token) {
  const auto found = std::ranges::find(tokens, token);
  return found == tokens.end() ? kZeroRow : found - tokens.begin();
}

bool is_special(const std::string& token, const SpecialTokens& special) {
  return token == special.unk || token == special.bos || token == special.eos || token == special.start ||
         std::ranges::find(kPadding, token) != std::end(kPadding);
}

/// Whether a text looks like the pattern, in which 'a' stands for a small letter and 'A' for a capital one.
bool looks_like(std::string_view text, std::string_view pattern) {
  const auto fits = [](char found, char wanted) {
    if (wanted == 'a') return found >= 'a' && found <= 'z';
    return wanted == 'A' ? found >= 'A' && found <= 'Z' : found == wanted;
  };
  return text.size() == pattern.size() && std::ranges::equal(text, pattern, fits);
}

/// The code of a language of which this is the token, in a model with tokens of this pattern; empty = it is another
/// token.
std::string language_of(const std::string& token, std::string_view pattern) {
  if (!looks_like(token, pattern)) return "";
  constexpr size_t kAround = 2;  // underscores
  return pattern.starts_with("__") ? token.substr(kAround, token.size() - 2 * kAround) : token;
}

/// Whether a model has exactly these pieces, with our special ids.
bool has_pieces(const std::string& spm, const NewVocabulary& vocabulary) {
  const auto model = text::parse_model_proto(spm);
  if (!std::ranges::equal(model->pieces, vocabulary.texts, {}, &text::ModelPiece::text)) return false;
  try {
    const text::Tokenizer tokenizer(spm, "");
    return true;
  } catch (const ModelError&) {
    return false;
  }
}

}  // namespace

SpecialTokens special_tokens(const CTranslate2Variables& variables, const std::optional<ConfigFile>& config) {
  constexpr uint32_t kWithConfig = 6;
  return variables.version() >= kWithConfig && config ? from_config(*config) : from_variables(variables);
}

std::vector<std::string> read_tokens_of(const ModelFiles& files, const std::string& stem,
                                        const SpecialTokens& special) {
  const std::string list = stem + "_vocabulary.json", lines = stem + "_vocabulary.txt";
  std::vector<std::string> tokens;
  if (files.contains(list)) {
    tokens = texts_in(files.read_text(list), files.where(list));
  } else if (files.contains(lines)) {
    tokens = lines_of(files.read_text(lines));
  } else {
    fail<ModelError>(files.where(list), ": does not exist, nor does the same file with .txt");
  }
  if (row_of(tokens, special.unk) == kZeroRow) tokens.push_back(special.unk);
  return tokens;
}

bool are_pieces(const std::vector<std::string>& tokens) {
  return std::ranges::any_of(tokens, [](const std::string& token) { return token.find(kSpace) != std::string::npos; });
}

std::vector<std::string> spaced_pieces(std::vector<std::string> tokens, const SpecialTokens& special) {
  for (std::string& token : tokens) {
    if (!token.empty() && !is_special(token, special)) token.insert(0, kSpace);
  }
  return tokens;
}

std::string spaced_spm(const NewVocabulary& vocabulary) { return text::words_model(vocabulary.texts); }

NewVocabulary vocabulary_of(const std::vector<std::string>& tokens, const SpecialTokens& special,
                            bool starts_from_zeros, const std::vector<std::string_view>& spms,
                            const std::string& where) {
  Vocabulary old{tokens, kZeroRow};
  for (const char* padding : kPadding) {
    if (old.pad == kZeroRow) old.pad = row_of(tokens, padding);
  }
  old.unk = row_of_token(tokens, special.unk, "unknown token", where);
  old.eos = row_of_token(tokens, special.eos, "end of a sentence", where);
  old.start = starts_from_zeros ? kZeroRow : row_of(tokens, special.start);
  old.bos = special.bos;
  return new_vocabulary(old, spms, where);
}

std::string spm_with(const std::string& spm, const NewVocabulary& vocabulary) {
  return has_pieces(spm, vocabulary) ? spm : new_spm(spm, vocabulary);
}

model::LanguageMap languages_of(const NewVocabulary& source, const NewVocabulary& target) {
  const std::set<std::string> known(source.texts.begin(), source.texts.begin() + source.own_rows);
  const std::vector<std::vector<const char*>> kinds{{"aaa_Aaaa"}, {"aa_AA"}, {"__aa__", "__aaa__"}};
  for (const std::vector<const char*>& patterns : kinds) {
    model::LanguageMap languages;
    for (int64_t id = 0; id < target.own_rows; ++id) {
      const std::string& token = target.texts[static_cast<size_t>(id)];
      std::string language;
      for (const char* pattern : patterns) language += language_of(token, pattern);
      if (language.empty() || !known.contains(token)) continue;
      languages[language] = {.source_prefix = {token}, .target_prefix = {token}};
    }
    if (languages.size() > 1) return languages;
  }
  return {};
}

}  // namespace ventris::imports
