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
  }
  EXPECT_FAILS(read_document("", markup::Markup::kEpub), markup::MarkupError, "not a zip file");
  EXPECT_EQ(read_document("<p>a</p>", markup::Markup::kHtml).writer, nullptr);
}

}  // namespace
}  // namespace ventris::formats
