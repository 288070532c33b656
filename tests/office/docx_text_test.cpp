#include "office/docx_text.h"

#include <gtest/gtest.h>

#include "office/text_support.h"
#include "support/errors.h"

namespace ventris::office {
namespace {

using Texts = std::vector<std::string>;

std::string docx(const std::string& body) {
  return "<w:document xmlns:w=\"w\"><w:body>" + body + "</w:body></w:document>";
}
std::string docx_run(const std::string& text, const std::string& properties = "") {
  return "<w:r>" + properties + "<w:t xml:space=\"preserve\">" + text + "</w:t></w:r>";
}
std::string docx_paragraph(const std::string& content) { return "<w:p>" + content + "</w:p>"; }

const std::string kBold = "<w:rPr><w:b/></w:rPr>";

/// The texts of a paragraph.
Texts docx_texts(const std::string& content) { return texts_of(parse_docx_text(docx(docx_paragraph(content)))); }

/// The content of the paragraph with these translations.
std::string docx_written(const std::string& content, const Texts& translations) {
  const std::string whole = parse_docx_text(docx(docx_paragraph(content))).writer->write(translations);
  const size_t before = docx("").find("</w:body>") + 5;
  return whole.substr(before, whole.find("</w:p></w:body>") - before);
}

TEST(DocxText, LanguagesOfRunsStayInTheirParagraph) {
  const std::string language = "<w:rPr><w:lang w:val=\"fr-FR\"/></w:rPr>";
  const std::string document = docx(docx_paragraph(docx_run("One", language)) + docx_paragraph(docx_run("two")) +
                                    docx_paragraph(docx_run("three", language)));
  EXPECT_EQ(parse_docx_text(document).writer->write({"Eins", "zwei", "drei"}),
            docx(docx_paragraph(docx_run("Eins", language)) + docx_paragraph(docx_run("zwei")) +
                 docx_paragraph(docx_run("drei", language))));
}

TEST(DocxText, RunsThatLookTheSameAreOneText) {
  const std::string content = docx_run("The dri") + "<w:proofErr w:type=\"spellStart\"/>" +
                              docx_run("ver ", "<w:rPr><w:noProof/><w:lang w:val=\"de\"/></w:rPr>") +
                              "<w:r w:rsidR=\"1\"><w:lastRenderedPageBreak/><w:t>&amp; bread</w:t></w:r>";
  EXPECT_EQ(docx_texts(content), (Texts{"The driver &amp; bread"}));
  EXPECT_EQ(docx_written(content, {"Der &lt;Fahrer"}), docx_run("Der &lt;Fahrer"));
}

TEST(DocxText, WhatDoesNotChangeKeepsItsBytes) {
  const std::string content = docx_run("a") + "<w:proofErr/>" + docx_run("b", kBold);
  EXPECT_EQ(docx_written(content, docx_texts(content)), content);
}

TEST(DocxText, AnotherFormatThanThatOfMostIsMarked) {
  const std::string content =
      "<w:pPr><w:jc/></w:pPr>" + docx_run("The driver likes ") + docx_run("bread", kBold) + docx_run(".");
  EXPECT_EQ(docx_texts(content), (Texts{"The driver likes <f1>bread</f>."}));
  EXPECT_EQ(docx_written(content, {"<f1>Brot</f> mag er."}),
            "<w:pPr><w:jc/></w:pPr>" + docx_run("Brot", kBold) + docx_run(" mag er."));
  EXPECT_EQ(docx_texts(docx_run("A", kBold) + docx_run("ll of it is plain")), (Texts{"<f0>A</f>ll of it is plain"}));
}

TEST(DocxText, TabsAndLineEndsDivideTexts) {
  const std::string content = "<w:r><w:t>Name:</w:t><w:tab/><w:t>bread</w:t><w:br/></w:r>" + docx_run("1");
  EXPECT_EQ(docx_texts(content), (Texts{"Name:", "bread"}));
  EXPECT_EQ(docx_written(content, {"Name:", "Brot"}),
            docx_run("Name:") + "<w:r><w:tab/></w:r>" + docx_run("Brot") + "<w:r><w:br/></w:r>" + docx_run("1"));
}

TEST(DocxText, LinksGoAroundWords) {
  const std::string link = "<w:hyperlink r:id=\"a\">",
                    content = docx_run("See ") + link + docx_run("here", kBold) + "</w:hyperlink>" + docx_run(" now");
  EXPECT_EQ(docx_texts(content), (Texts{"See <i1><f1>here</f><i3> now"}));
  EXPECT_EQ(docx_written(content, {"<i1><f1>Hier</f><i3> ist es"}),
            link + docx_run("Hier", kBold) + "</w:hyperlink>" + docx_run(" ist es"));
  EXPECT_EQ(docx_written(content, {"<i1><f1></f><i3>Ja"}), link + "</w:hyperlink>" + docx_run("Ja"));
  EXPECT_EQ(docx_texts(link + docx_run("all of it") + "</w:hyperlink>"), (Texts{"all of it"}));
  EXPECT_EQ(
      docx_texts(docx_run("1 ") + link + docx_run("a") + "</w:hyperlink>" + link + docx_run("b") + "</w:hyperlink>"),
      (Texts{"1 <i1>a<i3><i4>b<i6>"}));
}

TEST(DocxText, NothingIsLostIfATranslationHasBadSigns) {
  const std::string content = docx_run("a ") + "<w:ins>" + docx_run("b") + "</w:ins>" + docx_run(" c");
  EXPECT_EQ(docx_texts(content), (Texts{"a <i1>b<i3> c"}));
  for (const char* bad : {"x<i3><i1>", "x", "x<i1>", "x<i1><i1><i3>", "x<i9><i1><i3>", "x<i1><i3", "x<i1><i3><"}) {
    EXPECT_EQ(docx_written(content, {bad}), docx_run("x") + "<w:ins></w:ins>") << bad;
  }
}

TEST(DocxText, NotesAndPicturesAreMarksAndComeBack) {
  const std::string note = "<w:r><w:rPr><w:x/></w:rPr><w:footnoteReference w:id=\"2\"/></w:r>";
  const std::string content = docx_run("bread") + note + docx_run(" and");
  EXPECT_EQ(docx_texts(content), (Texts{"bread<i1> and"}));
  EXPECT_EQ(docx_written(content, {"und<i1> Brot"}), docx_run("und") + note + docx_run(" Brot"));
  EXPECT_EQ(docx_texts(docx_run(" bread ") + note), (Texts{" bread "})) << "behind the text, it is not a part of it";
}

TEST(DocxText, InsertedTextIsTranslatedAndDeletedTextIsNot) {
  EXPECT_EQ(
      docx_texts(docx_run("a ") + "<w:del><w:r><w:delText>b</w:delText></w:r></w:del><w:moveFrom>" + docx_run("no") +
                 "</w:moveFrom><w:ins w:id=\"1\">" + docx_run("c") + "</w:ins>" + docx_run(" d")),
      (Texts{"a <i1><i2><i3>c<i5> d"}));
}

TEST(DocxText, EndsOfBookmarksAreAPair) {
  const markup::MarkedDocument document = parse_docx_text(docx(
      docx_paragraph(docx_run("a") + "<w:bookmarkStart w:id=\"1\"/>" + docx_run("b") + "<w:bookmarkEnd w:id=\"1\"/>" +
                     docx_run("c") + "<w:bookmarkEnd w:id=\"2\"/>" + docx_run("d"))));
  const auto& marks = document.blocks.at(0).text.marks;
  ASSERT_EQ(marks.size(), 3U);
  EXPECT_NE(marks[0].pair, 0U);
  EXPECT_EQ(marks[0].pair, marks[1].pair);
  EXPECT_EQ(marks[2].pair, 0U);
}

TEST(DocxText, ABookmarkOverParagraphsIsAPairInNone) {
  const markup::MarkedDocument document =
      parse_docx_text(docx(docx_paragraph(docx_run("a") + "<w:bookmarkStart w:id=\"7\"/>" + docx_run("b")) +
                           docx_paragraph(docx_run("c") + "<w:bookmarkEnd w:id=\"7\"/>" + docx_run("d"))));
  ASSERT_EQ(document.blocks.at(1).text.marks.size(), 1U);
  EXPECT_EQ(document.blocks.at(1).text.marks[0].pair, 0U);
}

TEST(DocxText, PropertiesBehindTextAreNotTheBeginOfAParagraph) {
  const std::string content = docx_run("a ") + "<w:pPr/>" + docx_run("b");
  EXPECT_EQ(docx_texts(content), (Texts{"a <i1>b"}));
  EXPECT_EQ(docx_written(content, {"c<i1>d"}), docx_run("c") + "<w:pPr/>" + docx_run("d"));
}

TEST(DocxText, AParagraphInThePropertiesOfAnotherOneIsTranslatedThere) {
  const auto with = [](const std::string& first, const std::string& second) {
    return "<w:pPr><w:rPr><w:ins>" + docx_paragraph(docx_run(first)) + docx_paragraph(docx_run(second)) +
           "</w:ins></w:rPr></w:pPr>";
  };
  const std::string content = with("one", "two") + docx_run("three"), behind = docx_run("0 a ") + with("one", "two");
  EXPECT_EQ(docx_texts(content), (Texts{"three", "one", "two"}));
  EXPECT_EQ(docx_written(content, docx_texts(content)), content);
  EXPECT_EQ(docx_written(content, {"drei", "eins", "zwei"}), with("eins", "zwei") + docx_run("drei"));
  EXPECT_EQ(docx_written(content, {"three", "eins", "two"}), with("eins", "two") + docx_run("three"));
  EXPECT_EQ(docx_written(content, {"drei", "one", "two"}), with("one", "two") + docx_run("drei"));
  EXPECT_EQ(docx_written(behind, {"0 b ", "eins", "zwei"}), docx_run("0 b ") + with("eins", "zwei"));
}

TEST(DocxText, HyphensThatMayNotEndALineStay) {
  const std::string hyphen = "<w:r><w:noBreakHyphen/></w:r>";
  const auto preserved = [](const std::string& text) { return "<w:t xml:space=\"preserve\">" + text + "</w:t>"; };
  const std::string content = docx_run("My e") + hyphen + docx_run("mail");
  EXPECT_EQ(docx_texts(content), (Texts{"My e-mail"})) << "models know this hyphen";
  EXPECT_EQ(docx_written(content, {"Meine E-Mail - ja"}),
            "<w:r>" + preserved("Meine E") + "<w:noBreakHyphen/>" + preserved("Mail - ja") + "</w:r>");
  EXPECT_EQ(docx_written(content, docx_texts(content)), content);
  EXPECT_EQ(docx_written("<w:r><w:noBreakHyphen/></w:r><w:r><w:tab/></w:r>" + docx_run("one"), {"eins"}),
            "<w:r><w:noBreakHyphen/></w:r><w:r><w:tab/></w:r>" + docx_run("eins"));
}

TEST(DocxText, SymbolsStayInTheirFont) {
  const std::string font = "<w:rPr><w:rFonts w:ascii=\"Wingdings\"/></w:rPr>";
  const std::string content = docx_run("See ") + docx_run("\uF04A", font) + docx_run(" there");
  EXPECT_EQ(docx_texts(content), (Texts{"See <i1> there"}));
  EXPECT_EQ(docx_written(content, {"Siehe <i1> dort"}),
            docx_run("Siehe ") + docx_run("\uF04A", font) + docx_run(" dort"));
}

TEST(DocxText, RaisedAndLoweredNumbersStay) {
  const std::string raised = "<w:rPr><w:vertAlign w:val=\"superscript\"/></w:rPr>";
  const std::string content =
      docx_run("See m") + docx_run("2", raised) + docx_run(" there, 1") + docx_run("st", raised);
  EXPECT_EQ(docx_texts(content).front().substr(0, 10), "See m<n1> ");
  EXPECT_EQ(docx_written(docx_run("a") + docx_run("2", raised) + docx_run(" b"), {"x<n1> y"}),
            docx_run("x") + docx_run("2", raised) + docx_run(" y"));
  EXPECT_EQ(docx_texts(docx_run("a 2") + docx_run(" b")), Texts{"a 2 b"});
  const auto moved = [](const std::string& by) {
    return docx_texts(docx_run("a") + docx_run("2", "<w:rPr><w:position w:val=\"" + by + "\"/></w:rPr>") +
                      docx_run(" b"));
  };
  EXPECT_EQ(moved("8"), Texts{"a<n1> b"});
  EXPECT_EQ(moved("-8"), Texts{"a<n1> b"});
  EXPECT_EQ(docx_written(docx_run("a") + docx_run("2", raised) + docx_run(" b"), {"x<n1> y<n"}),
            docx_run("x") + docx_run("2", raised) + docx_run(" y"));
  EXPECT_NE(moved("0"), Texts{"a<n1> b"});
  const std::string lowered = "<w:rPr><w:vertAlign w:val=\"subscript\"/></w:rPr>";
  EXPECT_EQ(docx_texts(docx_run("CO") + docx_run("2", lowered) + docx_run(" b")), Texts{"CO<sub1> b"});
}

TEST(DocxText, WordsOfRubyAreTranslatedAndTheirReadingsStay) {
  const std::string begin = "<w:r><w:ruby><w:rubyPr/><w:rt>" + docx_run("r") + "</w:rt><w:rubyBase>";
  const std::string end = "</w:rubyBase></w:ruby></w:r>";
  const std::string content = docx_run("a ") + begin + docx_run("b") + end + docx_run(" c");
  EXPECT_EQ(docx_texts(content), (Texts{"a <i1>b<i3> c"}));
  EXPECT_EQ(docx_written(content, {"x <i1>y<i3> z"}), docx_run("x ") + begin + docx_run("y") + end + docx_run(" z"));
  EXPECT_EQ(
      docx_texts("<w:r><w:t>a</w:t><w:ruby><w:rubyBase>" + docx_run("b") + "</w:rubyBase></w:ruby><w:t>c</w:t></w:r>"),
      (Texts{"a<i1>c"}))
      << "beside other text, it stays";
}

TEST(DocxText, ParagraphsInsideOthersAreTranslated) {
  const std::string box =
      "<w:r><mc:A><w:txbxContent>" + docx_paragraph(docx_run("inside")) + "</w:txbxContent></mc:A></w:r>";
  const std::string content = docx_run("before ") + box + docx_run("behind");
  EXPECT_EQ(docx_texts(content), (Texts{"before <i1>behind", "inside"}));
  EXPECT_EQ(docx_written(content, {"before <i1>behind", "innen"}),
            docx_run("before ") + "<w:r><mc:A><w:txbxContent>" + docx_paragraph(docx_run("innen")) +
                "</w:txbxContent></mc:A></w:r>" + docx_run("behind"));
  EXPECT_EQ(docx_written(content, {"davor<i1>", "innen"}), docx_run("davor") + "<w:r><mc:A><w:txbxContent>" +
                                                               docx_paragraph(docx_run("innen")) +
                                                               "</w:txbxContent></mc:A></w:r>");
}

TEST(DocxText, ContentControlsStayAroundTheirText) {
  const std::string begin = "<w:sdt><w:sdtPr><w:id/></w:sdtPr><w:sdtContent>", end = "</w:sdtContent></w:sdt>";
  const std::string content = docx_run("a ") + begin + docx_run("b") + end + docx_run(" c");
  EXPECT_EQ(docx_written(content, {"x <i1>y<i3>"}), docx_run("x ") + begin + docx_run("y") + end);
  EXPECT_EQ(docx_texts(docx_run("a ") + "<w:sdt><w:sdtPr><w:dataBinding/></w:sdtPr><w:sdtContent>" + docx_run("b") +
                       end + docx_run("c")),
            (Texts{"a <i1>c"}))
      << "Word takes this text from elsewhere";
}

TEST(DocxText, SpacesAtTheEndsOfTextsCountOnlyIfTheyArePreserved) {
  EXPECT_EQ(docx_texts("<w:r><w:t> a\n</w:t><w:t xml:space=\"preserve\"> b</w:t><w:noBreakHyphen/><w:t>c</w:t></w:r>"),
            (Texts{"a b-c"}));
}

TEST(DocxText, TheUsualPrefixOfTheDocumentCounts) {
  const std::string document = "<document xmlns=\"w\"><p><r><t>bread</t></r></p></document>";
  const markup::MarkedDocument found = parse_docx_text(document);
  EXPECT_EQ(found.writer->write({"Brot"}),
            "<document xmlns=\"w\"><p><r><t xml:space=\"preserve\">Brot</t></r></p></document>");
}

TEST(DocxText, WhatIsNotXmlIsRefused) {
  EXPECT_FAILS(parse_docx_text("<w:p>\n<w:r></w:p>"), markup::MarkupError, "line 2: not well-formed XML");
  std::string fields;
  for (int i = 0; i < 1001; ++i) fields += "<w:r><w:fldChar w:fldCharType=\"begin\"/></w:r>\n";
  EXPECT_FAILS(parse_docx_text(docx(docx_paragraph(fields))), markup::MarkupError,
               "line 1001: fields are nested deeper than 1000 levels");
}

}  // namespace
}  // namespace ventris::office
