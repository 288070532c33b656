#include "markup/xliff.h"

#include <gtest/gtest.h>

#include <map>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

std::string translated(const std::string& document, const std::string& language = "") {
  return in_capitals(document, Markup::kXml, {.language = language});
}
/// A document with one unit of version 1.2.
std::string with_unit(const std::string& unit) {
  return "<xliff version=\"1.2\"><file source-language=\"en\"><header><note>note</note></header><body>" + unit +
         "</body></file></xliff>";
}
/// A document with one unit of version 2.0.
std::string with_segment(const std::string& unit) {
  return "<xliff version=\"2.0\" srcLang=\"en\"><file id=\"f\">" + unit + "</file></xliff>";
}

TEST(Xliff, TheTranslationOfASourceStandsInItsTarget) {
  EXPECT_EQ(translated(with_unit("<trans-unit id=\"1\"><source>one</source><target></target></trans-unit>")),
            with_unit("<trans-unit id=\"1\"><source>one</source><target>ONE</target></trans-unit>"));
  EXPECT_EQ(translated(with_unit("<trans-unit id=\"1\"><source>one</source><target state=\"new\"/></trans-unit>")),
            with_unit("<trans-unit id=\"1\"><source>one</source><target state=\"new\">ONE</target></trans-unit>"));
  EXPECT_EQ(translated(with_segment("<unit id=\"1\"><segment><source>one</source><target/></segment></unit>")),
            with_segment("<unit id=\"1\"><segment><source>one</source><target>ONE</target></segment></unit>"));
}

TEST(Xliff, AnEmptySectionIsAnEmptyTarget) {
  const std::string written = translated(
      with_unit("<trans-unit id=\"1\"><source><![CDATA[one]]></source><target><![CDATA[]]></target></trans-unit>"));
  EXPECT_NE(written.find("<target><![CDATA[ONE]]></target>"), std::string::npos) << written;
}

TEST(Xliff, AMissingTargetIsAddedBehindTheSource) {
  EXPECT_EQ(translated(with_unit("<trans-unit id=\"1\">\n  <source>one</source>\n  <note>x</note>\n</trans-unit>")),
            with_unit("<trans-unit id=\"1\">\n  <source>one</source>\n  <target>ONE</target>\n  <note>x</note>\n"
                      "</trans-unit>"));
  EXPECT_EQ(translated(with_unit("<trans-unit><source>a b</source><seg-source><mrk mtype=\"seg\" mid=\"1\">a</mrk> "
                                 "<mrk mtype=\"seg\" mid=\"2\">b</mrk></seg-source></trans-unit>")),
            with_unit("<trans-unit><source>a b</source><seg-source><mrk mtype=\"seg\" mid=\"1\">a</mrk> <mrk "
                      "mtype=\"seg\" mid=\"2\">b</mrk></seg-source><target><mrk mtype=\"seg\" mid=\"1\">A</mrk> <mrk "
                      "mtype=\"seg\" mid=\"2\">B</mrk></target></trans-unit>"));
  EXPECT_EQ(translated("<x:xliff version=\"1.2\" xmlns:x=\"u\"><x:trans-unit><x:source>a</x:source></x:trans-unit>"
                       "</x:xliff>"),
            "<x:xliff version=\"1.2\" xmlns:x=\"u\"><x:trans-unit><x:source>a</x:source><x:target>A</x:target>"
            "</x:trans-unit></x:xliff>");
  EXPECT_EQ(translated(with_segment("<unit><segment><source>a</source></segment><ignorable><source>b</source>"
                                    "</ignorable></unit>")),
            with_segment("<unit><segment><source>a</source><target>A</target></segment><ignorable><source>b</source>"
                         "</ignorable></unit>"));
}

TEST(Xliff, AFinishedTargetStays) {
  for (const std::string unit : {
           "<trans-unit><source>a</source><target state=\"final\">x</target></trans-unit>",
           "<trans-unit><source>a</source><target state=\"translated\">x</target></trans-unit>",
           "<trans-unit><source>a</source><target state=\"signed-off\">a</target></trans-unit>",
           "<trans-unit><source>a</source><target state=\"needs-review-translation\">x</target></trans-unit>",
           "<trans-unit approved=\"yes\"><source>a</source><target>a</target></trans-unit>",
           "<trans-unit><source>a</source><target>x</target></trans-unit>",
           "<unit><segment state=\"final\"><source>a</source><target>x</target></segment></unit>",
           "<unit><segment state=\"reviewed\"><source>a</source><target>a</target></segment></unit>",
       }) {
    EXPECT_EQ(translated(with_unit(unit)), with_unit(unit));
  }
}

TEST(Xliff, ATargetThatIsNotTranslatedYetIsReplaced) {
  for (const std::string target : {"<target state=\"new\">x</target>", "<target state=\"needs-translation\">x</target>",
                                   "<target>a</target>", "<target> \n </target>"}) {
    const std::string begin = "<trans-unit><source>a</source>" + target.substr(0, target.find('>') + 1);
    EXPECT_EQ(translated(with_unit("<trans-unit><source>a</source>" + target + "</trans-unit>")),
              with_unit(begin + "A</target></trans-unit>"));
  }
  EXPECT_EQ(translated(with_segment("<segment state=\"initial\"><source>a</source><target>x</target></segment>")),
            with_segment("<segment state=\"initial\"><source>a</source><target>A</target></segment>"));
}

TEST(Xliff, ATargetOfEmptySegmentsIsNotTranslatedYet) {
  const std::string source = "<seg-source><mrk mtype=\"seg\" mid=\"0\">one</mrk></seg-source>";
  EXPECT_EQ(translated(with_unit("<trans-unit><source>one</source>" + source +
                                 "<target> <mrk mtype=\"seg\" mid=\"0\"/><!-- a --></target></trans-unit>")),
            with_unit("<trans-unit><source>one</source>" + source +
                      "<target><mrk mtype=\"seg\" mid=\"0\">ONE</mrk></target></trans-unit>"));
  const std::string done = with_unit("<trans-unit><source>one</source><target><g id=\"1\">1</g></target></trans-unit>");
  EXPECT_EQ(translated(done), done);
}

TEST(Xliff, WhatIsNotTranslatedHasNoNewTarget) {
  for (const std::string unit : {
           "<trans-unit translate=\"no\"><source>a</source></trans-unit>",
           "<group translate=\"no\"><trans-unit><source>a</source><target/></trans-unit></group>",
           "<unit translate=\"no\"><segment><source>a</source></segment></unit>",
           "<trans-unit><source><![CDATA[a = b;]]></source></trans-unit>",
           "<trans-unit><source> </source></trans-unit>",
           "<trans-unit><alt-trans><source>a</source></alt-trans></trans-unit>",
           "<bin-unit><bin-source>a</bin-source></bin-unit>",
       }) {
    EXPECT_EQ(translated(with_unit(unit)), with_unit(unit));
  }
  EXPECT_EQ(translated(with_unit("<group translate=\"no\"><trans-unit translate=\"yes\"><source>a</source>"
                                 "</trans-unit></group>")),
            with_unit("<group translate=\"no\"><trans-unit translate=\"yes\"><source>a</source><target>A</target>"
                      "</trans-unit></group>"));
  const std::string file =
      "<xliff version=\"2.0\"><file translate=\"no\"><unit><segment><source>a</source></segment>"
      "</unit></file></xliff>";
  EXPECT_EQ(translated(file), file);
}

TEST(Xliff, ASourceWithoutLettersIsCopied) {
  EXPECT_EQ(translated(with_unit("<trans-unit><source>{} <x id=\"1\"/></source></trans-unit>")),
            with_unit("<trans-unit><source>{} <x id=\"1\"/></source><target>{} <x id=\"1\"/></target></trans-unit>"));
}

TEST(Xliff, ElementsInASourceAreMarksAndObjects) {
  const auto blocks =
      parse_markup(with_unit("<trans-unit><source><g id=\"1\">one</g> <x id=\"2\"/><ph id=\"3\">&lt;br></ph>"
                             "<bpt id=\"4\">&lt;b></bpt>two<ept id=\"4\">&lt;/b></ept> <mrk mtype=\"protected\">three"
                             "</mrk><mrk mtype=\"term\">four</mrk><ept id=\"9\"/></source></trans-unit>"),
                   Markup::kXml)
          .blocks;
  ASSERT_EQ(blocks.size(), 1U);
  const MarkedText& text = blocks[0].text;
  EXPECT_EQ(text.text, "one \uFFFC\uFFFCtwo \uFFFCfour");
  ASSERT_EQ(text.objects.size(), 3U);
  EXPECT_EQ(text.objects[1].raw, "<ph id=\"3\">&lt;br></ph>");
  EXPECT_EQ(text.objects[2].raw, "<mrk mtype=\"protected\">three</mrk>");
  ASSERT_EQ(text.marks.size(), 7U);
  EXPECT_EQ(text.marks[2].raw, "<bpt id=\"4\">&lt;b></bpt>");
  EXPECT_EQ(text.marks[2].kind, Mark::Kind::kOpen);
  EXPECT_EQ(text.marks[3].kind, Mark::Kind::kClose);
  EXPECT_EQ(text.marks[6].kind, Mark::Kind::kAlone);
}

TEST(Xliff, PairsOfVersion2AreMarks) {
  const auto blocks =
      parse_markup(with_segment("<unit><segment><source><pc id=\"1\"><sc id=\"2\"/>one<ec startRef=\"2\"/> two</pc> "
                                "<sc id=\"3\"/><pc id=\"4\">three<ec startRef=\"3\"/></pc><mrk id=\"m\" "
                                "translate=\"no\">four</mrk></source></segment></unit>"),
                   Markup::kXml)
          .blocks;
  ASSERT_EQ(blocks.size(), 1U);
  const MarkedText& text = blocks[0].text;
  EXPECT_EQ(text.text, "one two three\uFFFC");
  std::vector<Mark::Kind> kinds;
  for (const Mark& mark : text.marks) kinds.push_back(mark.kind);
  using K = Mark::Kind;
  EXPECT_EQ(kinds,
            (std::vector<K>{K::kOpen, K::kOpen, K::kClose, K::kClose, K::kAlone, K::kOpen, K::kAlone, K::kClose}));
}

/// The kinds and the numbers of the pairs of the marks in a source: "(" and ")" for a pair, "1" for a half of the first
/// pair that overlaps others, "." for other marks.
std::string marks_of(const std::string& source) {
  const auto blocks =
      parse_markup(with_segment("<unit><segment><source>" + source + "</source></segment></unit>"), Markup::kXml)
          .blocks;
  std::string marks;
  std::map<size_t, size_t> numbers;
  for (const Mark& mark : blocks.at(0).text.marks) {
    if (mark.kind != Mark::Kind::kAlone) {
      marks += mark.kind == Mark::Kind::kOpen ? '(' : ')';
    } else if (mark.pair == 0) {
      marks += '.';
    } else {
      marks += std::to_string(numbers.try_emplace(mark.pair, numbers.size() + 1).first->second);
    }
  }
  return marks;
}

TEST(Xliff, PairsThatOverlapKeepTheirNumber) {
  const auto begin = [](const std::string& id) { return "<sc id=\"" + id + "\"/>"; };
  const auto end = [](const std::string& id) { return "<ec startRef=\"" + id + "\"/>"; };
  EXPECT_EQ(marks_of(begin("a") + "one" + begin("b") + "two" + end("a") + "three" + end("b")), "1(1)");
  EXPECT_EQ(
      marks_of(begin("a") + "x" + begin("b") + "x" + end("a") + "x" + begin("c") + "x" + end("b") + "x" + end("c")),
      "121(2)");
  EXPECT_EQ(marks_of("<pc id=\"p\">x" + begin("a") + "x</pc> <pc id=\"q\">x" + end("a") + "</pc>"), "(1)(1)");
  EXPECT_EQ(marks_of(begin("a") + "x" + begin("b") + "<pc id=\"p\">x" + end("b") + "</pc>x" + end("a")), "(1(1))");
  EXPECT_EQ(marks_of(end("a") + "x" + begin("a")), "..") << "no pair";
  EXPECT_EQ(marks_of("<bpt id=\"1\"/>a<bpt id=\"2\"/>b<ept id=\"1\"/>c<ept id=\"2\"/>"), "1(1)");
  EXPECT_EQ(marks_of("<bx id=\"1\"/>a<bx id=\"2\"/>b<ex id=\"1\"/>c<ex id=\"2\"/>"), "1(1)");
}

TEST(Xliff, TagsOfAngularArePairs) {
  EXPECT_EQ(
      marks_of("a <x id=\"START_LINK\"/>b<x id=\"CLOSE_LINK\"/> <x id=\"START_LINK_1\"/>c <x id=\"START_BOLD_TEXT\"/>d"
               "<x id=\"CLOSE_BOLD_TEXT\"/><x id=\"CLOSE_LINK\"/> <x id=\"INTERPOLATION\"/><x id=\"CLOSE_TAG_P\"/>"),
      "()(()).");
}

TEST(Xliff, TagsOfBlocksAndLineBreaksDivideASource) {
  const auto texts = [](const std::string& document) {
    std::vector<std::string> all;
    for (const Block& block : parse_markup(document, Markup::kXml).blocks) all.push_back(block.text.text);
    return all;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts(with_unit("<trans-unit><source><x id=\"START_PARAGRAPH\"/>a<x id=\"CLOSE_PARAGRAPH\"/>"
                            "<x id=\"START_PARAGRAPH_1\"/>b <x id=\"START_BOLD_TEXT\"/>c<x id=\"CLOSE_BOLD_TEXT\"/>"
                            "<x id=\"CLOSE_PARAGRAPH\"/></source></trans-unit>")),
            (Texts{"a", "b c"}));
  EXPECT_EQ(texts(with_unit("<trans-unit><source>a<x id=\"LINE_BREAK\" ctype=\"lb\"/>b<x id=\"1\" ctype=\"lb\"/>c"
                            "<x id=\"2\" ctype=\"image\"/></source></trans-unit>")),
            (Texts{"a", "b", "c\uFFFC"}));
  EXPECT_EQ(texts(with_unit("<trans-unit><source>a<ph id=\"1\" ctype=\"lb\">[line break]</ph>b</source></trans-unit>")),
            Texts{"a\uFFFCb"});
  EXPECT_EQ(texts(with_segment("<unit><segment><source><pc id=\"1\" equivStart=\"START_HEADING_LEVEL1\">a</pc>"
                               "<pc id=\"2\" equivStart=\"START_LINK\">b</pc><ph id=\"3\" equiv=\"LINE_BREAK\"/>c"
                               "<ph id=\"4\" subType=\"xlf:lb\"/>d</source></segment></unit>")),
            (Texts{"a", "b", "c", "d"}));
}

TEST(Xliff, TheLanguageIsThatOfTheTargets) {
  EXPECT_EQ(
      translated("<xliff version=\"1.2\"><file source-language=\"en\" target-language=\"x\"/><file/></xliff>", "de"),
      "<xliff version=\"1.2\"><file source-language=\"en\" target-language=\"de\"/><file "
      "target-language=\"de\"/></xliff>");
  EXPECT_EQ(translated("<xliff version=\"2.1\" srcLang=\"en\" trgLang=\"fr\"/>", "de"),
            "<xliff version=\"2.1\" srcLang=\"en\" trgLang=\"de\"/>");
  EXPECT_EQ(translated("<xliff version=\"2.0\" srcLang=\"en\"/>", "de"),
            "<xliff trgLang=\"de\" version=\"2.0\" srcLang=\"en\"/>");
}

TEST(Xliff, ABlockHasTheLineOfItsSource) {
  const auto blocks = parse_markup(with_unit("\n<trans-unit><source>a\nb</source>\n<target>\n\n</target></trans-unit>"
                                             "\n<trans-unit>\n<source>c</source></trans-unit>\n"
                                             "<trans-unit>\n<source>d</source></trans-unit>"),
                                   Markup::kXml)
                          .blocks;
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[0].line, 2);
  EXPECT_EQ(blocks[1].line, 8);
  EXPECT_EQ(blocks[2].line, 10);
}

TEST(Xliff, CodeOfAngularIsKept) {
  EXPECT_EQ(marks_of("a <x id=\"START_TAG_CODE\"/>b c<x id=\"CLOSE_TAG_CODE\"/> d"), "");
  EXPECT_EQ(marks_of("<x id=\"START_TAG_KBD_1\"/><x id=\"START_BOLD_TEXT\"/>b<x id=\"CLOSE_BOLD_TEXT\"/>"
                     "<x id=\"CLOSE_TAG_KBD\"/> <x id=\"START_TAG_SPAN\"/>d<x id=\"CLOSE_TAG_SPAN\"/>"),
            "()");
}

TEST(Xliff, TheNameOfAnIconOfAngularIsKept) {
  const auto text = [](const std::string& source) {
    const auto blocks =
        parse_markup(with_unit("<trans-unit><source>" + source + "</source></trans-unit>"), Markup::kXml).blocks;
    return blocks.empty() ? "" : blocks[0].text.text;
  };
  EXPECT_EQ(text("<x id=\"START_TAG_MAT_ICON\" equiv-text=\"&lt;mat-icon&gt;\"/>home<x id=\"CLOSE_TAG_MAT_ICON\"/> Go"),
            "\uFFFC Go");
  EXPECT_EQ(text("<x id=\"START_ITALIC_TEXT\" equiv-text=\"&lt;i class=&quot;material-icons&quot;&gt;\"/>home"
                 "<x id=\"CLOSE_ITALIC_TEXT\"/> Go"),
            "\uFFFC Go");
  EXPECT_EQ(text("<pc id=\"0\" equivStart=\"START_TAG_MAT_ICON_1\" equivEnd=\"CLOSE_TAG_MAT_ICON\">home</pc> Go"),
            "\uFFFC Go");
  EXPECT_EQ(text("<pc id=\"0\" equivStart=\"START_TAG_CODE\">a b</pc> is <pc id=\"1\" "
                 "dispStart=\"&lt;span translate=&quot;no&quot;&gt;\">c</pc>"),
            "\uFFFC is \uFFFC");
  EXPECT_EQ(text("<pc id=\"0\" equivStart=\"START_BOLD_TEXT\" dispStart=\"&lt;b&gt;\">home</pc> Go"), "home Go");
}

TEST(Xliff, LinesOfASourceThatPreservesSpaceAreTexts) {
  const std::string source = "one\none <g id=\"1\">two</g>.\n\n\u2022 three";
  const std::string begin = "<trans-unit id=\"1\" xml:space=\"preserve\"><source>" + source + "</source>";
  const std::string document = with_unit(begin + "</trans-unit>");
  EXPECT_EQ(parse_markup(document, Markup::kXml).blocks.size(), 3U);
  EXPECT_EQ(translated(document),
            with_unit(begin + "<target>ONE\nONE <g id=\"1\">TWO</g>.\n\n\u2022 THREE</target></trans-unit>"));
}

TEST(Xliff, ALongLineThatPreservesSpaceGoesOnInSmallLetters) {
  const std::string unit =
      "<trans-unit xml:space=\"preserve\"><source>This is a long line of a source text\nthat goes "
      "on.\nNew</source></trans-unit>";
  EXPECT_EQ(parse_markup(with_unit(unit), Markup::kXml).blocks.size(), 2U);
  const std::string tagged =
      "<trans-unit xml:space=\"preserve\"><source>This is a long line of a <g id=\"1\">source "
      "text</g>\n<g id=\"2\">that</g> goes on.  \nand</source></trans-unit>";
  EXPECT_EQ(parse_markup(with_unit(tagged), Markup::kXml).blocks.size(), 2U);
}

}  // namespace
}  // namespace ventris::markup
