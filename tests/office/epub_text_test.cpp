#include "office/epub_text.h"

#include <gtest/gtest.h>

#include "office/text_support.h"
#include "support/errors.h"

namespace ventris::office {
namespace {

using Texts = std::vector<std::string>;

/// The document with the texts as they are.
std::string epub_whole(const markup::MarkedDocument& document) {
  std::string text;
  const Texts texts = texts_of(document);
  for (size_t i = 0; i < texts.size(); ++i) text += document.blocks[i].before + texts[i];
  return text + document.after;
}

TEST(EpubText, EmptyElementsOfXmlAreNoStartTags) {
  const std::string page =
      "<?xml version=\"1.0\"?>\n<html><head><title/><script src=\"a\"/></head><body><p>One <a "
      "id=\"b\"/>two<br/>three</p>"
      "<pre>code</pre><p>a <code>f()</code> b &amp; c</p></body></html>";
  EXPECT_EQ(texts_of(parse_xhtml(page)), (Texts{"One <a id=\"b\"/>two", "three", "a <code>f()</code> b &amp; c"}));
  EXPECT_EQ(epub_whole(parse_xhtml(page)), page);
}

TEST(EpubText, PagesInXhtmlHaveEmptyElements) {
  const std::string page =
      "<?xml version=\"1.0\"?>\n<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>";
  EXPECT_TRUE(is_xhtml(page + "<script src=\"a.js\"/></head></html>"));
  EXPECT_FALSE(is_xhtml(page + "<link href=\"a.css\"/></head></html>"));
  EXPECT_FALSE(is_xhtml("<html><script src=\"a.js\"/></html>"));
  EXPECT_FALSE(is_xhtml(""));
}

TEST(EpubText, ATextWithoutLettersIsNone) {
  const std::string page = "<table><tr><td>12</td><td>word</td><td>2020-01-01</td></tr></table><h1>3.5</h1>";
  EXPECT_EQ(texts_of(parse_xhtml(page)), Texts{"word"});
  EXPECT_EQ(epub_whole(parse_xhtml(page)), page);
}

TEST(EpubText, ReferencesToNotesAreSigns) {
  const markup::MarkedDocument document = parse_xhtml(
      "<html xmlns:epub=\"http://www.idpf.org/2007/ops\"><p>A word<a epub:type=\"noteref\" href=\"#n\">1</a> and "
      "another<a role=\"doc-noteref\" href=\"#m\">*</a> in <a href=\"#y\">2019</a>.</p></html>");
  ASSERT_EQ(document.blocks.size(), 1U);
  const auto& objects = document.blocks[0].text.objects;
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_EQ(objects[0].raw, "<a epub:type=\"noteref\" href=\"#n\">1</a>");
  EXPECT_EQ(objects[1].raw, "<a role=\"doc-noteref\" href=\"#m\">*</a>");
}

TEST(EpubText, NamesThatOnlyHtmlHasBecomeCharacters) {
  EXPECT_EQ(texts_of(parse_xhtml("<p>a&nbsp;b&mdash;c &lt; &nosuchname; &#65;</p>")).size(), 1U);
  EXPECT_EQ(texts_of(parse_xhtml("<p>a&nbsp;b &amp; &quot;c<!-- &nbsp; --></p>")),
            (Texts{"a\u00a0b &amp; \"c<!-- &nbsp; -->"}));
  EXPECT_EQ(texts_of(parse_xhtml("<!DOCTYPE p [<!ENTITY nbsp \"x\">]><p>a&nbsp;b</p>")), (Texts{"a&nbsp;b"}));
}

TEST(EpubText, NamesOfSignsOfMarkupStay) {
  EXPECT_EQ(texts_of(parse_xhtml("<p>&LT;b&GT;a&LT;&sol;b&GT;</p>")).front().find("<b>"), std::string::npos);
}

TEST(EpubText, ManyAmpersandsTakeLinearTime) {
  const std::string signs = "bread " + std::string(2'000'000, '&');
  EXPECT_EQ(texts_of(parse_xhtml("<p>" + signs + "</p>")).size(), 1U);
}

TEST(EpubText, WhatIsNotWellFormedIsReadAsHtml) {
  EXPECT_EQ(texts_of(parse_xhtml("<p>One<br>two</p>")), (Texts{"One", "two"}));
}

TEST(EpubText, AttributesAndTheLanguageCanBeChanged) {
  const auto document = parse_xhtml("<html xml:lang=\"en\"><p>a <img alt=\"bread\"/></p></html>", {true, "de"});
  EXPECT_EQ(texts_of(document).size(), 2U);
  EXPECT_EQ(markup::put_apart_texts(epub_whole(document)),
            "<html xml:lang=\"de\"><p>a <img alt=\"bread\"/></p></html>");
}

TEST(EpubText, SignsOfNotesAreObjectsAsInHtml) {
  const auto block = parse_xhtml(
                         "<p>bread<sup><a href='#n' title='note'>1</a></sup>, <a href='#n'>[2]</a> and <a "
                         "href='#n'>2019</a></p>",
                         {.attributes = true})
                         .blocks.front();
  ASSERT_EQ(block.text.objects.size(), 2U);
  EXPECT_EQ(block.text.objects[1].raw, "<a href='#n'>[2]</a>");
  EXPECT_EQ(block.text.marks.size(), 2U);
  const auto all = parse_xhtml("<p>a<sup title='note'>1</sup></p>", {.attributes = true});
  ASSERT_EQ(all.blocks.size(), 2U);
  EXPECT_EQ(markup::put_apart_texts(epub_whole(all)), "<p>a<sup title='note'>1</sup></p>");
}

TEST(EpubText, TheTableOfContentsHasLabels) {
  const std::string ncx =
      "<ncx><docTitle><text>Title</text></docTitle><docAuthor><text>Nobody</text></docAuthor><navMap><navPoint>"
      "<navLabel><text>One</text></navLabel></navPoint></navMap></ncx>";
  EXPECT_EQ(texts_of(parse_ncx(ncx)), (Texts{"Title", "One"}));
  EXPECT_EQ(epub_whole(parse_ncx(ncx)), ncx);
}

TEST(EpubText, ThePackageDocumentHasATitleAndALanguage) {
  const std::string book =
      "<package><metadata><dc:title>A book</dc:title><dc:language>en</dc:language><dc:creator>B "
      "C</dc:creator></metadata></package>";
  EXPECT_EQ(texts_of(parse_package_document(book)), (Texts{"A book"}));
  EXPECT_EQ(epub_whole(parse_package_document(book)), book);
  EXPECT_NE(epub_whole(parse_package_document(book, {false, "de"})).find("<dc:language>de<"), std::string::npos);
}

}  // namespace
}  // namespace ventris::office
