#include "metrics/tokenization.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "metrics/substitutions.h"
#include "metrics/unicode.h"

namespace ventris::metrics {
namespace {

std::string tokenize_13a(std::string_view line) {
  std::string text = " ";
  text.append(line).append(" ");
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  std::replace(text.begin(), text.end(), '\n', ' ');
  unescape_entities(text);
  return split_stops_and_dashes(split_ascii_punctuation(text));
}

std::string tokenize_intl(std::string_view line) {
  using Class = CharacterClass;
  std::u32string text = decode(line);
  text = replace_pairs(
      text,
      [](char32_t first, char32_t second) {
        return character_class(second) == Class::kPunctuation && character_class(first) != Class::kNumber;
      },
      [](std::u32string& out, char32_t first, char32_t second) { out.append({first, U' ', second, U' '}); });
  text = replace_pairs(
      text,
      [](char32_t first, char32_t second) {
        return character_class(first) == Class::kPunctuation && character_class(second) != Class::kNumber;
      },
      [](std::u32string& out, char32_t first, char32_t second) { out.append({U' ', first, U' ', second}); });
  return set_apart(encode(text), [](char32_t c) { return character_class(c) == Class::kSymbol; });
}

/// The characters that sacreBLEU 2.6 treats as Chinese, including symbols and full-width forms. It also lists U+20000
/// to U+2A6D6 and U+2F800 to U+2FA1D, but with only four digits, which gives other ranges (the last two here).
bool is_chinese(char32_t c) {
  static constexpr std::array<std::pair<char32_t, char32_t>, 18> kRanges{{{0x2E80, 0x2EFF},
                                                                          {0x2F00, 0x2FDF},
                                                                          {0x2FF0, 0x2FFF},
                                                                          {0x3000, 0x303F},
                                                                          {0x3100, 0x312F},
                                                                          {0x31A0, 0x31BF},
                                                                          {0x31C0, 0x31EF},
                                                                          {0x3200, 0x33FF},
                                                                          {0x3400, 0x4DB5},
                                                                          {0x4E00, 0x9FBB},
                                                                          {0xF900, 0xFA2D},
                                                                          {0xFA30, 0xFA6A},
                                                                          {0xFA70, 0xFAD9},
                                                                          {0xFE10, 0xFE1F},
                                                                          {0xFE30, 0xFE4F},
                                                                          {0xFF00, 0xFFEF},
                                                                          {0x2001, 0x2A6D},
                                                                          {0x2F81, 0x2FA1}}};
  if (c < 0x2001 || c > 0xFFEF) return false;
  return std::any_of(kRanges.begin(), kRanges.end(), [c](auto range) { return c >= range.first && c <= range.second; });
}

std::string tokenize_zh(std::string_view line) {
  return split_stops_and_dashes(split_ascii_punctuation(set_apart(strip(line), is_chinese)));
}

}  // namespace

const std::vector<std::string>& tokenization_names() {
  static const std::vector<std::string> names{"13a", "intl", "zh", "char", "spm", "none"};
  return names;
}

std::string tokenize(Tokenization tokenization, std::string_view line) {
  switch (tokenization) {
    case Tokenization::k13a: return tokenize_13a(line);
    case Tokenization::kIntl: return tokenize_intl(line);
    case Tokenization::kZh: return tokenize_zh(line);
    case Tokenization::kChar: return set_apart(line, [](char32_t) { return true; });
    case Tokenization::kSpm: throw std::invalid_argument("metrics: tokenization spm needs a model");
    case Tokenization::kNone: break;
  }
  return std::string(line);
}

bool looks_tokenized(const std::vector<std::string>& lines) {
  constexpr std::ptrdiff_t kSuspicious = 100;
  const auto detached = [](const std::string& line) { return line.ends_with(" ."); };
  return std::count_if(lines.begin(), lines.end(), detached) >= kSuspicious;
}

}  // namespace ventris::metrics
