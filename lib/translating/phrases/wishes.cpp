#include "phrases/wishes.h"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "core/error.h"
#include "core/process.h"
#include "metrics/unicode.h"
#include "metrics/word_division.h"
#include "metrics/word_forms.h"
#include "phrases/words.h"
#include "text/valid_utf8.h"

namespace ventris::phrases {
namespace {

constexpr size_t kLongestPhrase = 4096;  // bytes; a graph has a place for each
constexpr const char* kWhere = "phrases";
constexpr size_t kShown = 60;            // bytes of a phrase in a message

/// The texts that are not blank, each once.
std::vector<std::string> distinct(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  std::unordered_set<std::string_view> known;
  for (const std::string& text : texts) {
    if (!text::is_blank(text) && known.insert(text).second) all.push_back(text);
  }
  return all;
}

/// Whether the tokens may follow each other.
bool allows(const constraints::Constraints& forbidding, const std::vector<int32_t>& ids) {
  constraints::Progress progress;
  for (const int32_t id : ids) {
    if (forbidding.is_forbidden(progress, id)) return false;
    progress = forbidding.after(progress, id);
  }
  return true;
}

/// Adds the words of a text as the tokenizer writes it, or as it is if it has unknown characters.
WordSequences::Id add_words(const std::string& phrase, const std::optional<constraints::Phrase>& made,
                            const PhraseMaker& maker, WordSequences& words) {
  const auto text = metrics::decode(made ? maker.tokenizer().decode(made->graph().usual) : phrase);
  return words.add(text, word_ends(text));
}

std::optional<constraints::Phrase> make(const std::string& phrase, const PhraseMaker& maker) {
  return phrase.size() > kLongestPhrase ? std::nullopt : maker.make(phrase);
}

/// Why a translation cannot have this phrase; kMissing: it can.
Obstacle obstacle_to(const std::string& phrase, const std::optional<constraints::Phrase>& made,
                     const constraints::Constraints& forbidding, int64_t room) {
  if (phrase.size() > kLongestPhrase || (made && made->tokens() > room)) return Obstacle::kTooLong;
  if (!made) return Obstacle::kUnknown;
  return allows(forbidding, made->graph().usual) ? Obstacle::kMissing : Obstacle::kForbidden;
}

/// What is required, each once: single phrases, then alternatives.
std::vector<std::vector<std::string>> wishes_of(const WishedPhrases& phrases) {
  std::vector<std::vector<std::string>> all;
  for (std::string& phrase : distinct(phrases.required)) all.push_back({std::move(phrase)});
  std::set<std::vector<std::string>> known(all.begin(), all.end());
  for (const std::vector<std::string>& forms : phrases.one_of) {
    std::vector<std::string> once = distinct(forms);
    if (!once.empty() && known.insert(once).second) all.push_back(std::move(once));
  }
  return all;
}

}  // namespace

const char* name_of(Obstacle obstacle) {
  switch (obstacle) {
    case Obstacle::kUnknown: return "unknown_characters";
    case Obstacle::kTooLong: return "too_long";
    case Obstacle::kTooMany: return "too_many";
    case Obstacle::kForbidden: return "forbidden";
    case Obstacle::kPresent: return "present";
    case Obstacle::kUnused: return "unused";
    case Obstacle::kNotGiven: return "not_given";
    default: return "missing";
  }
}

std::string sentence_about(const Unmet& unmet) {
  const std::string phrase = "'" + std::string(text::cut_utf8(unmet.phrase, kShown)) + "'";
  const std::string missing = phrase + " is not in the translation, ";
  switch (unmet.why) {
    case Obstacle::kUnknown: return missing + "because the tokenizer does not know all of its characters";
    case Obstacle::kTooLong: return missing + "because it is longer than a translation of this line may be";
    case Obstacle::kTooMany:
      return missing + "because the line has more than " + std::to_string(constraints::kMostRequired) + " phrases";
    case Obstacle::kForbidden: return missing + "because a forbidden phrase excludes it";
    case Obstacle::kUnused: return missing + "although it was suggested; require terms if each of them must be there";
    case Obstacle::kNotGiven:
      return missing +
             "and it was not suggested, because the line would have been too long with its terms, or has "
             "<term> or </term> itself";
    case Obstacle::kPresent: return phrase + " is in the translation, although it is forbidden";
    default: return missing + "although it is required; a larger --beam-size may help";
  }
}

std::vector<std::string> without_form_in(std::string_view translation, const std::vector<std::string>& phrases) {
  std::unordered_set<std::string_view> exact;
  std::vector<metrics::PlainWord> plain;
  for (const std::string_view word : metrics::divided(translation, metrics::Division::kText)) {
    if (exact.insert(word).second) plain.emplace_back(word);
  }
  const auto has = [&](std::string_view wanted) {
    if (exact.contains(wanted)) return true;
    const metrics::PlainWord form(wanted);
    return std::ranges::any_of(plain, [&](const metrics::PlainWord& word) { return begin_alike(word, form); });
  };
  std::vector<std::string> missing;
  for (const std::string& phrase : phrases) {
    if (!std::ranges::all_of(metrics::divided(phrase, metrics::Division::kText), has)) missing.push_back(phrase);
  }
  return missing;
}

void check_requiring(const decoding::SearchOptions& search) {
  if (search.beam_size > 1 && !search.sampling.enabled) return;
  fail<ConfigError>(
      "constraints, terms: phrases that must be in a translation need a beam search; give --beam-size 5 or more, "
      "without --sampling");
}

Wishes::Wishes(const WishedPhrases& phrases, const PhraseMaker& maker, int64_t room) {
  auto words = std::make_shared<WordSequences>();
  const std::vector<constraints::Phrase> forbidden = make_forbidden(distinct(phrases.forbidden), maker, *words);
  const constraints::Constraints forbidding({}, forbidden, maker.borders());
  std::vector<constraints::Alternatives> required;
  for (const std::vector<std::string>& forms : wishes_of(phrases)) {
    core::throw_if_stopped(kWhere);
    required_.push_back({forms.front(), {}, Obstacle::kMissing});
    constraints::Alternatives usable;
    for (const std::string& form : forms) {
      auto made = make(form, maker);
      required_.back().words.push_back(add_words(form, made, maker, *words));
      const Obstacle why = obstacle_to(form, made, forbidding, room);
      if (why == Obstacle::kMissing) {
        usable.push_back(std::move(*made));
      } else if (form == forms.front()) {
        required_.back().why = why;
      }
    }
    if (usable.empty()) continue;
    required_.back().why = required.size() == constraints::kMostRequired ? Obstacle::kTooMany : Obstacle::kMissing;
    if (required_.back().why == Obstacle::kTooMany) continue;
    room -= std::ranges::max_element(usable, {}, &constraints::Phrase::tokens)->tokens();
    required.push_back(std::move(usable));
  }
  words->finish();
  if (!required_.empty() || !forbidden_.empty()) words_ = std::move(words);
  if (required.empty() && forbidden.empty()) return;
  constraints_ = std::make_shared<const constraints::Constraints>(forbidding.with_required(std::move(required)));
}

/// A phrase with unknown characters cannot be written, so it does not have to be excluded.
std::vector<constraints::Phrase> Wishes::make_forbidden(const std::vector<std::string>& phrases,
                                                        const PhraseMaker& maker, WordSequences& words) {
  std::vector<constraints::Phrase> all;
  for (const std::string& phrase : phrases) {
    core::throw_if_stopped(kWhere);
    auto made = make(phrase, maker);
    forbidden_.push_back({phrase, {add_words(phrase, made, maker, words)}, Obstacle::kPresent});
    if (made) all.push_back(std::move(*made));
  }
  return all;
}

std::vector<Unmet> Wishes::unmet(std::string_view translation) const {
  std::vector<Unmet> all;
  if (words_ == nullptr) return all;
  const std::u32string text = metrics::decode(translation);
  const std::vector<uint8_t> found = words_->found(text, word_ends(text));
  const auto is_found = [&](WordSequences::Id words) { return found[static_cast<size_t>(words)] != 0; };
  const auto has = [&](const Wish& wish) { return std::ranges::any_of(wish.words, is_found); };
  for (const Wish& wish : required_) {
    if (!has(wish)) all.push_back({wish.phrase, wish.why});
  }
  for (const Wish& wish : forbidden_) {
    if (has(wish)) all.push_back({wish.phrase, wish.why});
  }
  return all;
}

}  // namespace ventris::phrases
