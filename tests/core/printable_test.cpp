#include "core/printable.h"

#include <gtest/gtest.h>

#include <string_view>

#include "core/error.h"

namespace ventris::core {
namespace {

using namespace std::string_view_literals;

TEST(Printable, WhatCanBeReadStays) {
  for (const char* text : {"", "run/best: 5 < 6 \\n \\x1b", "grün 日本 עברית 👍", "\u00a0\u200d\ufeff"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ControlCharactersAreEscaped) {
  EXPECT_EQ(printable("\0\a\t\n\r\x1b[31m\x1f\x7f"sv), R"(\x00\x07\t\n\r\x1b[31m\x1f\x7f)");
  EXPECT_EQ(printable("\u0080\u0085\u009b2J\u009f"), R"(\u0080\u0085\u009b2J\u009f)");
}

TEST(Printable, WhatBreaksLinesOrTurnsTheDirectionOfWritingIsEscaped) {
  EXPECT_EQ(printable("\u2028\u2029\u202a\u202e\u2066\u2069"), R"(\u2028\u2029\u202a\u202e\u2066\u2069)");
  EXPECT_EQ(printable("\u2027\u202f\u2065\u206a"), "\u2027\u202f\u2065\u206a");
}

TEST(Printable, BytesThatAreNoTextAreEscapedOneByOne) {
  EXPECT_EQ(printable("a\xffz\xe6\x97"), R"(a\xffz\xe6\x97)");
  EXPECT_EQ(printable("\xc0\x9b \xed\xa0\x80"), R"(\xc0\x9b \xed\xa0\x80)");  // overlong, a surrogate
  EXPECT_EQ(printable("\x9b\x32J"), R"(\x9b2J)");
}

TEST(Printable, OnceMoreChangesNothing) {
  const std::string once = printable("\x1b\n\xff\u009b\\");
  EXPECT_EQ(printable(once), once);
}

TEST(PrintableLines, LineFeedsStayAndNothingElse) {
  EXPECT_EQ(printable_lines("a\r\n\n\tb\x1b\n"), "a\\r\n\n\\tb\\x1b\n");
  EXPECT_EQ(printable_lines(""), "");
}

TEST(Error, WhatItSaysIsPrintable) {
  try {
    fail<ModelError>("a\nb", std::string("\0\x1b"sv), '\r');
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), R"(a\nb\x00\x1b\r)");
  }
  EXPECT_STREQ(Interrupted(15, "\x1b").what(), "\\x1b");
}

}  // namespace
}  // namespace ventris::core
