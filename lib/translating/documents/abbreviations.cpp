#include "documents/abbreviations.h"

#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/unistr.h>
#include <unicode/ures.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.h"
#include "documents/abbreviation_lists.h"

namespace ventris::documents {
namespace {

/// The languages for which ICU has a list.
constexpr std::array<const char*, 8> kListed{"de", "el", "en", "es", "fr", "it", "pt", "ru"};

/// Languages that write ordinal numbers with a full stop.
constexpr std::array<std::string_view, 19> kWithOrdinals{"bs", "cs", "da", "de", "et", "eu", "fi", "hr", "hu", "is",
                                                         "lv", "nb", "nn", "no", "pl", "sk", "sl", "sr", "tr"};
constexpr size_t kMostDigits = 2;  // of an ordinal number; a longer number is a year or an amount
constexpr size_t kMostConsonants = 5;
constexpr size_t kMostRoman = 5;    // letters of a Roman number
constexpr size_t kLongestToken = 48;  // bytes

struct CloseBundle {
  void operator()(UResourceBundle* bundle) const { ures_close(bundle); }
};
using Bundle = std::unique_ptr<UResourceBundle, CloseBundle>;

/// ICU's list for a language; empty if it has none.
std::vector<std::string> list_of(const std::string& language) {
  UErrorCode error = U_ZERO_ERROR;
  const Bundle locale(ures_openDirect(U_ICUDATA_NAME "-brkitr", language.c_str(), &error));
  const Bundle exceptions(ures_getByKey(locale.get(), "exceptions", nullptr, &error));
  const Bundle list(ures_getByKey(exceptions.get(), "SentenceBreak", nullptr, &error));
  std::vector<std::string> texts;
  if (U_FAILURE(error) != 0) return texts;
  for (int32_t i = 0; i < ures_getSize(list.get()); ++i) {
    int32_t length = 0;
    const UChar* text = ures_getStringByIndex(list.get(), i, &length, &error);
    if (U_SUCCESS(error) != 0) icu::UnicodeString(text, length).toUTF8String(texts.emplace_back());
  }
  return texts;
}

/// Letters with a full stop after each: "J.", "z.B."
bool is_initials(std::string_view token) {
  const auto size = static_cast<int32_t>(token.size());
  for (int32_t at = 0; at < size; ++at) {
    UChar32 letter = 0;
    U8_NEXT(token.data(), at, size, letter);
    if (letter <= 0 || u_isalpha(letter) == 0 || at == size || token[static_cast<size_t>(at)] != '.') return false;
  }
  return !token.empty();
}

/// A few consonants and a full stop, such as "Mr." and "bzw."; not "Hmm.", and not "BBC.", which is a name.
bool is_unspeakable(std::string_view token) {
  constexpr std::string_view kConsonants = "bcdfghjklmnpqrstvwxz";
  token.remove_suffix(1);
  if (token.size() < 2 || token.size() > kMostConsonants) return false;
  bool small = false;
  char last = '\0';
  for (const char c : token) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (kConsonants.find(lower) == std::string_view::npos || lower == last) return false;
    small = small || c == lower;
    last = lower;
  }
  return small;
}

bool is_ordinal(std::string_view token) {
  const size_t digits = token.find_first_not_of("0123456789");
  return digits > 0 && digits <= kMostDigits && digits + 1 == token.size();
}

/// "II.", in languages with ordinal numbers.
bool is_roman(std::string_view token) {
  const size_t letters = token.find_first_not_of("IVX");
  return letters > 0 && letters <= kMostRoman && letters + 1 == token.size();
}

/// Capital letters with a full stop after each, at least two: "U.S."
bool is_capitals(std::string_view token) {
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  return std::ranges::count(token, '.') > 1 && is_initials(token) && std::ranges::none_of(token, small);
}

bool begins_with_digit(std::string_view text) {
  UChar32 first = 0;
  int32_t at = 0;
  if (text.empty()) return false;
  U8_NEXT(text.data(), at, static_cast<int32_t>(text.size()), first);
  return u_isdigit(first) != 0;
}

/// The last word of a text, without opening punctuation; empty if it is too long for an abbreviation.
std::string_view last_token(std::string_view text) {
  auto begin = static_cast<int32_t>(text.size());
  for (int32_t at = begin; at > 0; begin = at) {
    UChar32 character = 0;
    U8_PREV(text.data(), 0, at, character);
    if (u_isUWhiteSpace(character) != 0) break;
    if (text.size() - static_cast<size_t>(at) > kLongestToken) return {};
  }
  text.remove_prefix(static_cast<size_t>(begin));
  constexpr std::array<std::string_view, 18> kOpening{"(",      "[",      "{",      "\"",     "'",      "\u201c",
                                                      "\u201e", "\u2018", "\u00ab", "\u00bb", "\u2014", "\u2013",
                                                      "\u00a1", "\u00bf", "/",      "\u201a", "\u201d", "*"};
  for (size_t i = 0; i < kOpening.size();) {
    const bool opens = text.starts_with(kOpening[i]);
    if (opens) text.remove_prefix(kOpening[i].size());
    i = opens ? 0 : i + 1;
  }
  return text;
}

/// "art." of "l'art."
std::string_view after_apostrophe(std::string_view token) {
  for (const std::string_view apostrophe : {"'", "\u2019"}) {
    const size_t at = token.rfind(apostrophe);
    if (at != std::string_view::npos) token.remove_prefix(at + apostrophe.size());
  }
  return token;
}

/// The token with a small letter at its beginning, as at the beginning of a sentence.
std::string with_small_letter(std::string_view token) {
  const auto text = icu::UnicodeString::fromUTF8(icu::StringPiece(token.data(), static_cast<int32_t>(token.size())));
  const UChar32 first = text.char32At(0);
  std::string small;
  icu::UnicodeString(u_tolower(first)).append(text, text.moveIndex32(0, 1), text.length()).toUTF8String(small);
  return small;
}

/// The letters at the beginning of a text, with hyphens.
std::string_view first_word(std::string_view text) {
  int32_t end = 0;
  const auto most = static_cast<int32_t>(std::min(text.size(), kLongestToken));
  for (int32_t at = 0; at < most; end = at) {
    UChar32 character = 0;
    U8_NEXT(text.data(), at, most, character);
    if (u_isalnum(character) == 0 && character != '-') break;
  }
  return text.substr(0, static_cast<size_t>(end));
}

/// Calls use(entry) for each entry of a list.
template <typename Use>
void each_entry(std::string_view list, const Use& use) {
  while (!list.empty()) {
    const size_t end = std::min(list.find('|'), list.size());
    use(std::string(list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

}  // namespace

void check_language(const std::string& language, const char* setting) {
  if (language.empty() || *uloc_getISO3Language(language.c_str()) != '\0') return;
  fail<ConfigError>(setting, ": expected the code of a language, such as en, de or pt-BR, got '", language, "'");
}

std::string code_of(const std::string& language) {
  std::array<char, ULOC_LANG_CAPACITY> code{};
  UErrorCode error = U_ZERO_ERROR;
  uloc_getLanguage(language.c_str(), code.data(), static_cast<int32_t>(code.size()), &error);
  return code.data();
}

Abbreviations::Abbreviations(const std::string& language) {
  check_language(language);
  each_entry(kBeforeNumbers, [this](std::string entry) { before_numbers_.insert(std::move(entry)); });
  each_entry(kUnits, [this](std::string entry) { either_.insert(std::move(entry)); });
  if (language.empty()) {
    add_shared_entries();
    return;
  }
  const std::string code = code_of(language);
  for (std::string& text : list_of(code)) inside_.insert(std::move(text));
  add_lists(code);
  if (std::ranges::find(kWithOrdinals, code) != kWithOrdinals.end()) ordinals_ = Ordinals::kWritten;
  if (code == "en") each_entry(kAfterLetters, [this](std::string entry) { after_letters_.insert(std::move(entry)); });
}

void Abbreviations::add_lists(std::string_view language) {
  for (const LanguageLists& lists : kLanguageLists) {
    if (lists.language != language) continue;
    each_entry(lists.words, [this](const std::string& entry) { inside_.erase(entry); });
    each_entry(lists.inside, [this](std::string entry) { inside_.insert(std::move(entry)); });
    each_entry(lists.either, [this](std::string entry) { either_.insert(std::move(entry)); });
    each_entry(lists.openers, [this](std::string entry) { openers_.insert(std::move(entry)); });
  }
}

/// Adds the entries of all languages that are no words in another one.
void Abbreviations::add_shared_entries() {
  each_entry(kNoWords, [this](std::string entry) { inside_.insert(std::move(entry)); });
  for (const char* listed : kListed) {
    for (std::string& text : list_of(listed)) {
      if (std::ranges::count(text, '.') > 1) inside_.insert(std::move(text));
    }
  }
  for (const LanguageLists& lists : kLanguageLists) {
    each_entry(lists.either, [this](std::string entry) {
      const bool several = entry.find(' ') != std::string::npos || std::ranges::count(entry, '.') > 1;
      if (several || is_initials(entry)) either_.insert(std::move(entry));
    });
    each_entry(lists.openers, [this](std::string entry) {
      if (entry.size() > 1) openers_.insert(std::move(entry));  // a single letter is an initial elsewhere
    });
  }
  ordinals_ = Ordinals::kUnclear;
}

/// Whether the text ends with an abbreviation that can be the last word of a sentence.
bool Abbreviations::ends_with_either(std::string_view text, std::string_view token) const {
  if (is_capitals(token) || either_.contains(token)) return true;
  const size_t longest = 16;  // bytes, with spaces inside: "EE. UU."
  for (size_t at = text.size() - std::min(text.size(), longest); at < text.size() - token.size(); ++at) {
    if ((at == 0 || text[at - 1] == ' ' || text[at - 1] == '(') && either_.contains(text.substr(at))) return true;
  }
  return false;
}

bool Abbreviations::ends(std::string_view text, std::string_view next) const {
  if (!text.ends_with('.')) return false;
  const std::string_view token = last_token(text);
  if (token.empty()) return false;
  const bool street = token.ends_with("str.");  // German: "Hauptstr. 7"
  if (begins_with_digit(next) && (street || before_numbers_.contains(token))) return true;
  const std::string_view word = first_word(next);
  const bool opens = openers_.contains(word);
  if (ends_with_either(text, token)) return !opens;
  if (token.size() == 2 && after_letters_.contains(word)) return false;
  if (inside_.contains(token) || is_initials(token) || is_unspeakable(token)) return true;
  if (inside_.contains(after_apostrophe(token)) || inside_.contains(with_small_letter(token))) return true;
  if (opens || ordinals_ == Ordinals::kNone) return false;
  const bool follows = !next.empty();
  return (is_ordinal(token) && (follows || ordinals_ == Ordinals::kWritten)) || (follows && is_roman(token));
}

}  // namespace ventris::documents
