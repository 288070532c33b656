#include "documents/cutter.h"

#include <gtest/gtest.h>

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

std::string whole(const CutText& cut) {
  std::string text;
  for (const Segment& segment : cut.segments) {
    text += segment.before + segment.sentence.raw({0, segment.sentence.text.size()});
  }
  return text + cut.after;
}

std::vector<std::string> sentences(const CutText& cut) {
  std::vector<std::string> all;
  for (const Segment& segment : cut.segments) all.push_back(segment.sentence.text);
  return all;
}

TEST(CutText, TheSegmentsAndWhatIsBetweenThemAreTheWholeText) {
  const SentenceSplitter splitter("en");
  Cutting cutting{&splitter, [](std::string_view sentence) { return sentence.size() <= 12; }};
  for (const std::string text : {"", "  ", "\tOne.  Two!\u00a0 ", "One two three, four five. Six", "One.Two"}) {
    EXPECT_EQ(whole(cut_text({text}, cutting)), text);
  }
  const CutText cut = cut_text({"One two, four. Six"}, cutting);
  EXPECT_EQ(sentences(cut), (std::vector<std::string>{"One two,", "four.", "Six"}));
  EXPECT_TRUE(cut.segments[0].part);
  EXPECT_FALSE(cut.segments[2].part);
}

TEST(CutText, MarksAtTheEndsOfASentenceAreKeptBesideIt) {
  const SentenceSplitter splitter("en");
  const MarkedText text{"One. Two.", {{0, markup::Mark::Kind::kOpen, "<b>"}, {4, markup::Mark::Kind::kClose, "</b>"}}};
  const CutText cut = cut_text(text, {&splitter, {}});
  ASSERT_EQ(cut.segments.size(), 2U);
  EXPECT_EQ(cut.segments[0].before, "<b>");
  EXPECT_EQ(cut.segments[1].before, "</b> ");
  EXPECT_TRUE(cut.segments[0].sentence.marks.empty());
}

TEST(CutText, AMarkAtTheEndOfASentenceBelongsToItIfItsOtherHalfIsInside) {
  const SentenceSplitter splitter("en");
  using Kind = markup::Mark::Kind;
  const MarkedText text{"One two. Three four.",
                        {{4, Kind::kOpen, "<b>"},
                         {8, Kind::kClose, "</b>"},
                         {9, Kind::kOpen, "<i>"},
                         {14, Kind::kClose, "</i>"},
                         {15, Kind::kOpen, "<u>"},
                         {20, Kind::kClose, "</u>"}}};
  const CutText cut = cut_text(text, {&splitter, {}});
  ASSERT_EQ(cut.segments.size(), 2U);
  EXPECT_EQ(cut.segments[0].sentence.marks.size(), 2U);
  EXPECT_EQ(cut.segments[1].before, " ");
  EXPECT_EQ(cut.segments[1].sentence.marks.size(), 4U);
  EXPECT_EQ(cut.after, "");
  EXPECT_EQ(whole(cut), text.raw({0, text.text.size()}));
}

TEST(CutText, ObjectsWithoutWordsAreKept) {
  MarkedText text{"{0}: {1}."};
  text.hide({{0, 3}, {5, 8}});
  const CutText cut = cut_text(text, {});
  EXPECT_TRUE(cut.segments.empty());
  EXPECT_EQ(cut.after, "{0}: {1}.");
}

TEST(GapBetween, IsWhatWasThereOrASpaceWhereBothSidesNeedOne) {
  EXPECT_EQ(gap_between("Eins.", "  ", "Zwei."), "  ");
  EXPECT_EQ(gap_between("Eins.", "", "Zwei."), " ");
  EXPECT_EQ(gap_between("\u4f60\u597d\u3002", "", "\u518d\u89c1"), "");
  EXPECT_EQ(gap_between("\uac14\uc5b4\uc694.", "", "\ub2e4\uc2dc"), " ") << "Korean has spaces";
  EXPECT_EQ(gap_between("", "", "Zwei."), "");
}

TEST(CutText, AnAddressAloneIsKept) {
  EXPECT_TRUE(cut_text({"https://example.org/a"}, {}).segments.empty());
  EXPECT_TRUE(cut_text({" me@example.org "}, {}).segments.empty());
  EXPECT_EQ(cut_text({"See https://example.org/a"}, {}).segments.size(), 1U);
}

TEST(CutText, APartWithoutLettersBesideATabIsKept) {
  MarkedText text{"1.1 Title 12",
                  {{4, markup::Mark::Kind::kAlone, "<tab>"}, {10, markup::Mark::Kind::kAlone, "<tab>"}}};
  for (markup::Mark& mark : text.marks) mark.divides = true;
  const CutText cut = cut_text(text, {});
  EXPECT_EQ(sentences(cut), std::vector<std::string>{"Title"});
  EXPECT_EQ(whole(cut), "1.1 <tab>Title <tab>12");
}

TEST(ColumnsOf, TabsAndManySpacesDivideALine) {
  const auto columns = [](const std::string& text) {
    std::vector<std::string> found;
    for (const auto& range : columns_of(MarkedText{text}, {0, text.size()})) {
      found.push_back(text.substr(range.begin, range.end - range.begin));
    }
    return found;
  };
  EXPECT_EQ(columns("Name:\tThe hat"), (Texts{"Name:", "The hat"}));
  EXPECT_EQ(columns("-f, --file  use this"), (Texts{"-f, --file", "use this"}));
  EXPECT_EQ(columns("The camera    The glass    is new"), (Texts{"The camera", "The glass    is new"}));
  EXPECT_EQ(columns("Name:   one.   two"), (Texts{"Name:", "one.", "two"}));
  EXPECT_EQ(columns("(a) Paris   (b) London"), (Texts{"(a) Paris", "(b) London"}));
  EXPECT_EQ(columns("list     list all of them"), (Texts{"list", "list all of them"}));
  EXPECT_EQ(columns("One\n   Two\tthree"), (Texts{"One\n   Two", "three"})) << "a margin divides nothing";
  for (const std::string whole : {"Please enter the    name", "Dear    , welcome", "The end.  The", "  a ", "\t", ""}) {
    EXPECT_EQ(columns(whole), Texts{whole});
  }
}

TEST(Cut, ColumnsKeepWhatIsBetweenThemAndObjectsStayWhole) {
  MarkedText text{"Use \uFFFC   The hat\tnow", {}, {{4, "`a    b`"}}};
  Cutting with_columns;
  with_columns.columns = true;
  const CutText cut = cut_text(text, with_columns);
  ASSERT_EQ(cut.segments.size(), 3U);
  EXPECT_EQ(cut.segments[1].before, "   ");
  EXPECT_EQ(cut.segments[2].before, "\t");
  EXPECT_EQ(cut_text(text, {}).segments.size(), 1U);
}

}  // namespace
}  // namespace ventris::documents
