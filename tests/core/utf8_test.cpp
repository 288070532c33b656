#include "core/utf8.h"

#include <gtest/gtest.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace ventris::core {
namespace {

TEST(Utf8Unit, IsACharacterOrWhatCannotBecomeOne) {
  const std::string_view text = "a\u00e9\u65e5\U0001f44d\xe6\x97z\xff";
  std::vector<std::pair<size_t, bool>> units;
  for (size_t at = 0; at < text.size(); at += units.back().first) {
    const Utf8Unit unit = utf8_unit_at(text, at);
    units.emplace_back(unit.length, unit.valid);
  }
  EXPECT_EQ(units, (std::vector<std::pair<size_t, bool>>{
                       {1, true}, {2, true}, {3, true}, {4, true}, {2, false}, {1, true}, {1, false}}));
}

TEST(CodePoint, IsTheNumberOfACharacter) {
  EXPECT_EQ(code_point("a"), U'a');
  EXPECT_EQ(code_point("\u00e9"), U'\u00e9');
  EXPECT_EQ(code_point("\uffff"), U'\uffff');
  EXPECT_EQ(code_point("\U0010ffff"), U'\U0010ffff');
}

TEST(Utf8Of, IsTheCharacterOfACodePoint) {
  for (const char* text : {"a", "\u00e9", "\u07ff", "\u0800", "\uffff", "\U00010000", "\U0010ffff"}) {
    EXPECT_EQ(utf8_of(code_point(text)), text);
  }
}

TEST(CutUtf8, CuttingNeverSplitsACharacter) {
  const std::string text = "aä€😀b";  // 1 + 2 + 3 + 4 + 1 bytes
  const size_t expected[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
  for (size_t bytes = 0; bytes < std::size(expected); ++bytes) {
    EXPECT_EQ(cut_utf8(text, bytes).size(), expected[bytes]) << bytes;
  }
}

TEST(CutUtf8, CuttingBytesWithoutABorderCutsAnywhere) { EXPECT_EQ(cut_utf8(std::string(20, '\x80'), 10).size(), 10U); }

}  // namespace
}  // namespace ventris::core
