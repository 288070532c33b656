#include "formats/document_text.h"

#include <gtest/gtest.h>

#include "markup/markup.h"
#include "support/errors.h"

namespace ventris::formats {
namespace {

using namespace std::string_view_literals;

TEST(DocumentText, LinesHaveNoLineEnds) {
  const std::string_view text = "one\r\ntwo\n\nlast";
  std::vector<std::string_view> lines;
  for (const ByteRange& range : lines_of(text)) lines.push_back(part_of(text, range));
  EXPECT_EQ(lines, (std::vector{"one"sv, "two"sv, ""sv, "last"sv}));
  EXPECT_TRUE(lines_of("").empty());
  EXPECT_EQ(lines_of("a\n").size(), 1U) << "nothing is behind the last line feed";
}

TEST(DocumentText, TheFirstLineEndIsThatOfTheFile) {
  EXPECT_EQ(line_end_of("a\r\nb\n"), "\r\n");
  EXPECT_EQ(line_end_of("a\nb\r\n"), "\n");
  EXPECT_EQ(line_end_of("a"), "\n");
}

TEST(DocumentText, OnlyUtf8IsText) {
  check_text("\xEF\xBB\xBF gr\xC3\xBCn");
  EXPECT_FAILS(check_text("\xFF\xFE"
                          "a\0b\0"sv),
               markup::MarkupError, "line 1: the file is UTF-16 text, expected UTF-8");
  EXPECT_FAILS(check_text("one\ngr\xFCn"), markup::MarkupError,
               "line 2: has bytes that are not UTF-8; convert the file to UTF-8");
}

TEST(DocumentText, PlacesGetOtherTexts) { EXPECT_EQ(replaced("one two", {{{0, 3}, "1"}, {{7, 7}, "!"}}), "1 two!"); }

TEST(DocumentText, MessagesShowTheBeginningOfALine) {
  EXPECT_EQ(shown("short\nmore"), "short");
  const std::string shortened = shown(std::string(50, 'a'));
  EXPECT_EQ(shortened.size(), 43U);
  EXPECT_TRUE(shortened.ends_with("aa..."));
}

TEST(DocumentText, LinesAreCountedFromPlaceToPlace) {
  LineCounter counter("a\nb\nc");
  EXPECT_EQ(counter.line_of(0), 1);
  EXPECT_EQ(counter.line_of(2), 2);
  EXPECT_EQ(counter.line_of(4), 3);
}

}  // namespace
}  // namespace ventris::formats
