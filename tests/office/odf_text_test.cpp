#include "office/odf_text.h"

#include <gtest/gtest.h>

#include "office/text_support.h"
#include "support/errors.h"

namespace ventris::office {
namespace {

using Texts = std::vector<std::string>;

std::string odf(const std::string& content) { return "<office:text><text:p>" + content + "</text:p></office:text>"; }
Texts odf_texts(const std::string& content) { return texts_of(parse_odf_text(odf(content))); }
std::string odf_written(const std::string& content, const Texts& translations) {
  const std::string whole = parse_odf_text(odf(content)).writer->write(translations);
  return whole.substr(21, whole.size() - 21 - std::string("</text:p></office:text>").size());
}

TEST(OdfText, SpansAreMarksInASentence) {
  const std::string content = "The dri<text:span a=\"1\">ver</text:span> &amp;\n  bread";
  EXPECT_EQ(odf_texts(content), (Texts{"The dri<i1>ver<i3> &amp; bread"}));
  EXPECT_EQ(odf_written(content, {"<i1>Der<i3> &lt;"}), "<text:span a=\"1\">Der</text:span> &lt;");
  EXPECT_EQ(odf_written(content, odf_texts(content)), content);
}

TEST(OdfText, ACellHasNoValueBesideItsTranslation) {
  const std::string cell =
      "<table:table-cell office:value-type=\"string\"\n office:string-value = 'The dog'><text:p>The dog</text:p>"
      "</table:table-cell><table:table-cell office:string-value=\"12\"><text:p>12</text:p></table:table-cell>";
  const markup::MarkedDocument document = parse_odf_text("<office:text>" + cell + "</office:text>");
  EXPECT_EQ(texts_of(document), Texts{"The dog"});
  EXPECT_EQ(document.writer->write({"Der Hund"}),
            "<office:text><table:table-cell office:value-type=\"string\"><text:p>Der Hund</text:p></table:table-cell>"
            "<table:table-cell office:string-value=\"12\"><text:p>12</text:p></table:table-cell></office:text>");
}

TEST(OdfText, ACellKeepsAValueThatIsNotItsText) {
  for (const std::string cell :
       {"<table:table-cell office:string-value=\"SKU-17\"><text:p>The dog</text:p></table:table-cell>",
        "<table:table-cell "
        "office:string-value=\"a\"><text:p>a</text:p><table:table><table:table-cell><text:p>b</text:p>"
        "</table:table-cell></table:table><text:p>c</text:p></table:table-cell>"}) {
    const std::string content = "<office:text>" + cell + "</office:text>";
    const markup::MarkedDocument document = parse_odf_text(content);
    EXPECT_EQ(document.writer->write(texts_of(document)), content);
  }
  const std::string several =
      "<table:table-cell office:string-value=\"a&amp;\nb\"><text:p>a&amp;</text:p><text:p>b</text:p>";
  EXPECT_EQ(parse_odf_text("<office:text>" + several + "</table:table-cell></office:text>").writer->write({"x", "y"}),
            "<office:text><table:table-cell><text:p>x</text:p><text:p>y</text:p></table:table-cell></office:text>");
}

TEST(OdfText, SpacesThatCountAreElements) {
  const std::string content = "a <text:s text:c=\"2\"/>b<text:s/>c";
  EXPECT_EQ(odf_texts(content), (Texts{"a   b c"}));
  EXPECT_EQ(odf_written(content, {" x  y z "}), "<text:s text:c=\"1\"/>x <text:s text:c=\"1\"/>y z ");
}

TEST(OdfText, TabsAndLineEndsDivideTexts) {
  const std::string content = "Name:<text:tab/>bread<text:line-break/>1";
  EXPECT_EQ(odf_texts(content), (Texts{"Name:", "bread"}));
  EXPECT_EQ(odf_written(content, {"Name:", "Brot"}), "Name:<text:tab/>Brot<text:line-break/>1");
  EXPECT_EQ(odf_texts("<text:span>a<text:tab/>b</text:span>"), (Texts{"a<i2>b"})) << "a span is not divided";
}

TEST(OdfText, NotesAndFramesHaveTextsOfTheirOwn) {
  const std::string note =
      "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>inside</text:p></text:note-body></"
      "text:note>";
  EXPECT_EQ(odf_texts("a" + note + "b"), (Texts{"a<i1>b", "inside"}));
  EXPECT_EQ(odf_written("a" + note + "b", {"a<i1>c", "innen"}),
            "a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>innen</text:p></"
            "text:note-body></text:note>c");
}

TEST(OdfText, FieldsAreObjectsAndBookmarksArePairs) {
  const auto document =
      parse_odf_text(odf("a <text:page-number>3</text:page-number><text:bookmark-start text:name=\"x\"/> b"
                         "<text:bookmark-end text:name=\"x\"/> c"));
  EXPECT_EQ(texts_of(document), (Texts{"a <i1><i2> b<i4> c"}));
  EXPECT_EQ(document.blocks.at(0).text.objects.size(), 1U);
  EXPECT_NE(document.blocks.at(0).text.marks.at(0).pair, 0U);
}

TEST(OdfText, DeletedTextAndComputedCellsStay) {
  const std::string cells =
      "<office:text><text:tracked-changes><text:p>no</text:p></text:tracked-changes><text:h>yes</text:h>"
      "<table:table-cell office:value-type=\"float\"><text:p>no 1</text:p></table:table-cell>"
      "<table:table-cell office:value-type=\"string\"><text:p>cell</text:p></table:table-cell>"
      "<table:table-cell office:value-type=\"string\" table:formula=\"=A1\"><text:p>no</text:p></table:table-cell>"
      "<table:table-cell><text:p>plain</text:p></table:table-cell></office:text>";
  EXPECT_EQ(texts_of(parse_odf_text(cells)), (Texts{"yes", "cell", "plain"}));
}

TEST(OdfText, PrefixesAreThoseOfTheDocument) {
  const auto document = [](const std::string& text) {
    return "<o:body xmlns:o='urn:oasis:names:tc:opendocument:xmlns:office:1.0' "
           "xmlns:x=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" "
           "xmlns:tab='urn:oasis:names:tc:opendocument:xmlns:table:1.0'>"
           "<x:tracked-changes><x:p>no</x:p></x:tracked-changes><x:p>" +
           text + "</x:p><tab:table-cell o:value-type='float'><x:p>no 1</x:p></tab:table-cell></o:body>";
  };
  const std::string content = "a<x:s x:c='2'/>b <x:span>c</x:span><x:tab/>d<x:note><x:p>e</x:p></x:note>";
  const markup::MarkedDocument found = parse_odf_text(document(content));
  EXPECT_EQ(texts_of(found), (Texts{"a  b <i3>c<i5>", "d", "e"}));
  EXPECT_EQ(found.writer->write({"x  y<i3><i5>", "d", "f"}),
            document("x <x:s x:c=\"1\"/>y<x:span></x:span><x:tab/>d<x:note><x:p>f</x:p></x:note>"));
}

TEST(OdfText, ADocumentMayHaveNoPrefixes) {
  const auto document = [](const std::string& text) {
    return "<body xmlns='urn:oasis:names:tc:opendocument:xmlns:text:1.0'><p>" + text + "</p></body>";
  };
  const markup::MarkedDocument found = parse_odf_text(document("a<s/><s/>b"));
  EXPECT_EQ(texts_of(found), (Texts{"a  b"}));
  EXPECT_EQ(found.writer->write({"x   y"}), document("x <s/><s/>y"));
}

TEST(OdfText, ContentControlsStayAroundTheirText) {
  const std::string content = "a <loext:content-control>b</loext:content-control> c";
  EXPECT_EQ(odf_texts(content), (Texts{"a <i1>b<i3> c"}));
  EXPECT_EQ(odf_texts("<loext:content-control>all of it</loext:content-control>"), (Texts{"all of it"}));
}

TEST(OdfText, SymbolsStayInTheirSpan) {
  const std::string content = "See <text:span>\uF04A</text:span> there";
  EXPECT_EQ(odf_texts(content), (Texts{"See <i1><i2><i3> there"}));
  EXPECT_EQ(odf_written(content, {"Siehe <i1><i2><i3> dort"}), "Siehe <text:span>\uF04A</text:span> dort");
  EXPECT_EQ(odf_written("a\u2011b \uF04A c", {"x-y"}), "x\u2011y");
}

TEST(OdfText, RaisedAndLoweredNumbersStay) {
  const auto objects = [](const std::string& position) {
    const std::string document =
        "<d xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" "
        "xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><style:style style:name=\"T1\">"
        "<style:text-properties style:text-position=\"" +
        position +
        "\"/></style:style><text:p>a<text:span "
        "text:style-name=\"T1\">2</text:span> b<text:span text:style-name=\"T1\">st</text:span> c<text:span "
        "text:style-name=\"T2\">2</text:span></text:p></d>";
    Texts found;
    const markup::MarkedDocument read = parse_odf_text(document);
    for (const markup::Object& object : read.blocks.front().text.objects) found.push_back(object.raw);
    return found;
  };
  EXPECT_EQ(objects("super 58%"), Texts{"<n1>"});
  EXPECT_EQ(objects("33% 80%"), Texts{"<n1>"}) << "as LibreOffice writes it";
  EXPECT_EQ(objects("-33% 80%"), (Texts{"<sub1>", "<sub3>"})) << "also letters are an index";
  EXPECT_EQ(objects("sub 58%"), (Texts{"<sub1>", "<sub3>"}));
  EXPECT_EQ(objects("0% 100%"), Texts{});
}

TEST(OdfText, WordsOfRubyAreTranslatedAndTheirReadingsStay) {
  const std::string begin = "<text:ruby text:style-name=\"R\"><text:ruby-base>";
  const std::string end = "</text:ruby-base><text:ruby-text>r</text:ruby-text></text:ruby>";
  EXPECT_EQ(odf_texts("a " + begin + "b" + end + " c"), (Texts{"a <i1>b<i3> c"}));
  EXPECT_EQ(odf_written("a " + begin + "b" + end + " c", {"x <i1>y<i3> z"}), "x " + begin + "y" + end + " z");
  EXPECT_EQ(odf_texts("a<text:ruby><text:ruby-base/></text:ruby> c"), (Texts{"a<i1> c"}));
}

TEST(OdfText, CdataIsText) {
  EXPECT_EQ(odf_texts("a <![CDATA[<b>]]> c"), (Texts{"a &lt;b&gt; c"}));
  EXPECT_FAILS(parse_odf_text("<a>"), markup::MarkupError, "not well-formed");
}

}  // namespace
}  // namespace ventris::office
