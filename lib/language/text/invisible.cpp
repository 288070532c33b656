#include "text/invisible.h"

#include <algorithm>
#include <array>

#include "core/utf8.h"

namespace ventris::text {
namespace {

constexpr std::array kMeaningless{
    CodeRange{0x00AD, 0x00AD},    // soft hyphen
    CodeRange{0x034F, 0x034F},    // combining grapheme joiner: only sorting looks at it
    CodeRange{0x061C, 0x061C},    // Arabic letter mark
    CodeRange{0x17B4, 0x17B5},    // Khmer inherent vowels: Unicode advises against them
    CodeRange{0x200B, 0x200B},    // zero width space
    CodeRange{0x200E, 0x200F},    // left-to-right mark, right-to-left mark
    CodeRange{0x202A, 0x202E},    // embeddings and overrides of direction
    CodeRange{0x2060, 0x2064},    // word joiner, invisible operators
    CodeRange{0x2066, 0x206F},    // isolates of direction, signs that Unicode advises against
    CodeRange{0x3164, 0x3164},    // Hangul filler
    CodeRange{0xFEFF, 0xFEFF},    // zero width no-break space (a byte-order mark inside a text)
    CodeRange{0xFFA0, 0xFFA0},    // halfwidth Hangul filler
    CodeRange{0xFFF9, 0xFFFB},    // signs of annotations
    CodeRange{0x1BCA0, 0x1BCA3},  // signs of shorthand
    CodeRange{0x1D173, 0x1D17A},  // signs of music: beams, slurs and phrases
};

/// All that have a use somewhere.
constexpr std::array kUseful{
    CodeRange{0x115F, 0x1160},    // Hangul fillers of syllables
    CodeRange{0x180B, 0x180F},    // Mongolian
    CodeRange{0x200C, 0x200D},    // joiners
    CodeRange{0xFE00, 0xFE0F},    // variation selectors
    CodeRange{0xE0001, 0xE01EF},  // tags (of flags), variation selectors of ideographs
};

constexpr std::array kUnjoined{CodeRange{0x21, 0x7E}, CodeRange{0xC0, 0x17F}, CodeRange{0x386, 0x3CE},
                               CodeRange{0x400, 0x45F}};

bool is_in(std::span<const CodeRange> ranges, char32_t code) {
  return std::ranges::any_of(ranges, [&](const CodeRange& range) { return range.first <= code && code <= range.last; });
}

bool between(char32_t code, char32_t first, char32_t last) { return first <= code && code <= last; }

/// Whether an invisible character of kUseful has a use after this character (0 = the beginning of a text).
bool has_use(char32_t code, char32_t before) {
  constexpr char32_t kFirstThatJoins = 0x0590;  // the letters before are Latin, Greek, Cyrillic and Armenian
  constexpr char32_t kFirstSymbol = 0x2010;
  constexpr char32_t kBlackFlag = 0x1F3F4;
  const bool continues = is_in(kUseful, before);  // a joiner after a variation selector, a tag after a tag
  if (between(code, 0x115F, 0x1160)) return true;
  if (between(code, 0x180B, 0x180F)) return between(before, 0x1800, 0x18AF);
  if (between(code, 0x200C, 0x200D)) return continues || before >= kFirstThatJoins;
  if (between(code, 0xFE00, 0xFE0F)) {
    return before >= kFirstSymbol || between(before, '0', '9') || before == '#' || before == '*' || before == 0xA9 ||
           before == 0xAE || between(before, 0x1000, 0x109F);
  }
  if (between(code, 0xE0001, 0xE007F)) return before == kBlackFlag || between(before, 0xE0020, 0xE007E);
  return before >= 0x2E80;  // variation selectors of ideographs
}

/// Whether a character of kUseful without a use after `before` is dropped all the same.
bool is_dropped(char32_t code, char32_t before) {
  return between(code, 0xE0001, 0xE007F) || (between(code, 0x200C, 0x200D) && is_in(kUnjoined, before));
}

}  // namespace

bool is_invisible(char32_t code) { return code >= 0xAD && (is_in(kMeaningless, code) || is_in(kUseful, code)); }

std::span<const CodeRange> meaningless_invisible() { return kMeaningless; }
std::span<const CodeRange> unjoined_characters() { return kUnjoined; }

InvisibleCount count_invisible(std::string_view text) {
  InvisibleCount count;
  char32_t before = 0;
  for (size_t at = 0; at < text.size();) {
    const core::Utf8Unit unit = core::utf8_unit_at(text, at);
    const char32_t code = unit.valid ? core::code_point(text.substr(at, unit.length)) : 0xFFFD;
    if (code >= 0xAD && is_in(kMeaningless, code)) {
      ++count.meaningless;
    } else {
      if (is_invisible(code) && !has_use(code, before)) {
        ++(is_dropped(code, before) ? count.meaningless : count.misplaced);
      }
      before = code;
    }
    at += unit.length;
  }
  return count;
}

}  // namespace ventris::text
