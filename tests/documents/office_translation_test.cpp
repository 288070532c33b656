#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>

#include "documents/document_translator.h"
#include "markup/xml_events.h"
#include "office/zip_package.h"
#include "support/document_run.h"
#include "support/zip_bytes.h"

/// Documents of Word and OpenDocument, from their bytes to the translated bytes, with a "model" that is a function of
/// the sentence.
namespace ventris::documents {
namespace {

using ChangeOfSentence = std::function<std::string(const std::string& sentence)>;

class OfficeTranslation : public testing::Test {
 protected:
  std::string translate(const std::string& document, Markup markup, const ChangeOfSentence& change) {
    options.markup = markup;
    test::ChangedDocument changed = test::change_document(document, options, change, test::WordOrder::kReversed);
    sentences = std::move(changed.sentences);
    return changed.answer.translation.text();
  }

  DocumentOptions options;
  std::vector<std::string> sentences;  // that the model got
};

std::string docx_of(const std::string& body) {
  return test::zip_bytes(
      {{"[Content_Types].xml",
        "<Types><Override PartName=\"/d.xml\" ContentType=\"wordprocessingml.document.main+xml\"/></Types>"},
       {"d.xml", "<w:document xmlns:w=\"w\" xmlns:mc=\"mc\"><w:body>" + body + "</w:body></w:document>"}});
}
std::string odt_of(const std::string& body) {
  return test::zip_bytes({{"mimetype", "application/vnd.oasis.opendocument.text"},
                          {"content.xml", "<o:d xmlns:o=\"o\" xmlns:text=\"t\">" + body + "</o:d>"}});
}
std::string part_in(const std::string& document, const std::string& name) {
  office::ZipPackage package(document);
  return package.read(name);
}

TEST_F(OfficeTranslation, AParagraphWithoutLettersStays) {
  const auto change = [](const std::string&) { return "Wort"; };
  const std::string number = "<w:p><w:r><w:t>3.5</w:t></w:r></w:p>";
  const std::string docx = translate(docx_of(number + "<w:p><w:r><w:t>word</w:t></w:r></w:p>"), Markup::kDocx, change);
  EXPECT_EQ(sentences, std::vector<std::string>{"word"});
  EXPECT_NE(part_in(docx, "d.xml").find(number), std::string::npos);
  const std::string odt = translate(odt_of("<text:p>2020-01-01</text:p><text:p>word</text:p>"), Markup::kOdt, change);
  EXPECT_EQ(sentences, std::vector<std::string>{"word"});
  EXPECT_NE(part_in(odt, "content.xml").find("<text:p>2020-01-01</text:p><text:p>Wort</text:p>"), std::string::npos);
}

TEST_F(OfficeTranslation, ABoldWordStaysBoldWhereverItGoes) {
  const auto run = [](const std::string& properties, const std::string& text) {
    return "<w:r>" + properties + "<w:t xml:space=\"preserve\">" + text + "</w:t></w:r>";
  };
  const std::string bold = "<w:rPr><w:b/></w:rPr>";
  const auto reversed = [](const std::string&) { return "drei zwei eins."; };
  const std::string written =
      translate(docx_of("<w:p>" + run("", "on") + run("", "e ") + run(bold, "two") + run("", " three.") + "</w:p>"),
                Markup::kDocx, reversed);
  EXPECT_EQ(sentences, std::vector<std::string>{"one two three."});
  EXPECT_NE(
      part_in(written, "d.xml").find("<w:p>" + run("", "drei ") + run(bold, "zwei") + run("", " eins.") + "</w:p>"),
      std::string::npos)
      << part_in(written, "d.xml");
}

TEST_F(OfficeTranslation, SentencesOfAParagraphAreSplit) {
  options.split_sentences = true;
  const std::string document = odt_of("<text:p>One <text:span>here. Two</text:span> there.</text:p>");
  const std::string written = translate(document, Markup::kOdt, [](const std::string& text) { return text + " x"; });
  EXPECT_EQ(sentences, (std::vector<std::string>{"One here.", "Two there."}));
  EXPECT_EQ(markup::read_xml(part_in(written, "content.xml")).elements.size(), 4U);
}

/// Paragraphs that are drawn, as text with elements in it.
std::string drawn_paragraphs(std::mt19937& draw, bool word, int depth = 0) {
  std::string body;
  for (size_t paragraph = 1 + draw() % 2; paragraph > 0; --paragraph) {
    std::string content;
    std::vector<std::string> open;
    for (size_t part = draw() % 12; part > 0; --part) {
      const auto text = [&](const std::string& words) {
        const std::string bold = draw() % 3 == 0   ? "<w:rPr><w:b/></w:rPr>"
                                 : draw() % 4 == 0 ? "<w:rPr><w:i/></w:rPr>"
                                                   : "";
        return word ? "<w:r>" + bold + "<w:t xml:space=\"preserve\">" + words + "</w:t></w:r>" : words;
      };
      switch (draw() % 9) {
        case 0: content += text("One "); break;
        case 1: content += text("two. "); break;
        case 2: content += text("&amp;three"); break;
        case 3: content += word ? "<w:r><w:tab/></w:r>" : "<text:tab/>"; break;
        case 4: content += word ? "<w:r><w:note/></w:r>" : "<text:note/>"; break;
        case 5: {
          const std::string name = word ? (draw() % 2 == 0 ? "w:hyperlink" : "w:ins") : "text:span";
          content += "<" + name + ">";
          open.push_back("</" + name + ">");
          break;
        }
        case 6:
          if (!open.empty()) {
            content += open.back();
            open.pop_back();
          }
          break;
        case 7:
          if (depth < 2) {
            const std::string inner = drawn_paragraphs(draw, word, depth + 1);
            content += word ? "<w:r><w:box>" + inner + "</w:box></w:r>" : "<text:note>" + inner + "</text:note>";
          }
          break;
        default:
          content +=
              word ? "<w:r><w:fldChar w:fldCharType=\"" + std::string(draw() % 2 == 0 ? "begin" : "end") + "\"/></w:r>"
                   : "<text:page-number>3</text:page-number>";
      }
    }
    for (; !open.empty(); open.pop_back()) content += open.back();
    body += word ? "<w:p>" + content + "</w:p>" : "<text:p>" + content + "</text:p>";
  }
  return body;
}

/// How many elements of each name there are, without those that are written in another way.
std::map<std::string, size_t> elements_of(const std::string& document) {
  std::map<std::string, size_t> counts;
  const markup::XmlDocument xml = markup::read_xml(document);
  for (size_t element = 1; element < xml.elements.size(); ++element) ++counts[std::string(xml.name(element))];
  for (const char* name : {"w:r", "w:rPr", "w:t", "w:b", "w:i", "text:s"}) counts.erase(name);
  return counts;
}

TEST_F(OfficeTranslation, DrawnParagraphsKeepTheirElements) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    std::mt19937 draw(seed);
    const bool word = seed % 2 == 0;
    options.split_sentences = seed % 3 == 0;
    const std::string body = drawn_paragraphs(draw, word), part = word ? "d.xml" : "content.xml";
    const std::string document = word ? docx_of(body) : odt_of(body);
    const Markup markup = word ? Markup::kDocx : Markup::kOdt;
    EXPECT_EQ(translate(document, markup, [](const std::string& text) { return text; }), document) << body;
    for (const ChangeOfSentence& change :
         {ChangeOfSentence([](const std::string&) { return "z"; }),
          ChangeOfSentence([](const std::string&) { return ""; }),
          ChangeOfSentence([](const std::string& text) { return "<i1>  " + text + " </f> zz"; })}) {
      const std::string written = part_in(translate(document, markup, change), part);
      EXPECT_EQ(elements_of(written), elements_of(part_in(document, part))) << body << "\n" << written;
    }
  }
}

TEST_F(OfficeTranslation, ATabInsideALinkDividesItsTexts) {
  const auto change = [](const std::string& sentence) { return sentence == "Title" ? "Titel" : "?"; };
  const std::string odt = translate(
      odt_of("<text:p><text:a href=\"#x\">1.1<text:tab/>Title<text:tab/>12</text:a></text:p>"), Markup::kOdt, change);
  EXPECT_EQ(sentences, std::vector<std::string>{"Title"});
  EXPECT_NE(part_in(odt, "content.xml").find("<text:a href=\"#x\">1.1<text:tab/>Titel<text:tab/>12</text:a>"),
            std::string::npos);
  const std::string docx =
      translate(docx_of("<w:p><w:hyperlink w:anchor=\"x\"><w:r><w:t>Title</w:t></w:r><w:r><w:tab/></w:r>"
                        "<w:r><w:t>12</w:t></w:r></w:hyperlink></w:p>"),
                Markup::kDocx, change);
  EXPECT_EQ(sentences, std::vector<std::string>{"Title"});
  EXPECT_NE(part_in(docx, "d.xml").find(">12<"), std::string::npos);
}

TEST_F(OfficeTranslation, ACheckBoxKeepsItsSign) {
  const auto change = [](const std::string&) { return "Sie waren m\u00fcde"; };
  const std::string box =
      "<w:sdt><w:sdtPr><w14:checkbox/></w:sdtPr><w:sdtContent><w:r><w:t>\u2610</w:t></w:r></w:sdtContent></w:sdt>";
  const std::string docx =
      translate(docx_of("<w:p>" + box + "<w:r><w:t xml:space=\"preserve\"> They were tired</w:t></w:r></w:p>"),
                Markup::kDocx, change);
  EXPECT_EQ(sentences, std::vector<std::string>{"They were tired"});
  EXPECT_NE(part_in(docx, "d.xml").find("\u2610"), std::string::npos);
}

std::string raised_in_docx(const std::string& before, const std::string& raised, const std::string& place) {
  return "<w:p><w:r><w:t xml:space=\"preserve\">" + before + "</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"" + place +
         "\"/></w:rPr><w:t>" + raised + "</w:t></w:r><w:r><w:t xml:space=\"preserve\"> of May</w:t></w:r></w:p>";
}

TEST_F(OfficeTranslation, ARaisedEndOfAWordIsNotRaisedAnyMore) {
  const auto change = [](const std::string&) { return "am 5. Mai"; };
  const std::string docx = translate(docx_of(raised_in_docx("the 5", "th", "superscript")), Markup::kDocx, change);
  EXPECT_EQ(sentences, std::vector<std::string>{"the 5th of May"});
  EXPECT_EQ(part_in(docx, "d.xml").find("vertAlign"), std::string::npos) << part_in(docx, "d.xml");
  const std::string style =
      "<s:style xmlns:s=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" s:name=\"T\">"
      "<s:text-properties s:text-position=\"super 58%\"/></s:style>";
  const std::string odt = test::zip_bytes(
      {{"mimetype", "application/vnd.oasis.opendocument.text"},
       {"content.xml", "<o:d xmlns:o=\"o\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\">" + style +
                           "<text:p>the 5<text:span text:style-name=\"T\">th</text:span> of May</text:p></o:d>"}});
  const std::string written = part_in(translate(odt, Markup::kOdt, change), "content.xml");
  EXPECT_EQ(sentences, std::vector<std::string>{"the 5th of May"});
  EXPECT_NE(written.find("<text:p>am 5. Mai</text:p>"), std::string::npos) << written;
}

TEST_F(OfficeTranslation, AnIndexStaysBehindItsLetter) {
  const auto change = [](const std::string& sentence) { return sentence; };
  const std::string docx = translate(docx_of(raised_in_docx("the x", "i,j", "subscript")), Markup::kDocx, change);
  EXPECT_NE(part_in(docx, "d.xml").find("<w:vertAlign w:val=\"subscript\"/></w:rPr><w:t>i,j</w:t>"), std::string::npos)
      << part_in(docx, "d.xml");
}

TEST_F(OfficeTranslation, ManySpacesDivideColumnsAndStay) {
  const auto change = [](const std::string& sentence) { return sentence; };
  const std::string docx = translate(docx_of("<w:p><w:r><w:t>For the Seller          for the Buyer</w:t></w:r></w:p>"),
                                     Markup::kDocx, change);
  EXPECT_EQ(sentences, (std::vector<std::string>{"For the Seller", "for the Buyer"}));
  EXPECT_NE(part_in(docx, "d.xml").find(">For the Seller          for the Buyer<"), std::string::npos);
}

TEST_F(OfficeTranslation, UnderlinedSpacesStayAsTheyAre) {
  const auto change = [](const std::string& sentence) { return sentence; };
  const std::string blank =
      "<w:r><w:rPr><w:u w:val=\"single\"/></w:rPr><w:t xml:space=\"preserve\">               </w:t></w:r>";
  const std::string docx = translate(
      docx_of("<w:p><w:r><w:t xml:space=\"preserve\">Name: </w:t></w:r>" + blank +
              "<w:r><w:t xml:space=\"preserve\"> Date: </w:t></w:r>" + blank + "<w:r><w:t>.</w:t></w:r></w:p>"),
      Markup::kDocx, change);
  EXPECT_EQ(test::count_of(part_in(docx, "d.xml"), blank), 2U) << part_in(docx, "d.xml");
}

}  // namespace
}  // namespace ventris::documents
