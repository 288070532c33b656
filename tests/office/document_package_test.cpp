#include "office/document_package.h"

#include <gtest/gtest.h>

#include "office/text_support.h"
#include "office/zip_package.h"
#include "support/errors.h"
#include "support/zip_bytes.h"

namespace ventris::office {
namespace {

using markup::Markup;
using markup::MarkupError;
using Entries = std::vector<std::pair<std::string, std::string>>;
using Texts = std::vector<std::string>;

Entries odt(const std::string& text) {
  return {{"mimetype", "application/vnd.oasis.opendocument.text"},
          {"content.xml", "<a><text:p>" + text + "</text:p></a>"},
          {"styles.xml", "<a><text:p>Header</text:p></a>"},
          {"picture", "\x01\x02"}};
}

const Entries kBook{{"mimetype", "application/epub+zip"},
                    {"META-INF/container.xml", "<c><rootfile full-path=\"b.opf\"/></c>"},
                    {"b.opf",
                     "<p><metadata><dc:title>Book</dc:title></metadata>"
                     "<item href=\"c.xhtml\" media-type=\"application/xhtml+xml\"/></p>"},
                    {"c.xhtml", "<html><p>One <img alt=\"two\"/></p></html>"}};

TEST(DocumentPackage, TextsOfAllPartsAreTranslated) {
  const std::string bytes = test::zip_bytes(odt("bread"));
  const markup::MarkedDocument document = parse_package(bytes, Markup::kOdt);
  EXPECT_EQ(texts_of(document), (Texts{"bread", "Header"}));
  EXPECT_EQ(document.blocks[1].line, 2) << "the number of the text";
  const std::string written = document.writer->write({"Brot", "Header"});
  ZipPackage package(written);
  EXPECT_EQ(package.read("content.xml"), "<a><text:p>Brot</text:p></a>");
  EXPECT_EQ(package.read("styles.xml"), "<a><text:p>Header</text:p></a>");
  EXPECT_EQ(package.read("picture"), "\x01\x02");
  EXPECT_EQ(document.writer->write({"bread", "Header"}), bytes) << "nothing changes";
}

TEST(DocumentPackage, AttributesOfABookAreTranslatedInTheirPart) {
  const std::string bytes = test::zip_bytes(kBook);
  const markup::MarkedDocument document = parse_package(bytes, Markup::kEpub, {true, "de"});
  EXPECT_EQ(texts_of(document).size(), 3U);
  const std::string written = document.writer->write({"Buch", "Eins <img alt=\"\xFF\x30\xFF\"/>", "zwei"});
  ZipPackage package(written);
  EXPECT_EQ(package.read("c.xhtml"), "<html xml:lang=\"de\"><p>Eins <img alt=\"zwei\"/></p></html>");
  EXPECT_NE(package.read("b.opf").find("<dc:title>Buch<"), std::string::npos);
}

TEST(DocumentPackage, ErrorsNameThePart) {
  EXPECT_FAILS(parse_package(test::zip_bytes(odt("<b>")), Markup::kOdt), MarkupError,
               "content.xml: line 1: not well-formed XML");
  EXPECT_FAILS(parse_package("text", Markup::kDocx), MarkupError, "not a zip file");
}

TEST(DocumentPackage, EntitiesDoNotMultiply) {
  Entries entries = odt("");
  std::string bomb = "<!DOCTYPE a [<!ENTITY a0 \"lol\"><!ENTITY x SYSTEM \"file:///etc/passwd\">";
  for (int i = 1; i < 20; ++i) {
    const std::string below = "&a" + std::to_string(i - 1) + ";";
    bomb += "<!ENTITY a" + std::to_string(i) + " \"" + below + below + below + below + "\">";
  }
  entries[1].second = bomb + "]><a><text:p>one &a19; two &x;</text:p></a>";
  const std::string bytes = test::zip_bytes(entries);
  EXPECT_EQ(texts_of(parse_package(bytes, Markup::kOdt)).front(), "one <i1>two ");
}

TEST(DocumentPackage, DeepNestingIsRefused) {
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "<text:span>";
  EXPECT_FAILS(parse_package(test::zip_bytes(odt(deep)), Markup::kOdt), MarkupError,
               "content.xml: line 1: tags are nested deeper than 1000 levels");
}

}  // namespace
}  // namespace ventris::office
