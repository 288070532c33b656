#include "formats/format_table.h"

#include <gtest/gtest.h>

#include <set>

namespace ventris::formats {
namespace {

TEST(FormatTable, EachNameAndKindOfMarkupIsThereOnce) {
  std::set<std::string> names;
  std::set<Markup> kinds;
  for (const FileFormat& format : all_formats()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_TRUE(kinds.insert(format.markup).second) << format.name;
    EXPECT_EQ(find_format(format.name), &format);
  }
  EXPECT_EQ(find_format("rtf"), nullptr);
  EXPECT_EQ(format_names().substr(0, 20), "none, html, markdown");
}

TEST(FormatTable, TheEndingOfANameSaysTheFormat) {
  const auto format_of = [](std::string_view file) {
    const FileFormat* const format = format_of_file(file);
    return std::string(format == nullptr ? "" : format->name);
  };
  EXPECT_EQ(format_of("a/film.SRT"), "srt");
  EXPECT_EQ(format_of("de.po.gz"), "po");
  EXPECT_EQ(format_of("res/values/strings.xml"), "android") << "the longer ending counts";
  EXPECT_EQ(format_of("page.xml"), "xml");
  EXPECT_EQ(format_of("Localizable.strings"), "strings");
  EXPECT_EQ(format_of("train.en"), "");
  EXPECT_EQ(format_of("corpus.jsonl"), "");
}

TEST(FormatTable, TheFirstFileInAZipFileSaysTheFormat) {
  const auto format_of = [](const std::string& start) {
    const FileFormat* const format = format_of_content("PK\x03\x04" + std::string(26, 'x') + start);
    return std::string(format == nullptr ? "" : format->name);
  };
  EXPECT_EQ(format_of("mimetypeapplication/epub+zipPK"), "epub");
  EXPECT_EQ(format_of("mimetypeapplication/vnd.oasis.opendocument.text"), "odt");
  EXPECT_EQ(format_of("[Content_Types].xml"), "docx");
  EXPECT_EQ(format_of("a.txt"), "");
  EXPECT_EQ(format_of_content("some text"), nullptr);
  EXPECT_EQ(format_of_content("a <?xml version=\"1.0\"?>"), nullptr);
  for (const std::string start : {"<?xml version=\"1.0\"?><topic/>", "\uFEFF<?xml version='1.0'?>", "\n <?xml "}) {
    EXPECT_EQ(format_of_content(start)->name, std::string("xml")) << start;
  }
  EXPECT_EQ(format_of_content("PK\x03\x04"), nullptr);
}

TEST(FormatTable, DocumentsThatAreNotReadAreNamed) {
  EXPECT_EQ(unread_kind("report.doc"), "a document of Word");
  EXPECT_EQ(unread_kind("film.ass"), "a file of subtitles in Advanced SubStation Alpha");
  EXPECT_EQ(unread_kind("memory.TMX"), "a translation memory");
  EXPECT_EQ(unread_kind("logo.svg"), "a drawing in SVG");
  EXPECT_EQ(unread_kind("Info.plist"), "a property list");
  EXPECT_EQ(unread_kind("Localizable.stringsdict"), "a dictionary of plurals of macOS and iOS");
  EXPECT_EQ(unread_kind("letter.fodt.gz"), "a text of OpenDocument in one file of XML");
  EXPECT_EQ(unread_kind("sums.ipynb"), "a notebook of Jupyter");
  for (const char* table : {"names.csv", "corpus.tsv", "CORPUS.TSV.gz"}) EXPECT_EQ(unread_kind(table), "a table");
  EXPECT_EQ(unread_kind("guide.rst"), "a document in reStructuredText");
  EXPECT_EQ(unread_kind("paper.tex"), "a document in TeX");
  EXPECT_EQ(unread_kind("messages.toml"), "a file of settings in TOML");
  EXPECT_EQ(unread_kind("app_de.ts"), "a catalogue of Qt or a program in TypeScript");
  EXPECT_EQ(unread_kind("mail.erb"), "a template of Ruby");
  EXPECT_EQ(unread_kind("page.html.erb"), "");
  EXPECT_EQ(unread_kind("site.conf.j2"), "a template of Jinja");
  for (const char* name : {"mail.txt.twig", "config.yaml.njk", "feed.xml.liquid"}) {
    EXPECT_EQ(unread_kind(name), "a template of a file that is no HTML") << name;
  }
  EXPECT_EQ(unread_kind("page.html.twig"), "");
  EXPECT_EQ(unread_kind("film.srt"), "");
  EXPECT_EQ(unread_kind("corpus.tok.de"), "");
}

TEST(FormatTable, TemplatesThatAreNamedAsSuchAreHtml) {
  for (const char* name :
       {"page.twig", "card.hbs", "a.mustache", "product.liquid", "b.njk", "page.html.erb", "x.html.j2"}) {
    ASSERT_NE(format_of_file(name), nullptr) << name;
    EXPECT_STREQ(format_of_file(name)->name, "html");
  }
}

TEST(FormatTable, JsonLinesAreKnownByTheirEnding) {
  for (const char* name : {"a.jsonl", "a.ndjson", "A.JSONL", "a.jsonl.gz"}) EXPECT_TRUE(has_json_lines(name)) << name;
  for (const char* name : {"a.json", "a.txt", "jsonl"}) EXPECT_FALSE(has_json_lines(name)) << name;
}

}  // namespace
}  // namespace ventris::formats
