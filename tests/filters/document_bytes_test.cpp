#include "filters/document_bytes.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::filters {
namespace {

std::string all(const std::string& path, markup::Markup markup) {
  const auto bytes = document_bytes(path, markup);
  std::string text;
  for (std::string_view block = bytes->next_block(); !block.empty(); block = bytes->next_block()) text += block;
  EXPECT_TRUE(bytes->ready());
  return text;
}

TEST(DocumentBytes, ADocumentIsConvertedByItsDeclaration) {
  const test::TempFolder folder;
  const std::string file = folder.file("page", "<meta charset=iso-8859-1>gr\xFCn");
  testing::internal::CaptureStderr();
  EXPECT_EQ(all(file, markup::Markup::kHtml), "<meta charset=UTF-8>gr\u00FCn");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("page: converted from windows-1252 to UTF-8"),
            std::string::npos);
  EXPECT_EQ(all(file, markup::Markup::kMarkdown), "<meta charset=iso-8859-1>gr\xFCn");
}

TEST(DocumentBytes, AWrongDeclarationIsWarnedAbout) {
  const test::TempFolder folder;
  testing::internal::CaptureStderr();
  EXPECT_EQ(all(folder.file("page", "<?xml version='1.0' encoding='latin1'?><a>\u00FC</a>"), markup::Markup::kXml),
            "<?xml version='1.0' encoding='UTF-8'?><a>\u00FC</a>");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("declares another encoding, but is in UTF-8"),
            std::string::npos);
}

TEST(DocumentBytes, UnknownEncodingsAndLongDocumentsAreRefused) {
  const test::TempFolder folder;
  EXPECT_FAILS(all(folder.file("page", "<meta charset=klingon>\xFC"), markup::Markup::kHtml), markup::MarkupError,
               "declares the encoding 'klingon', which is not known");
  const std::string file = folder.file("long", "");
  std::filesystem::resize_file(file, 2 * markup::kLongestDocument + 1);  // zeros, as in UTF-16
  EXPECT_FAILS(all(file, markup::Markup::kHtml), DataError, "long: over 64 MiB; split the document");
  EXPECT_FAILS(document_bytes(folder.path("none"), markup::Markup::kHtml), DataError, "none: cannot be read");
}

}  // namespace
}  // namespace ventris::filters
