#include "formats/format_reading.h"

#include <gtest/gtest.h>

#include "formats/format_table.h"
#include "support/errors.h"
#include "support/written_format.h"

namespace ventris::formats {
namespace {

TEST(FormatReading, EachFormatThatKeepsBytesHasAWriter) {
  for (const FileFormat& format : all_formats()) {
    const bool keeps = markup::keeps_bytes(format.markup);
    if (!keeps || markup::is_package(format.markup)) continue;
    EXPECT_EQ(test::written_format("", format.markup), "") << format.name;
    EXPECT_FAILS(read_document("\xFF\xFE"
                               "a",
                               format.markup),
                 markup::MarkupError, "line 1: the file is UTF-16 text");
    EXPECT_FAILS(read_document("\n\xFC", format.markup), markup::MarkupError, "line 2: has bytes that are not UTF-8");
    if (format.markup != Markup::kProperties) continue;
    EXPECT_FAILS(read_document("\xFC", format.markup), markup::MarkupError,
                 "write its letters as \\u00e9 (native2ascii)");
  }
  EXPECT_FAILS(read_document("", markup::Markup::kEpub), markup::MarkupError, "not a zip file");
  EXPECT_EQ(read_document("<p>a</p>", markup::Markup::kHtml).writer, nullptr);
}

TEST(FormatReading, APageInXhtmlIsReadAsXml) {
  const std::string page =
      "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><script src=\"a.js\"/><title>One</title>"
      "</head><body><p>two&nbsp;three</p></body></html>";
  EXPECT_EQ(read_document(page, markup::Markup::kHtml).blocks.size(), 2U);
  EXPECT_EQ(read_document(page + "<p>", markup::Markup::kHtml).blocks.size(), 0U) << "not well-formed: as HTML";
}

}  // namespace
}  // namespace ventris::formats
