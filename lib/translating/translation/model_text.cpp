#include "translation/model_text.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/error.h"
#include "text/valid_utf8.h"

namespace ventris::translation {
namespace {

text::Tokenizer checked(text::Tokenizer tokenizer, const std::string& where, int64_t vocab) {
  if (tokenizer.size() != vocab) {
    fail<ModelError>(where, ": the tokenizer has ", tokenizer.size(), " pieces, the model's vocabulary ", vocab);
  }
  return tokenizer;
}

constexpr std::string_view kSpace = "\u2581";

bool begins_word(const std::string& piece) { return piece.starts_with(kSpace); }

/// Whether a sentence may end with this piece, if a word follows.
bool ends_sentence(const std::string& piece) {
  return std::ranges::any_of(std::array{".", "!", "?", "…"}, [&](const char* sign) { return piece.ends_with(sign); });
}

/// The same for writing systems without spaces.
bool ends_full_sentence(const std::string& piece) {
  return std::ranges::any_of(std::array{"。", "！", "？", "।"},
                             [&](const char* sign) { return piece.ends_with(sign); });
}

/// How many of the ids to keep, at most `most`, which is less than their number.
size_t place_to_cut(const std::vector<int32_t>& ids, size_t most, const text::Tokenizer& tokenizer) {
  size_t after_word = 0;
  for (size_t kept = most; kept > most / 2; --kept) {
    const std::string &last = tokenizer.piece(ids[kept - 1]), &next = tokenizer.piece(ids[kept]);
    if (ends_full_sentence(last) || (begins_word(next) && ends_sentence(last))) return kept;
    if (after_word == 0 && begins_word(next)) after_word = kept;
  }
  return after_word > 0 ? after_word : most;
}

}  // namespace

text::Tokenizer source_tokenizer(const model::Package& package) {
  const std::string where = package.path + ": source.spm";
  return checked({package.source_spm, where}, where, package.config.architecture->src_vocab());
}

text::Tokenizer target_tokenizer(const model::Package& package, const text::Tokenizer& source) {
  const std::string where = package.path + ": target.spm";
  const bool same = package.target_spm == source.bytes();
  return checked(same ? source : text::Tokenizer(package.target_spm, where), where,
                 package.config.architecture->tgt_vocab());
}

EncodedSource encode_source(const std::string& text, const text::Tokenizer& tokenizer,
                            const model::TokenizerPolicy& policy, int64_t max_length, const LanguageMarks& marks) {
  EncodedSource source;
  const int64_t others = marks.of_source() + (policy.source_eos ? 1 : 0);
  const auto most = static_cast<size_t>(std::max<int64_t>(1, max_length - others));
  if (!text::is_blank(text)) source.ids = tokenizer.encode(text, most + 1);
  if (source.ids.empty()) return source;
  source.cut = source.ids.size() > most;
  if (source.cut) source.ids.resize(place_to_cut(source.ids, most, tokenizer));
  if (policy.source_eos) source.ids.push_back(policy.ids.eos);
  source.ids.insert(source.ids.begin(), marks.before.begin(), marks.before.end());
  source.ids.insert(source.ids.end(), marks.after.begin(), marks.after.end());
  return source;
}

void check_workers(int threads, const char* setting) {
  if (threads < 1 || threads > kMostWorkers) {
    fail<ConfigError>(setting, ": must be from 1 to ", kMostWorkers, ", got ", threads);
  }
}

}  // namespace ventris::translation
