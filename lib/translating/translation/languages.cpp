#include "translation/languages.h"

#include <algorithm>

namespace ventris::translation {
namespace {

std::vector<int32_t> ids_of(const std::vector<std::string>& pieces, const text::Tokenizer& tokenizer,
                            const std::string& language, const char* side) {
  std::vector<int32_t> ids;
  for (const std::string& piece : pieces) {
    ids.push_back(tokenizer.id_of(piece));
    if (ids.back() >= 0) continue;
    fail<ModelError>("tokenizer.languages.", language, ": the tokenizer of the ", side, " has no piece '", piece, "'");
  }
  return ids;
}

/// Padding is invisible, and a translation does not begin with its end or a second start.
void check_marks(const std::vector<int32_t>& ids, const text::Tokenizer& tokenizer, const std::string& language,
                 const char* list, bool in_target) {
  const core::SpecialIds special;
  for (const int32_t id : ids) {
    if (id != special.pad && !(in_target && (id == special.eos || id == special.bos))) continue;
    fail<ModelError>("tokenizer.languages.", language, ".", list, ": the piece '", tokenizer.piece(id),
                     "' cannot be told there; expected a token of a language");
  }
}

std::string list_of(const auto& languages) {
  std::string list;
  for (const auto& [name, _] : languages) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

Languages::Languages(const model::TokenizerPolicy& policy, const text::Tokenizer& source,
                     const text::Tokenizer& target) {
  for (const auto& [name, tokens] : policy.languages) {
    if (tokens.marks_sources()) {
      sources_[name] = {ids_of(tokens.source_prefix, source, name, "source"),
                        ids_of(tokens.source_suffix, source, name, "source"),
                        {}};
      check_marks(sources_[name].before, source, name, "source_prefix", false);
      check_marks(sources_[name].after, source, name, "source_suffix", false);
    }
    if (tokens.marks_targets()) {
      targets_[name] = {
          ids_of(tokens.to_prefix, source, name, "source"), {}, ids_of(tokens.target_prefix, target, name, "target")};
      check_marks(targets_[name].before, source, name, "to_prefix", false);
      check_marks(targets_[name].target, target, name, "target_prefix", true);
    }
  }
}

bool Languages::start_translations() const {
  return std::ranges::any_of(targets_, [](const auto& side) { return !side.second.target.empty(); });
}

const Languages::Side* Languages::choose(const Sides& sides, const std::string& name, const char* setting) {
  if (name.empty() && sides.size() == 1) return &sides.begin()->second;
  if (name.empty() && sides.empty()) return nullptr;
  if (sides.empty()) {
    fail<ConfigError>(setting, ": this model is not told a language, found '", name, "'; leave it out");
  }
  if (name.empty()) fail<UntoldLanguage>(setting, ": this model must be told one of ", list_of(sides));
  const auto found = sides.find(name);
  if (found != sides.end()) return &found->second;
  fail<ConfigError>(setting, ": expected a language of this model, ", list_of(sides), ", found '", name, "'");
}

int64_t Languages::most_of_source() const {
  size_t of_source = 0, of_target = 0;
  for (const auto& [_, side] : sources_) of_source = std::max(of_source, side.before.size() + side.after.size());
  for (const auto& [_, side] : targets_) of_target = std::max(of_target, side.before.size());
  return static_cast<int64_t>(of_source + of_target);
}

int64_t Languages::most_of_target() const {
  size_t most = 0;
  for (const auto& [_, side] : targets_) most = std::max(most, side.target.size());
  return static_cast<int64_t>(most);
}

void Languages::check(const std::string& source, const std::string& target) const {
  if (!source.empty()) choose(sources_, source, "source_language");
  if (!target.empty()) choose(targets_, target, "target_language");
}

LanguageMarks Languages::marks(const std::string& source, const std::string& target) const {
  LanguageMarks marks;
  const Side* of_source = choose(sources_, source, "source_language");
  const Side* of_target = choose(targets_, target, "target_language");
  if (of_target != nullptr) {
    marks.before = of_target->before;
    marks.target = of_target->target;
  }
  if (of_source != nullptr) {
    marks.before.insert(marks.before.end(), of_source->before.begin(), of_source->before.end());
    marks.after = of_source->after;
  }
  return marks;
}

void check_room(int64_t of_source, int64_t of_target, int64_t longest, const std::string& where) {
  constexpr int64_t kLeast = 2;  // a token and eos
  const int64_t needed = std::max(of_source, of_target) + kLeast;
  if (needed <= longest) return;
  fail<ModelError>(where, ": tokenizer.languages: the tokens of languages, one of a text and eos are ", needed,
                   " tokens, but the longest sentence of this model has ", longest);
}

}  // namespace ventris::translation
