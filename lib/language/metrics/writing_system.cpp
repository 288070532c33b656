#include "metrics/writing_system.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "metrics/unicode.h"

namespace ventris::metrics {
namespace {

// A text in one of these scripts may contain many Latin letters, and one of its characters counts for several of them.
constexpr double kLeastShare = 0.25;
// Of Chinese characters and kana, in Japanese. Most Japanese texts have more than half.
constexpr double kLeastKana = 0.05;

struct NamedScript {
  UScriptCode code;
  const char* name;
};

constexpr std::array<NamedScript, 11> kWithoutSpaces{{{USCRIPT_THAI, "Thai"},
                                                      {USCRIPT_LAO, "Lao"},
                                                      {USCRIPT_KHMER, "Khmer"},
                                                      {USCRIPT_MYANMAR, "Burmese"},
                                                      {USCRIPT_TIBETAN, "Tibetan"},
                                                      {USCRIPT_JAVANESE, "Javanese"},
                                                      {USCRIPT_BALINESE, "Balinese"},
                                                      {USCRIPT_LANNA, "Tai Tham"},
                                                      {USCRIPT_NEW_TAI_LUE, "New Tai Lue"},
                                                      {USCRIPT_TAI_LE, "Tai Le"},
                                                      {USCRIPT_HANGUL, "Korean"}}};

/// How many letters of each script the lines have.
struct LetterCounts {
  int64_t all = 0, han = 0, kana = 0;
  std::array<int64_t, kWithoutSpaces.size()> without_spaces{};

  void add(char32_t character) {
    const auto letter = static_cast<UChar32>(character);
    constexpr uint32_t kLettersAndMarks = U_GC_L_MASK | U_GC_M_MASK;
    if ((U_GET_GC_MASK(letter) & kLettersAndMarks) == 0) return;
    ++all;
    UErrorCode error = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(letter, &error);
    if (script == USCRIPT_HAN || script == USCRIPT_BOPOMOFO) ++han;
    if (script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA) ++kana;
    for (size_t i = 0; i < kWithoutSpaces.size(); ++i) without_spaces[i] += script == kWithoutSpaces[i].code ? 1 : 0;
  }
};

}  // namespace

Writing writing_of(const std::vector<std::string>& lines) {
  LetterCounts counts;
  for (const std::string& line : lines) {
    for_each_character(line, [&](char32_t character, std::string_view) { counts.add(character); });
  }
  const auto most = std::ranges::max_element(counts.without_spaces);
  const int64_t east_asian = counts.han + counts.kana, greatest = std::max(east_asian, *most);
  if (greatest == 0 || static_cast<double>(greatest) < kLeastShare * static_cast<double>(counts.all)) return {};
  if (*most >= east_asian) {
    const auto index = static_cast<size_t>(most - counts.without_spaces.begin());
    return {Tokenization::kChar, kWithoutSpaces.at(index).name};
  }
  const bool japanese = static_cast<double>(counts.kana) >= kLeastKana * static_cast<double>(east_asian);
  return japanese ? Writing{Tokenization::kChar, "Japanese"} : Writing{Tokenization::kZh, "Chinese"};
}

bool suits(Tokenization tokenization, const Writing& writing) {
  if (writing.script.empty() || tokenization == writing.suitable) return true;
  return tokenization != Tokenization::k13a && tokenization != Tokenization::kIntl && tokenization != Tokenization::kZh;
}

}  // namespace ventris::metrics
