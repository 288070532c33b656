#include "documents/guards.h"

#include <fmt/format.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/special_ids.h"
#include "text/invisible.h"

namespace ventris::documents {
namespace {

// A writing system is known if the tokenizer has many pieces with its letters. A few come from single lines of the
// training text.
constexpr double kLeastShareOfPieces = 0.01;
constexpr size_t kLeastPieces = 30;
constexpr size_t kLeastIdeographs = 200;

constexpr int64_t kFewUnknown = 2;            // characters
constexpr double kShareOfFewUnknown = 0.1;    // of the characters of the text
constexpr double kGreatestRatio = 2.5;        // between the lengths in tokens ...
constexpr int64_t kLengthMargin = 10;         // ... after this many tokens
constexpr int64_t kLeastCopiedWords = 4;      // names and titles often stay as they are
constexpr int64_t kLeastCopiedLowercase = 3;  // words that begin with a small letter

UScriptCode script_of(UChar32 character) {
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(character, &error);
  return U_SUCCESS(error) != 0 ? script : USCRIPT_UNKNOWN;
}

/// Calls `visit` with each character.
template <typename Visit>
void each_character(std::string_view text, const Visit& visit) {
  const auto size = static_cast<int32_t>(text.size());
  for (int32_t at = 0; at < size;) {
    UChar32 character = 0;
    U8_NEXT(text.data(), at, size, character);
    visit(character);
  }
}

/// The writing systems of letters; digits, punctuation and accents have none of their own.
std::set<UScriptCode> scripts_of(std::string_view text) {
  std::set<UScriptCode> scripts;
  each_character(text, [&](UChar32 character) {
    if (character < 0 || u_isalpha(character) == 0) return;
    const UScriptCode script = script_of(character);
    if (script > USCRIPT_INHERITED && script != USCRIPT_UNKNOWN) scripts.insert(script);
  });
  return scripts;
}

bool is_emoji(UChar32 character) { return u_hasBinaryProperty(character, UCHAR_EMOJI_PRESENTATION) != 0; }

int64_t count_characters(std::string_view text) {
  int64_t count = 0;
  each_character(text, [&](UChar32 character) { count += character < 0 || u_isUWhiteSpace(character) == 0; });
  return count;
}

/// Whether the tokenizer ignores invisible characters without a meaning.
bool drops_soft_hyphen(const text::Tokenizer& tokenizer) {
  constexpr const char* kSoftHyphen = "\u00AD";
  return std::ranges::none_of(tokenizer.pieces(std::string("a") + kSoftHyphen + "a"), [](const std::string& piece) {
    return piece.find(kSoftHyphen) != std::string::npos || piece.starts_with("<0x");
  });
}

/// Whether enough words in small letters are the same; a translation may keep names and titles.
bool is_copy(std::string_view source, std::string_view target) {
  if (source != target) return false;
  int64_t words = 0, small = 0;
  bool in_word = false;
  each_character(source, [&](UChar32 character) {
    const bool letter = character >= 0 && u_isalpha(character) != 0;
    if (letter && !in_word) {
      ++words;
      small += u_isULowercase(character) != 0;
    }
    in_word = letter || (in_word && character >= 0 && u_isUWhiteSpace(character) == 0);
  });
  return words >= kLeastCopiedWords && small >= kLeastCopiedLowercase;
}

bool far_longer(int64_t tokens, int64_t than) {
  return static_cast<double>(tokens - kLengthMargin) > kGreatestRatio * static_cast<double>(than);
}

}  // namespace

struct Guards::Known {
  std::set<UScriptCode> scripts;
  bool drops_invisible = false;
};

const char* name_of(Warning warning) {
  static const std::map<Warning, const char*> kNames{{Warning::kSeveralSentences, "several_sentences"},
                                                     {Warning::kWritingSystem, "writing_system"},
                                                     {Warning::kUnknownCharacters, "unknown_characters"},
                                                     {Warning::kInvisible, "invisible_characters"},
                                                     {Warning::kLengthRatio, "length_ratio"},
                                                     {Warning::kRepetition, "repetition"},
                                                     {Warning::kCopy, "copy"},
                                                     {Warning::kLongSentence, "long_sentence"},
                                                     {Warning::kPlaceholders, "placeholders"},
                                                     {Warning::kOrder, "placeholder_order"},
                                                     {Warning::kLeft, "left_untranslated"},
                                                     {Warning::kMarkup, "markup"},
                                                     {Warning::kLink, "link"},
                                                     {Warning::kForms, "message_forms"}};
  return kNames.at(warning);
}

std::string sentence_about(Warning warning, const core::FirstLines& lines) {
  // What one line does, what several do, and the rest of the sentence.
  struct Words {
    const char* one;
    const char* several;
    const char* rest;
  };
  static const std::map<Warning, Words> kWords{
      {Warning::kSeveralSentences,
       {"line has", "lines have",
        "several sentences, of which the model may translate only one; add --split-sentences"}},
      {Warning::kWritingSystem,
       {"line has", "lines have", "letters of a writing system that the tokenizer of the model does not know"}},
      {Warning::kUnknownCharacters,
       {"line has", "lines have", "characters that the tokenizer of the model does not know"}},
      {Warning::kInvisible,
       {"line has", "lines have", "invisible characters, such as soft hyphens, that may change the translation"}},
      {Warning::kLengthRatio, {"translation is", "translations are", "far longer or far shorter than the source"}},
      {Warning::kRepetition, {"translation repeats itself", "translations repeat themselves", "over and over"}},
      {Warning::kCopy, {"translation is", "translations are", "the same as the source"}},
      {Warning::kLongSentence,
       {"line has", "lines have", "a sentence that is too long for the model and was translated in parts"}},
      {Warning::kPlaceholders,
       {"translation did not have", "translations did not have",
        "each placeholder as often as the source; check that all are there, and in the right places"}},
      {Warning::kOrder,
       {"translation has", "translations have",
        "placeholders without numbers in another order than the source, so that a program would fill in wrong values"}},
      {Warning::kLeft,
       {"message was", "messages were",
        "left without a translation, because the placeholders would have another order and cannot have numbers"}},
      {Warning::kMarkup,
       {"block stays", "blocks stay", "as in the source, because the translation would have had other markup"}},
      {Warning::kLink,
       {"block has lost", "blocks have lost", "a link, because nothing in the translation is linked to its words"}},
      {Warning::kForms,
       {"message has", "messages have",
        "forms of ICU ({n, plural, ...} or {x, select, ...}), whose texts stay in the language of the source"}}};
  const Words& words = kWords.at(warning);
  return fmt::format("{} {} {} ({})", core::grouped(lines.count()), lines.count() == 1 ? words.one : words.several,
                     words.rest, lines.text());
}

Guards::Guards(text::Tokenizer source) : tokenizer_(std::move(source)) {
  std::map<UScriptCode, size_t> pieces;
  size_t all = 0;
  for (int32_t id = 0; id < tokenizer_.size(); ++id) {
    const std::string& piece = tokenizer_.piece(id);
    if (id <= core::SpecialIds().eos || piece.starts_with("<0x")) continue;  // special, or a byte
    const auto scripts = scripts_of(piece);
    all += scripts.empty() ? 0 : 1;
    for (const UScriptCode script : scripts) ++pieces[script];
  }
  auto known = std::make_unique<Known>();
  for (const auto& [script, count] : pieces) {
    const size_t least = script == USCRIPT_HAN ? kLeastIdeographs : kLeastPieces;
    if (count >= least || static_cast<double>(count) >= kLeastShareOfPieces * static_cast<double>(all)) {
      known->scripts.insert(script);
    }
  }
  known->drops_invisible = drops_soft_hyphen(tokenizer_);
  known_ = std::move(known);
}
Guards::~Guards() = default;
Guards::Guards(Guards&&) noexcept = default;

CheckedSource Guards::of_source(std::string_view text) const {
  const std::vector<int32_t> ids = tokenizer_.encode(text);
  CheckedSource checked{{}, static_cast<int64_t>(ids.size())};
  const auto is_known = [&](UScriptCode script) { return known_->scripts.contains(script); };
  if (!std::ranges::all_of(scripts_of(text), is_known)) checked.warnings.insert(Warning::kWritingSystem);
  if (has_invisible(text)) checked.warnings.insert(Warning::kInvisible);
  if (has_many_unknown(text, ids)) checked.warnings.insert(Warning::kUnknownCharacters);
  return checked;
}

bool Guards::has_invisible(std::string_view text) const {
  const text::InvisibleCount count = text::count_invisible(text);
  return count.misplaced > 0 || (count.meaningless > 0 && !known_->drops_invisible);
}

bool Guards::has_many_unknown(std::string_view text, const std::vector<int32_t>& ids) const {
  const int32_t unk = core::SpecialIds().unk;
  if (std::ranges::find(ids, unk) == ids.end()) return false;
  const std::vector<text::ByteRange> places = tokenizer_.places(text);
  int64_t unknown = 0;
  bool emoji = false;
  for (size_t i = 0; i < std::min(ids.size(), places.size()); ++i) {
    if (ids[i] != unk) continue;
    const std::string_view part = text.substr(places[i].begin, places[i].end - places[i].begin);
    unknown += count_characters(part);
    each_character(part, [&](UChar32 character) { emoji = emoji || is_emoji(character); });
  }
  const double share = static_cast<double>(unknown) / static_cast<double>(std::max<int64_t>(count_characters(text), 1));
  return emoji || unknown > kFewUnknown || share > kShareOfFewUnknown;
}

Warnings Guards::of_pair(const GuardedPair& pair) {
  Warnings warnings;
  const int64_t source = pair.source_tokens, target = pair.target_tokens;
  if (far_longer(source, target) || far_longer(target, source)) warnings.insert(Warning::kLengthRatio);
  if (pair.repetitive) warnings.insert(Warning::kRepetition);
  if (is_copy(pair.source, pair.target)) warnings.insert(Warning::kCopy);
  return warnings;
}

}  // namespace ventris::documents
