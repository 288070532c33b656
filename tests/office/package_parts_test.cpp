#include "office/package_parts.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/zip_bytes.h"

namespace ventris::office {
namespace {

using markup::Markup;
using markup::MarkupError;
using Entries = std::vector<std::pair<std::string, std::string>>;
using Names = std::vector<std::string>;

Names parts_of(const Entries& entries, Markup markup) {
  const std::string bytes = test::zip_bytes(entries);
  ZipPackage package(bytes);
  Names names;
  for (const PackagePart& part : parts_with_texts(package, markup)) names.push_back(part.name);
  return names;
}

std::string override_of(const std::string& name, const std::string& type) {
  return "<Override PartName=\"/" + name + "\" ContentType=\"application/vnd.openxmlformats-officedocument." + type +
         "+xml\"/>";
}

TEST(PackageParts, ADocxNamesItsPartsByTheirTypes) {
  const std::string types = "<Types>" + override_of("w/h.xml", "wordprocessingml.header") +
                            override_of("w/d.xml", "wordprocessingml.document.main") +
                            override_of("w/s.xml", "wordprocessingml.styles") +
                            override_of("w/gone.xml", "wordprocessingml.footer") + "</Types>";
  EXPECT_EQ(
      parts_of({{"[Content_Types].xml", types}, {"w/h.xml", ""}, {"w/d.xml", ""}, {"w/s.xml", ""}}, Markup::kDocx),
      (Names{"w/d.xml", "w/h.xml"}));
}

TEST(PackageParts, APartThatIsNamedTwiceIsReadOnce) {
  const std::string body = override_of("d.xml", "wordprocessingml.document.main");
  EXPECT_EQ(parts_of({{"[Content_Types].xml", "<Types>" + body + body + "</Types>"}, {"d.xml", ""}}, Markup::kDocx),
            (Names{"d.xml"}));
}

TEST(PackageParts, TheBodyOfADocxMayHaveItsTypeByDefault) {
  const std::string types =
      "<Types><Default Extension=\"xml\" ContentType=\"application/vnd.openxmlformats-officedocument."
      "wordprocessingml.document.main+xml\"/></Types>";
  const std::string relations =
      "<Relationships><Relationship Type=\"http://x/officeDocument\" Target=\"/w/d.xml\"/></Relationships>";
  EXPECT_EQ(parts_of({{"[Content_Types].xml", types}, {"_rels/.rels", relations}, {"w/d.xml", ""}}, Markup::kDocx),
            (Names{"w/d.xml"}));
}

TEST(PackageParts, ADocxWithoutItsBodyIsDamaged) {
  const std::string types = "<Types>" + override_of("d.xml", "wordprocessingml.document.main") + "</Types>";
  EXPECT_FAILS(parts_of({{"[Content_Types].xml", types}}, Markup::kDocx), MarkupError,
               "the file d.xml is missing in it");
}

TEST(PackageParts, OtherKindsAreNamed) {
  const Entries table{{"[Content_Types].xml", "<Types>" + override_of("x", "spreadsheetml.sheet.main") + "</Types>"}};
  EXPECT_FAILS(parts_of(table, Markup::kDocx), MarkupError, "such as XLSX or PPTX, which is not read");
  EXPECT_FAILS(parts_of(table, Markup::kEpub), MarkupError,
               "expected an electronic book (EPUB), found a document of Microsoft Office");
  EXPECT_FAILS(parts_of({{"a", ""}}, Markup::kDocx), MarkupError,
               "expected a document of Word (DOCX), found a zip file of another kind");
  const Entries odt{{"mimetype", "application/vnd.oasis.opendocument.text"}, {"content.xml", ""}};
  EXPECT_FAILS(parts_of(odt, Markup::kEpub), MarkupError, "found an OpenDocument file");
  EXPECT_FAILS(parts_of({{"META-INF/container.xml", ""}}, Markup::kOdt), MarkupError,
               "found an electronic book (EPUB)");
  EXPECT_FAILS(parts_of({{"mimetype", "application/vnd.oasis.opendocument.graphics"}}, Markup::kOdt), MarkupError,
               "of the kind 'graphics', which is not read");
  EXPECT_FAILS(parts_of({{"[Content_Types].xml", "<a"}}, Markup::kDocx), MarkupError,
               "[Content_Types].xml: line 1: not well-formed");
}

TEST(PackageParts, AnOpenDocumentHasContentAndStyles) {
  Entries odt{{"mimetype", "application/vnd.oasis.opendocument.presentation"}, {"content.xml", ""}};
  EXPECT_EQ(parts_of(odt, Markup::kOdt), (Names{"content.xml"}));
  odt.emplace_back("styles.xml", "");
  EXPECT_EQ(parts_of(odt, Markup::kOdt), (Names{"content.xml", "styles.xml"}));
  odt.emplace_back("META-INF/manifest.xml", "<a><manifest:encryption-data/></a>");
  EXPECT_FAILS(parts_of(odt, Markup::kOdt), MarkupError, "the document is encrypted; save it without a password");
}

Entries epub(const std::string& items) {
  return {{"META-INF/container.xml", "<c><rootfile full-path=\"a/b.opf\"/></c>"},
          {"a/b.opf", "<p>" + items + "</p>"},
          {"a/c 1.xhtml", ""},
          {"d.xhtml", ""},
          {"a/toc.ncx", ""}};
}

TEST(PackageParts, AnEpubNamesItsPartsInItsManifest) {
  const std::string items =
      "<item href=\"c%201.xhtml#x\" media-type=\"application/xhtml+xml\"/><item href=\"../d.xhtml\" "
      "media-type=\"application/xhtml+xml\"/>"
      "<item href=\"./../d.xhtml\" media-type=\"application/xhtml+xml\"/><item href=\"../../e\" "
      "media-type=\"application/xhtml+xml\"/>"
      "<item href=\"toc.ncx\" media-type=\"application/x-dtbncx+xml\"/><item href=\"p.css\" media-type=\"text/css\"/>"
      "<item href=\"gone\" media-type=\"application/xhtml+xml\"/>";
  EXPECT_EQ(parts_of(epub(items), Markup::kEpub), (Names{"a/b.opf", "a/c 1.xhtml", "d.xhtml", "a/toc.ncx"}));
  EXPECT_FAILS(parts_of({{"META-INF/container.xml", "<c/>"}}, Markup::kEpub), MarkupError, "names no package document");
  EXPECT_FAILS(parts_of({{"META-INF/container.xml", "<c><rootfile full-path=\"x\"/></c>"}}, Markup::kEpub), MarkupError,
               "the file x is missing");
}

TEST(PackageParts, BooksWithDrmAreRefusedAndObfuscatedFontsAreNot) {
  const auto encrypted = [&](const std::string& method) {
    Entries entries = epub("");
    entries.emplace_back("META-INF/encryption.xml", "<e><enc:EncryptionMethod Algorithm=\"" + method + "\"/></e>");
    return parts_of(entries, Markup::kEpub);
  };
  EXPECT_EQ(encrypted("http://www.idpf.org/2008/embedding"), (Names{"a/b.opf"}));
  EXPECT_FAILS(encrypted("http://www.w3.org/2001/04/xmlenc#aes128-cbc"), MarkupError,
               "the book is encrypted (DRM), so its text cannot be read");
}

}  // namespace
}  // namespace ventris::office
