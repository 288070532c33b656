#include "text/file_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::text {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using testing::Optional;
using testing::StartsWith;

/// The bytes of ASCII text in an encoding with this many bytes for each character, of which the letter is one.
std::string wide(const std::string& text, size_t size, size_t letter) {
  std::string bytes;
  for (const char c : text) {
    std::string character(size, '\0');
    character[letter] = c;
    bytes += character;
  }
  return bytes;
}

const std::string kText = "Two dogs play in the snow.\n";

TEST(FileKinds, FilesThatAreNoTextAreNamedWithWhatToDo) {
  EXPECT_EQ(
      foreign_kind("PK\x03\x04...."),
      "is a ZIP archive or a document such as DOCX, XLSX, ODT or EPUB, expected text; unpack it, or save its text "
      "as a plain text file first (ventris-translate reads DOCX, ODT and EPUB with --markup)");
  EXPECT_EQ(foreign_kind("\x28\xB5\x2F\xFD....."), "is zstd data, expected text; unpack it first");
  EXPECT_EQ(foreign_kind("%PDF-1.7"), "is a PDF file, expected text; save its text as a plain text file first");
  EXPECT_EQ(foreign_kind("\x93NUMPY\x01"), "is a NumPy file, expected text");
  EXPECT_THAT(foreign_kind("\xFD\x37zXZ\0..."s), Optional(StartsWith("is xz data")));
  EXPECT_THAT(foreign_kind("\x7F"
                           "ELF..."),
              Optional(StartsWith("is a program (ELF)")));
}

TEST(FileKinds, ATarArchiveIsKnownByItsMiddle) {
  std::string header(512, '\0');
  header.replace(0, 5, "a.txt");
  header.replace(257, 5, "ustar");
  EXPECT_EQ(foreign_kind(header), "is a tar archive, expected text; unpack it first");
  EXPECT_EQ(foreign_kind(header.substr(0, 261)), std::nullopt) << "its middle is cut off";
}

TEST(FileKinds, TextIsNone) {
  for (const std::string text : {"", "a", "PK", "BZh", "BZhe is a word", "GIF", "%PDF", "ustar", "\u00e9t\u00e9\n",
                                 "{\"text\": 1}\n", "Rar!", "SQLite format 3 is old"}) {
    EXPECT_EQ(foreign_kind(text), std::nullopt) << text;
    EXPECT_EQ(foreign_encoding(text), std::nullopt) << text;
  }
}

TEST(FileKinds, AnEncodingIsKnownByItsMark) {
  EXPECT_THAT(foreign_encoding("\xFF\xFE" + wide("a", 2, 0)), Optional(StartsWith("is UTF-16 text, expected UTF-8")));
  EXPECT_THAT(foreign_encoding("\xFE\xFF" + wide("a", 2, 1)), Optional(HasSubstr("iconv -f UTF-16 -t UTF-8")));
  EXPECT_THAT(foreign_encoding("\xFF\xFE\0\0"s + wide("a", 4, 0)), Optional(StartsWith("is UTF-32 text")));
  EXPECT_THAT(foreign_encoding("\0\0\xFE\xFF"s), Optional(StartsWith("is UTF-32 text")));
  EXPECT_EQ(foreign_encoding("\xEF\xBB\xBF" + kText), std::nullopt) << "the mark of UTF-8";
}

TEST(FileKinds, LatinTextWithoutAMarkIsKnownByItsZeros) {
  EXPECT_THAT(foreign_encoding(wide(kText, 2, 0)), Optional(StartsWith("is UTF-16LE text")));
  EXPECT_THAT(foreign_encoding(wide(kText, 2, 1)), Optional(StartsWith("is UTF-16BE text")));
  EXPECT_THAT(foreign_encoding(wide(kText, 4, 0)), Optional(StartsWith("is UTF-32LE text")));
  EXPECT_THAT(foreign_encoding(wide(kText, 4, 3)), Optional(StartsWith("is UTF-32BE text")));
  EXPECT_EQ(foreign_encoding(wide("short", 2, 0)), std::nullopt) << "too little to tell";
  EXPECT_EQ(foreign_encoding(kText + std::string(3, '\0') + kText), std::nullopt) << "some zeros are no encoding";
  EXPECT_EQ(foreign_encoding(std::string(100, '\0')), std::nullopt);
  EXPECT_EQ(foreign_encoding(wide(std::string(20, '\x01'), 2, 0)), std::nullopt) << "no letters";
}

TEST(FileKinds, OnlyTheFirstBytesDecide) {
  EXPECT_EQ(foreign_encoding(std::string(kBytesOfKind, 'a') + wide(std::string(100'000, 'a'), 2, 0)), std::nullopt);
}

TEST(FileKinds, TheBeginningOfASignatureNeedsMoreBytes) {
  for (const std::string start : {"", "\x1F", "\x1F\x8B", "P", "PK\x03", "%PD"}) {
    EXPECT_TRUE(is_part_of_signature(start)) << start;
  }
  for (const std::string whole : {"\x1F\x8B\x08", "PK\x03\x04", "PKx", "hello"}) {
    EXPECT_FALSE(is_part_of_signature(whole)) << whole;
  }
  EXPECT_TRUE(is_gzip("\x1F\x8B\x08..."));
  EXPECT_FALSE(is_gzip("\x1F\x8B\x07"));
}

}  // namespace
}  // namespace ventris::text
