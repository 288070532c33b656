#include "office/docx_fields.h"

#include <gtest/gtest.h>

#include "office/docx_text.h"
#include "office/text_support.h"

namespace ventris::office {
namespace {

using Texts = std::vector<std::string>;

std::string plain_run(const std::string& text) { return "<w:r><w:t xml:space=\"preserve\">" + text + "</w:t></w:r>"; }
std::string field_sign(const std::string& type) { return "<w:r><w:fldChar w:fldCharType=\"" + type + "\"/></w:r>"; }
std::string field_code(const std::string& text) { return "<w:r><w:instrText>" + text + "</w:instrText></w:r>"; }
std::string whole_field(const std::string& instruction, const std::string& result) {
  return field_sign("begin") + field_code(instruction) + field_sign("separate") + result + field_sign("end");
}

markup::MarkedDocument parse_fields(const std::string& content) {
  return parse_docx_text("<w:document><w:p>" + content + "</w:p></w:document>");
}
Texts field_texts(const std::string& content) { return texts_of(parse_fields(content)); }

TEST(DocxFields, OnlyResultsThatAreTextOfTheDocumentAreTranslated) {
  for (const char* yes : {" HYPERLINK \"https://a.b\"", "REF _Toc1 \\h", "toc \\o", "QUOTE\"a\"", " FORMTEXT "}) {
    EXPECT_TRUE(is_translated_field(yes)) << yes;
  }
  for (const char* no : {"", " PAGE ", "DATE \\@ \"d\"", "SEQ Figure", "REFX", "MERGEFIELD name"}) {
    EXPECT_FALSE(is_translated_field(no)) << no;
  }
}

TEST(DocxFields, AComputedResultIsOneObject) {
  const std::string page = whole_field(" PAGE ", plain_run("1")),
                    content = plain_run("Page ") + page + plain_run(" of it");
  EXPECT_EQ(field_texts(content), (Texts{"Page <i1> of it"}));
  EXPECT_EQ(parse_fields(content).blocks.at(0).text.objects.size(), 1U);
  EXPECT_EQ(parse_fields(content).writer->write({"Seite <i1>"}),
            "<w:document><w:p>" + plain_run("Seite ") + page + "</w:p></w:document>");
}

TEST(DocxFields, TheResultOfALinkIsTranslatedBetweenItsMarks) {
  const std::string content = plain_run("See ") + whole_field("HYPERLINK \"a\"", plain_run("here")) + plain_run(" now");
  EXPECT_EQ(field_texts(content), (Texts{"See <i1>here<i3> now"}));
  const auto marks = parse_fields(content).blocks.at(0).text.marks;
  EXPECT_EQ(marks.at(0).pair, marks.at(1).pair);
  EXPECT_EQ(parse_fields(content).writer->write({"<i1>Hier<i3>"}),
            "<w:document><w:p>" + whole_field("HYPERLINK \"a\"", plain_run("Hier")) + "</w:p></w:document>");
}

TEST(DocxFields, FieldsInFieldsAreFound) {
  EXPECT_EQ(field_texts(plain_run("a ") +
                        whole_field("HYPERLINK", plain_run("b ") + whole_field("PAGEREF x", plain_run("3"))) +
                        plain_run(" c")),
            (Texts{"a <i1>b <i3><i4> c"}));
  EXPECT_EQ(
      field_texts(plain_run("a ") + field_sign("begin") + field_code("IF ") + whole_field("REF x", plain_run("x")) +
                  field_sign("separate") + plain_run("y") + field_sign("end") + plain_run(" c")),
      (Texts{"a <i1> c"}));
}

TEST(DocxFields, AFieldMayGoOnInTheNextParagraph) {
  EXPECT_EQ(field_texts(field_sign("begin") + field_code("TOC") + field_sign("separate") + plain_run("Chapter")),
            (Texts{"Chapter"}));
  EXPECT_EQ(field_texts(plain_run("Chapter ") + field_sign("end") + plain_run("end")), (Texts{"Chapter <i1>end"}));
  EXPECT_EQ(field_texts(plain_run("a") + field_sign("begin") + field_code("TOC") + plain_run("code")), (Texts{"a"}));
}

TEST(DocxFields, FieldsThatCutElementsAreLeftAlone) {
  EXPECT_EQ(field_texts(plain_run("a") + "<w:ins>" + field_sign("begin") + field_code("PAGE") + "</w:ins>" +
                        field_sign("separate") + plain_run("b") + field_sign("end") + plain_run("c")),
            (Texts{"a<i1><i2><i3><i4><i5>b<i7>c"}));
}

TEST(DocxFields, SimpleFieldsAreReadInTheSameWay) {
  EXPECT_EQ(field_texts(plain_run("a ") + "<w:fldSimple w:instr=\" PAGE \">" + plain_run("1") + "</w:fldSimple>" +
                        plain_run(" b")),
            (Texts{"a <i1> b"}));
  EXPECT_EQ(field_texts(plain_run("a ") + "<w:fldSimple w:instr=\"REF x\">" + plain_run("1") + "</w:fldSimple>" +
                        plain_run(" b")),
            (Texts{"a <i1>1<i3> b"}));
}

}  // namespace
}  // namespace ventris::office
