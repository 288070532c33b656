#include "metrics/word_forms.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>

namespace ventris::metrics {
namespace {

constexpr size_t kLeastAlike = 3;  // letters

/// In small letters without accents.
icu::UnicodeString plain_letters(std::string_view word) {
  UErrorCode code = U_ZERO_ERROR;
  icu::UnicodeString text =
      icu::UnicodeString::fromUTF8({word.data(), static_cast<int32_t>(word.size())}).foldCase(U_FOLD_CASE_DEFAULT);
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFDInstance(code);
  if (U_FAILURE(code) != 0) return text;
  const icu::UnicodeString divided = normalizer->normalize(text, code);
  if (U_FAILURE(code) != 0) return text;
  icu::UnicodeString letters;
  for (int32_t at = 0; at < divided.length(); at = divided.moveIndex32(at, 1)) {
    const UChar32 character = divided.char32At(at);
    if (u_getCombiningClass(character) == 0) letters.append(character);
  }
  return letters;
}

}  // namespace

PlainWord::PlainWord(std::string_view word) {
  const icu::UnicodeString plain = plain_letters(word);
  letters.assign(plain.getBuffer(), static_cast<size_t>(plain.length()));
}

bool begin_alike(const PlainWord& a, const PlainWord& b) {
  const auto same = static_cast<size_t>(std::ranges::mismatch(a.letters, b.letters).in1 - a.letters.begin());
  return same >= kLeastAlike && 2 * same >= std::max(a.letters.size(), b.letters.size());
}

bool begin_alike(std::string_view a, std::string_view b) { return begin_alike(PlainWord(a), PlainWord(b)); }

}  // namespace ventris::metrics
