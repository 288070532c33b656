#include "markup/encoding.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace ventris::markup {
namespace {

using namespace std::string_literals;

std::string html(const std::string& bytes) { return decode_document(bytes, Markup::kHtml).text; }
std::string xml(const std::string& bytes) { return decode_document(bytes, Markup::kXml).text; }

TEST(DecodeDocument, XmlIsConvertedByItsDeclarationWhichThenSaysUtf8) {
  EXPECT_EQ(xml("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>gr\xFCne</a>"),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>gr\u00FCne</a>");
  EXPECT_EQ(xml("<?xml version='1.0' encoding = 'windows-1251' standalone='yes'?><a>\xC4\xE0</a>"),
            "<?xml version='1.0' encoding = 'UTF-8' standalone='yes'?><a>\u0414\u0430</a>");
  EXPECT_EQ(xml("<?xml version=\"1.0\" encoding=\"Shift_JIS\"?><a>\x93\xFA\x96\x7B</a>"),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?><a>\u65E5\u672C</a>");
  EXPECT_EQ(xml("<a b='encoding=\"latin1\"'>\xC3\xBC</a>"), "<a b='encoding=\"latin1\"'>\u00FC</a>");
}

TEST(DecodeDocument, HtmlIsConvertedByItsMeta) {
  EXPECT_EQ(html("<head><meta charset=iso-8859-1><p>gr\xFCn \x80"), "<head><meta charset=UTF-8><p>gr\u00FCn \u20AC");
  EXPECT_EQ(html("<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=ISO-8859-15\">\xA4"),
            "<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\u20AC");
  EXPECT_EQ(html("<meta charset=\"gb2312\"><p>\xC4\xE3"), "<meta charset=\"UTF-8\"><p>\u4F60");
  EXPECT_EQ(html("<!-- <meta charset=koi8-r> --><title>a</title><p>\xC3\xBC"),
            "<!-- <meta charset=koi8-r> --><title>a</title><p>\u00FC");
  EXPECT_EQ(html("<body><meta charset=koi8-r>x"), "<body><meta charset=koi8-r>x");
  EXPECT_EQ(decode_document("<meta charset=latin1>\xFC", Markup::kHtml).encoding, "windows-1252");
}

TEST(DecodeDocument, BytesThatTheEncodingDoesNotHaveAreCountedByLine) {
  const DecodedDocument decoded =
      decode_document("<meta charset=shift_jis>\n\x93\xFA\n\x93\n\n\xFD\xFD \x96\x7B", Markup::kHtml);
  EXPECT_EQ(decoded.text, "<meta charset=UTF-8>\n\u65E5\n\uFFFD\n\n\uFFFD\uFFFD \u672C");
  EXPECT_EQ(decoded.replaced.text(), "lines 3, 5");
  const DecodedDocument wide = decode_document("\xFF\xFE<\0\n\0\x00\xD8>\0\n\0\xFD\xFF"s, Markup::kHtml);
  EXPECT_EQ(wide.text, "<\n\uFFFD>\n\uFFFD") << "the last one was in the document";
  EXPECT_EQ(wide.replaced.text(), "line 2");
  EXPECT_EQ(decode_document("<meta charset=latin1>\xFC", Markup::kHtml).replaced.count(), 0);
}

TEST(DecodeDocument, AByteOrderMarkCountsMoreThanADeclaration) {
  EXPECT_EQ(xml("\xFF\xFE<\0?\0x\0m\0l\0 \0e\0n\0c\0o\0d\0i\0n\0g\0=\0'\0u\0t\0f\0-\0001\0006\0'\0?\0>\0<\0a\0/\0>\0"s),
            "<?xml encoding='UTF-8'?><a/>");
  EXPECT_EQ(xml("\xEF\xBB\xBF<?xml version='1.0' encoding='latin1'?><a>\u00FC</a>"),
            "<?xml version='1.0' encoding='UTF-8'?><a>\u00FC</a>");
  EXPECT_EQ(html("\xFE\xFF\0<\0p\0>\0\xFC"s), "<p>\u00FC");
}

TEST(DecodeDocument, WhatIsUtf8StaysSoWhateverItDeclares) {
  const DecodedDocument decoded = decode_document("<meta charset=latin1>gr\u00FCn", Markup::kHtml);
  EXPECT_EQ(decoded.text, "<meta charset=UTF-8>gr\u00FCn");
  EXPECT_TRUE(decoded.wrongly_declared);
  EXPECT_EQ(decoded.encoding, "");
  for (const std::string document :
       {"<?xml version='1.0' encoding='utf-8'?><a>\u00FC</a>", "<meta charset=utf8>\u00FC"}) {
    EXPECT_EQ(html(document), document);
    EXPECT_FALSE(decode_document(document, Markup::kHtml).wrongly_declared);
  }
}

TEST(DecodeDocument, WhatDeclaresNothingIsReturnedAsItIs) {
  for (const std::string document : {"", "<p>\xFC", "<meta>", "<meta charset>", "<?xml version='1.0'?><a/>", "<"}) {
    EXPECT_EQ(html(document), document);
  }
  EXPECT_EQ(decode_document("<meta charset=latin1>\xFC", Markup::kMarkdown).text, "<meta charset=latin1>\xFC");
}

TEST(DecodeDocument, AMarkIsNeededWhereNothingElseDeclaresUtf8) {
  const auto needs = [](const std::string& document) { return decode_document(document, Markup::kHtml).needs_mark; };
  EXPECT_TRUE(needs("\xEF\xBB\xBF<html><p>\u00FC"));
  EXPECT_TRUE(needs("<html><p>&uuml;")) << "ASCII";
  EXPECT_TRUE(needs(std::string("\xFF\xFE<\0p\0>\0", 8)));
  EXPECT_FALSE(needs("\xEF\xBB\xBF<html><meta charset=utf-8>"));
  EXPECT_FALSE(needs("<html><meta charset=latin1><p>a"));
  EXPECT_FALSE(needs("<html><p>\u00FC")) << "it was so before";
  EXPECT_FALSE(needs("<p>a")) << "a part of a page";
  EXPECT_FALSE(decode_document("\xEF\xBB\xBF<a/>", Markup::kXml).needs_mark);
}

TEST(DecodeDocument, AnUnknownEncodingAndOneThatHidesTagsAreRefused) {
  for (const std::string name : {"klingon", "utf-7", "hz-gb-2312", "iso-2022-kr", "ibm-37", "SCSU"}) {
    EXPECT_FAILS(html("\n<meta charset=" + name + ">+ADw-b+AD4-\xFC"), MarkupError,
                 "line 2: the document declares the encoding '" + name + "', which is not known; convert it to UTF-8");
  }
  EXPECT_EQ(html("<meta charset=utf-7>+ADw-"), "<meta charset=UTF-8>+ADw-") << "it is ASCII";
}

TEST(DecodeDocument, OnlyAMetaOfTheContentTypeDeclares) {
  for (const std::string document :
       {"<meta charset=\"utf-8\"><meta name=\"description\" content=\"charset=latin1\">\u00FC",
        "<meta name=\"description\" content='set charset=\"utf-8\"'>", "<meta charset=\"\">\xFC",
        "<meta title=\"a charset=koi8-r\">\xFC"}) {
    EXPECT_EQ(html(document), document);
  }
}

}  // namespace
}  // namespace ventris::markup
