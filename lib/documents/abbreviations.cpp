#include "documents/abbreviations.h"

#include <unicode/uchar.h>
#include <unicode/uloc.h>
#include <unicode/unistr.h>
#include <unicode/ures.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "core/error.h"

namespace ventris::documents {
namespace {

/// The languages for which ICU has a list.
constexpr std::array<const char*, 8> kListed{"de", "el", "en", "es", "fr", "it", "pt", "ru"};

/// Languages that write ordinal numbers with a full stop.
constexpr std::array<std::string_view, 19> kWithOrdinals{"bs", "cs", "da", "de", "et", "eu", "fi", "hr", "hu", "is",
                                                         "lv", "nb", "nn", "no", "pl", "sk", "sl", "sr", "tr"};
constexpr size_t kMostDigits = 2;  // of an ordinal number; a longer number is a year or an amount
constexpr size_t kMostConsonants = 5;

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

/// The last word of a text, without opening punctuation.
std::string_view last_token(std::string_view text) {
  const size_t space = text.find_last_of(" \t\n\r");
  if (space != std::string_view::npos) text.remove_prefix(space + 1);
  for (const std::string_view opening : {"(", "[", "{", "\"", "'", "\u201c", "\u201e", "\u2018", "\u00ab", "\u00bb"}) {
    if (text.starts_with(opening)) text.remove_prefix(opening.size());
  }
  return text;
}

}  // namespace

void check_language(const std::string& language) {
  if (language.empty() || *uloc_getISO3Language(language.c_str()) != '\0') return;
  fail<ConfigError>("language: expected the code of a language, such as en, de or pt-BR, got '", language, "'");
}

Abbreviations::Abbreviations(const std::string& language) {
  check_language(language);
  if (language.empty()) {
    for (const char* listed : kListed) {
      for (std::string& text : list_of(listed)) {
        if (std::ranges::count(text, '.') > 1) known_.insert(std::move(text));
      }
    }
    return;
  }
  std::array<char, ULOC_LANG_CAPACITY> code{};
  UErrorCode error = U_ZERO_ERROR;
  uloc_getLanguage(language.c_str(), code.data(), static_cast<int32_t>(code.size()), &error);
  for (std::string& text : list_of(code.data())) known_.insert(std::move(text));
  ordinals_ = std::ranges::find(kWithOrdinals, std::string_view(code.data())) != kWithOrdinals.end();
}

bool Abbreviations::ends(std::string_view text) const {
  if (!text.ends_with('.')) return false;
  const std::string_view token = last_token(text);
  return known_.contains(token) || is_initials(token) || is_unspeakable(token) || (ordinals_ && is_ordinal(token));
}

}  // namespace ventris::documents
