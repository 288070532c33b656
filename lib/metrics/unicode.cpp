#include "metrics/unicode.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/stringpiece.h>
#include <unicode/utf8.h>

#include <limits>

#include "core/error.h"

namespace ventris::metrics {

bool is_space(char32_t character) {
  if (character <= 0x20) return character == 0x20 || (character >= 0x09 && character <= 0x0D) || character >= 0x1C;
  if (character < 0x1680) return character == 0x85 || character == 0xA0;
  return character == 0x1680 || (character >= 0x2000 && character <= 0x200A) || character == 0x2028 ||
         character == 0x2029 || character == 0x202F || character == 0x205F || character == 0x3000;
}

std::u32string decode(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  const auto length = static_cast<int64_t>(text.size());
  for (int64_t i = 0; i < length;) {
    UChar32 character = 0;
    U8_NEXT_OR_FFFD(text.data(), i, length, character);
    result.push_back(static_cast<char32_t>(character));
  }
  return result;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  const auto length = static_cast<int64_t>(text.size());
  int64_t word_start = 0;
  for (int64_t i = 0; i < length;) {
    const int64_t start = i;
    UChar32 character = 0;
    U8_NEXT_OR_FFFD(text.data(), i, length, character);
    if (!is_space(static_cast<char32_t>(character))) continue;
    if (start > word_start) words.push_back(text.substr(word_start, start - word_start));
    word_start = i;
  }
  if (length > word_start) words.push_back(text.substr(word_start));
  return words;
}

std::string_view strip_right(std::string_view text) {
  size_t end = text.size();
  while (end > 0) {
    size_t start = end - 1;
    while (start > 0 && end - start < U8_MAX_LENGTH && U8_IS_TRAIL(text[start])) --start;
    const std::u32string last = decode(text.substr(start, end - start));
    if (last.size() != 1 || !is_space(last[0])) break;
    end = start;
  }
  return text.substr(0, end);
}

std::string to_lower(std::string_view text) {
  if (text.size() > std::numeric_limits<int32_t>::max()) {
    fail<DataError>("a line of ", text.size(), " bytes is too long to be lower-cased");
  }
  const auto size = static_cast<int32_t>(text.size());
  std::string result;
  icu::StringByteSink<std::string> sink(&result, size);
  UErrorCode status = U_ZERO_ERROR;
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), size), sink, nullptr, status);
  if (U_FAILURE(status)) fail<DataError>("a line of ", size, " bytes cannot be lower-cased: ", u_errorName(status));
  return result;
}

}  // namespace ventris::metrics
