#include "markup/xml_notes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

using AllTexts = std::vector<std::string>;

AllTexts texts_of(const std::string& document) {
  AllTexts texts;
  for (const Block& block : parse_markup(document, Markup::kXml).blocks) texts.push_back(block.text.text);
  return texts;
}

TEST(XmlNotes, AreTextsOfTheirOwnInsideASentence) {
  for (const char* name : {"fn", "note", "draft-comment", "remark", "indexterm", "desc", "alt", "footnote"}) {
    const std::string tag = name;
    EXPECT_EQ(texts_of("<p>The dog<" + tag + ">A note.</" + tag + "> runs.</p>"),
              (AllTexts{"The dog runs.", "A note."}));
  }
  EXPECT_EQ(texts_of("<a><p>One</p><fn>Two</fn></a>"), (AllTexts{"One", "Two"})) << "outside of a sentence";
}

TEST(XmlNotes, MayHaveTagsBlocksAndNotes) {
  EXPECT_EQ(texts_of("<p><indexterm>animals<indexterm>dogs</indexterm></indexterm>The dog runs.</p>"),
            (AllTexts{"The dog runs.", "dogs", "animals"}));
  EXPECT_EQ(texts_of("<p>The dog<footnote><para>One <b>two</b>.</para><para>Three.</para></footnote> runs.</p>"),
            (AllTexts{"The dog runs.", "One two.", "Three."}));
  EXPECT_EQ(texts_of("<p>See <image href='a'><alt>the dog</alt></image> now.</p>"), (AllTexts{"See  now.", "the dog"}));
  EXPECT_EQ(texts_of("<p>The dog<fn translate='no'>A note.</fn> runs.</p>"), AllTexts{"The dog runs."});
}

TEST(XmlNotes, StayAtTheirPlaces) {
  const std::string document =
      "<d>\n<p title='one'>The dog<fn>A <b>note</b>.<fn alt=\"x\"/></fn> runs<remark> 5 </remark>.</p>\n"
      "<p><i>animals<i>dogs</i></i>b<indexterm><primary title=\"two\">c<indexterm>d &amp; e</indexterm></primary>\n"
      "<secondary><![CDATA[f & g]]></secondary></indexterm></p><p>h<note>i</note></p></d>";
  std::string capitals = document;
  for (size_t at = 0; at < capitals.size(); ++at) {
    if (capitals[at] == '<' && capitals[at + 1] != '!') at = capitals.find('>', at);
    if (capitals.substr(at).starts_with("<![CDATA[")) at += 9;
    if (capitals[at] == '&') at = capitals[at + 1] == 'a' ? capitals.find(';', at) : at;
    if (capitals[at] >= 'a' && capitals[at] <= 'z') capitals[at] = static_cast<char>(capitals[at] - 'a' + 'A');
  }
  EXPECT_EQ(in_capitals(document, Markup::kXml), capitals);
  std::string with_attributes = capitals;
  with_attributes.replace(with_attributes.find("'one'"), 5, "'ONE'");
  with_attributes.replace(with_attributes.find("\"x\""), 3, "\"X\"");
  with_attributes.replace(with_attributes.find("\"two\""), 5, "\"TWO\"");
  EXPECT_EQ(in_capitals(document, Markup::kXml, {.attributes = true}), with_attributes);
}

TEST(XmlNotes, SeveralEntriesOfAnIndex) {
  EXPECT_EQ(in_capitals("<p>drive.<indexterm>cars<index-see>automobiles</index-see></indexterm></p>", Markup::kXml),
            "<p>DRIVE.<indexterm>CARS<index-see>AUTOMOBILES</index-see></indexterm></p>");
}

TEST(XmlNotes, HaveTheirLines) {
  const MarkedDocument document =
      parse_markup("<d>\n<p>One<fn\n>\ntwo</fn> three\n</p>\n<p>four</p></d>", Markup::kXml);
  ASSERT_EQ(document.blocks.size(), 3U);
  EXPECT_EQ(document.blocks[0].line, 2);
  EXPECT_EQ(document.blocks[1].line, 6);
  EXPECT_EQ(document.blocks[2].line, 4);
}

TEST(XmlNotes, AreNoneInResourcesOfAndroid) {
  EXPECT_EQ(parse_markup("<resources><string name='a'>The <note>dog</note> runs</string></resources>", Markup::kAndroid)
                .blocks.size(),
            1U);
}

TEST(XmlNotes, ManyTakeLinearTime) {
  std::string flat = "<p>", deep = "<p>a";
  for (int i = 0; i < 100000; ++i) flat += "a <fn title='b'>c</fn>";
  for (int i = 0; i < 900; ++i) deep += "<fn>a";
  for (int i = 0; i < 900; ++i) deep += "</fn>";
  EXPECT_EQ(parse_markup(flat + "</p>", Markup::kXml, {.attributes = true}).blocks.size(), 200001U);
  EXPECT_EQ(in_capitals(deep + "</p>", Markup::kXml).size(), deep.size() + 4);
}

}  // namespace
}  // namespace ventris::markup
