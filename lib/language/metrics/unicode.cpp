#include "metrics/unicode.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>
#include <limits>

#include "core/error.h"

namespace ventris::metrics {
namespace {

CharacterClass look_up_class(char32_t character) {
  const auto category = U_GET_GC_MASK(static_cast<UChar32>(character));
  if ((category & U_GC_P_MASK) != 0) return CharacterClass::kPunctuation;
  if ((category & U_GC_S_MASK) != 0) return CharacterClass::kSymbol;
  return (category & U_GC_N_MASK) != 0 ? CharacterClass::kNumber : CharacterClass::kOther;
}

}  // namespace

CharacterClass character_class(char32_t character) {
  static const auto ascii = [] {
    std::array<CharacterClass, 128> classes{};
    for (size_t c = 0; c < classes.size(); ++c) classes[c] = look_up_class(static_cast<char32_t>(c));
    return classes;
  }();
  return character < ascii.size() ? ascii[character] : look_up_class(character);
}

bool is_space(char32_t character) {
  if (character <= 0x20) return character == 0x20 || (character >= 0x09 && character <= 0x0D) || character >= 0x1C;
  if (character < 0x1680) return character == 0x85 || character == 0xA0;
  return character == 0x1680 || (character >= 0x2000 && character <= 0x200A) || character == 0x2028 ||
         character == 0x2029 || character == 0x202F || character == 0x205F || character == 0x3000;
}

char32_t next_character(std::string_view text, size_t& position) {
  const char first = text[position];
  if (U8_IS_SINGLE(first)) {
    ++position;
    return static_cast<char32_t>(first);
  }
  auto i = static_cast<int64_t>(position);
  const auto length = static_cast<int64_t>(text.size());
  UChar32 character = 0;
  U8_NEXT_OR_FFFD(text.data(), i, length, character);
  position = static_cast<size_t>(i);
  return static_cast<char32_t>(character);
}

std::u32string decode(std::string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (size_t position = 0; position < text.size();) result.push_back(next_character(text, position));
  return result;
}

std::string encode(const std::u32string& text) {
  std::string result;
  result.reserve(2 * text.size());
  for (const char32_t character : text) {
    std::array<char, U8_MAX_LENGTH> bytes{};
    size_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, character);
    result.append(bytes.data(), length);
  }
  return result;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  size_t word_start = 0;
  for (size_t position = 0; position < text.size();) {
    const size_t start = position;
    if (!is_space(next_character(text, position))) continue;
    if (start > word_start) words.push_back(text.substr(word_start, start - word_start));
    word_start = position;
  }
  if (text.size() > word_start) words.push_back(text.substr(word_start));
  return words;
}

std::string join_words(const std::vector<std::string_view>& words) {
  std::string result;
  for (const std::string_view word : words) result.append(result.empty() ? "" : " ").append(word);
  return result;
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

std::string_view strip(std::string_view text) {
  size_t begin = 0;
  for (size_t position = 0; position < text.size() && is_space(next_character(text, position)); begin = position) {
  }
  return strip_right(text.substr(begin));
}

std::string to_lower(std::string_view text) {
  if (text.size() > std::numeric_limits<int32_t>::max()) {
    fail<DataError>("a line of ", text.size(), " bytes is too long for lower-casing");
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
