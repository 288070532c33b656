#include "markup/marked_text.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

using Kind = Mark::Kind;

std::vector<std::string> raws(const MarkedText& text) {
  std::vector<std::string> all;
  for (const Object& object : text.objects) all.push_back(object.raw);
  return all;
}

MarkedText sample() {
  // <b>One {0} two.</b> Three<br> {1}
  MarkedText text{"One {0} two. Three {1}", {{0, Kind::kOpen, "<b>"}, {12, Kind::kClose, "</b>"}, {18, {}, "<br>"}}};
  text.hide({{4, 7}, {19, 22}});
  return text;
}

TEST(MarkedText, AHiddenPartBecomesAnObject) {
  const MarkedText text = sample();
  EXPECT_EQ(text.text, "One \uFFFC two. Three \uFFFC");
  EXPECT_EQ(raws(text), (std::vector<std::string>{"{0}", "{1}"}));
  EXPECT_EQ(text.objects[1].at, text.text.rfind(kObject));
  EXPECT_EQ(text.raw({0, text.text.size()}), "<b>One {0} two.</b> Three<br> {1}");
}

TEST(MarkedText, ObjectsStayInOrderWhenALaterOneIsHiddenFirst) {
  MarkedText text{"{0} {1}"};
  text.hide({{4, 7}});
  text.hide({{0, 3}});
  EXPECT_EQ(text.raw({0, text.text.size()}), "{0} {1}");
}

TEST(MarkedText, ASliceHasTheMarksInsideIt) {
  const MarkedText text = sample();
  const MarkedText first = text.slice({0, 12}), second = text.slice({13, text.text.size()});
  EXPECT_TRUE(first.marks.empty());
  EXPECT_EQ(first.raw({0, 12}), "One {0} two.");
  EXPECT_EQ(second.raw({0, second.text.size()}), "Three<br> {1}");
  EXPECT_EQ(text.raw({12, 13}), "</b> ");
}

TEST(MarkedText, APartKeepsWhatItsMarksAre) {
  const MarkedText text{"one two", {{4, Mark::Kind::kOpen, "*", true}, {6, Mark::Kind::kClose, "*", true}}};
  const MarkedText part = text.slice({1, 7});
  ASSERT_EQ(part.marks.size(), 2U);
  EXPECT_EQ(part.marks[0].at, 3U);
  EXPECT_TRUE(part.marks[0].never_empty);
}

TEST(MarkedText, WhatIsHiddenIsEscaped) {
  MarkedText text{"a <b> c"};
  text.hide({{2, 5}}, [](std::string_view) { return std::string("&lt;b&gt;"); });
  EXPECT_EQ(text.raw({0, text.text.size()}), "a &lt;b&gt; c");
}

TEST(MarkedText, TheSignOfAnObjectIsACharacterWhereThereIsNone) {
  MarkedText text{"a \uFFFC\uFFFC {0} \uFFFC"};
  text.hide({{9, 12}});
  EXPECT_EQ(text.text, "a \uFFFC\uFFFC \uFFFC \uFFFC");
  EXPECT_EQ(raws(text), std::vector<std::string>{"{0}"});
  EXPECT_EQ(text.raw({0, text.text.size()}), "a \uFFFC\uFFFC {0} \uFFFC");
  EXPECT_EQ(text.slice({2, 12}).raw({0, 10}), "\uFFFC\uFFFC {0}");
}

/// The text with the marks, whose places are those of the signs in `written`, and what is between "|" hidden.
std::string hidden(const std::string& written) {
  MarkedText text;
  std::vector<ByteRange> ranges;
  for (const char c : written) {
    const size_t at = text.text.size();
    if (c == '(' || c == '[') {
      text.marks.push_back({at, Kind::kOpen, std::string(1, c)});
    } else if (c == ')' || c == ']') {
      text.marks.push_back({at, Kind::kClose, std::string(1, c)});
    } else if (c == '*') {
      text.marks.push_back({at, Kind::kAlone, std::string(1, c)});
    } else if (c == '<' || c == '>') {
      text.marks.push_back({at, Kind::kAlone, std::string(1, c), false, 0, 1});
    } else if (c == '|' && !ranges.empty() && ranges.back().end == 0) {
      ranges.back().end = at;
    } else if (c == '|') {
      ranges.push_back({at, 0});
    } else {
      text.text += c;
    }
  }
  text.hide(ranges);
  for (Object& object : text.objects) object.raw = "|" + object.raw + "|";
  return text.raw({0, text.text.size()});
}

TEST(MarkedText, AnObjectHasWholePairsOfMarksOrNone) {
  EXPECT_EQ(hidden("|(john)@x| a"), "|(john)@x| a");
  EXPECT_EQ(hidden("|x/(foo)| a"), "|x/(foo)| a");
  EXPECT_EQ(hidden("([|(a)b|])"), "([|(a)b|])");
  EXPECT_EQ(hidden("(|ab|)"), "(|ab|)");
  EXPECT_EQ(hidden("a |b*c| *"), "a |b*c| *");
}

TEST(MarkedText, APairThatAnObjectDividesEndsBeforeItOrBeginsBehindIt) {
  EXPECT_EQ(hidden("(see |john)@x| a"), "(see )|john@x| a");
  EXPECT_EQ(hidden("a |b(c| d)"), "a |bc|( d)");
  EXPECT_EQ(hidden("(a |b)c[d| e]"), "(a )|bcd|[ e]");
  EXPECT_EQ(hidden("|a(b| |c)d|"), "|ab|( )|cd|");
  EXPECT_EQ(hidden("|a)b|"), ")|ab|");
}

TEST(MarkedText, AnObjectHasNoHalfOfAPairThatOverlapsOthers) {
  EXPECT_EQ(hidden("<see |john>@x| a"), "<see >|john@x| a");
  EXPECT_EQ(hidden("a |b<c| d>"), "a |bc|< d>");
  EXPECT_EQ(hidden("|x<a>b| a"), "|x<a>b| a");
}

TEST(MarkedText, APairAroundNothingButObjectsIsOneObject) {
  MarkedText text{"See {0}, {1}! now {2}",
                  {{4, Kind::kOpen, "<a>"},
                   {7, Kind::kClose, "</a>"},
                   {9, Kind::kOpen, "<b>"},
                   {9, Kind::kOpen, "<i>"},
                   {12, Kind::kClose, "</i>"},
                   {13, Kind::kClose, "</b>"},
                   {14, Kind::kOpen, "<u>"},
                   {21, Kind::kClose, "</u>"}}};
  text.hide({{4, 7}, {9, 12}, {18, 21}});
  text.hide_pairs_of_objects();
  EXPECT_EQ(raws(text), (std::vector<std::string>{"<a>{0}</a>", "<b><i>{1}</i>!</b>", "{2}"}));
  EXPECT_EQ(text.marks.size(), 2U);
  EXPECT_EQ(text.raw({0, text.text.size()}), "See <a>{0}</a>, <b><i>{1}</i>!</b> <u>now {2}</u>");
}

TEST(Partners, AreFoundByTheOrderOfTheMarks) {
  const std::vector<Mark> marks{{0, Kind::kClose}, {0, Kind::kOpen}, {1, Kind::kOpen}, {1}, {2, Kind::kClose}};
  EXPECT_EQ(partners(marks), (std::vector<size_t>{kNoPartner, kNoPartner, 4, kNoPartner, 2}));
}

TEST(Partners, OfMarksThatAreAloneHaveTheSameNumber) {
  const std::vector<Mark> marks{
      {0, Kind::kAlone, "", false, 0, 7}, {0, Kind::kOpen},  {1, Kind::kAlone, "", false, 0, 7},
      {1, Kind::kAlone, "", false, 0, 8}, {2, Kind::kClose}, {3, Kind::kAlone}};
  EXPECT_EQ(partners(marks), (std::vector<size_t>{2, 4, 0, kNoPartner, 1, kNoPartner}));
}

TEST(AppendMark, AnExclamationMarkMakesNoImage) {
  std::string text = "a!";
  append_mark(text, "[");
  EXPECT_EQ(text, "a\\![");
  append_mark(text, "*");
  EXPECT_EQ(text, "a\\![*");
  text = "b\\!";
  append_mark(text, "[");
  EXPECT_EQ(text, "b\\![") << "it has a backslash already";
}

MarkedText without_sign_pairs(const std::string& text, ByteRange pair) {
  MarkedText marked{text, {{pair.begin, Kind::kOpen, "<b>"}, {pair.end, Kind::kClose, "</b>"}}};
  marked.hide_pairs_of_signs();
  EXPECT_EQ(marked.raw({0, marked.text.size()}), text.substr(0, pair.begin) + "<b>" +
                                                     text.substr(pair.begin, pair.end - pair.begin) + "</b>" +
                                                     text.substr(pair.end));
  return marked;
}

TEST(MarkedText, AnEmptyPairAndAPairOfSignsAreOneMark) {
  for (const std::string sign : {"", "*", "\u2192", "\u2610", "\u00D7", "|", "\uE001", "\u2605 \u2605", "___"}) {
    const MarkedText text = without_sign_pairs("a " + sign + " b", {2, 2 + sign.size()});
    EXPECT_EQ(text.text, "a  b") << sign;
    ASSERT_EQ(text.marks.size(), 1U) << sign;
    EXPECT_EQ(text.marks[0].kind, Kind::kAlone);
    EXPECT_EQ(text.marks[0].raw, "<b>" + sign + "</b>");
  }
  EXPECT_EQ(without_sign_pairs("1. a", {0, 2}).text, " a") << "the number of a list";
}

TEST(MarkedText, APairOfWordsNumbersOrPunctuationStaysAPair) {
  for (const std::string content : {"word", "4", "1.", ".", ", ", "(", "\u201C", "a\u2192", "5 \u20AC"}) {
    EXPECT_EQ(without_sign_pairs("a " + content + " b", {2, 2 + content.size()}).marks.size(), 2U) << content;
  }
}

TEST(MarkedText, ASignBetweenTwoWordsStaysBetweenThem) {
  EXPECT_EQ(without_sign_pairs("and/or", {3, 4}).text, "and/or");
  EXPECT_EQ(without_sign_pairs("20\u00B0C", {2, 4}).text, "20\u00B0C");
  EXPECT_EQ(without_sign_pairs("a & b", {2, 3}).text, "a & b");
  EXPECT_EQ(without_sign_pairs("a* b", {1, 2}).text, "a b");
}

TEST(MarkedText, ASpaceOfAPairBetweenTwoWordsStaysText) {
  EXPECT_EQ(without_sign_pairs("a b", {1, 2}).text, "a b");
  EXPECT_EQ(without_sign_pairs("a  b", {2, 3}).text, "a b");
}

TEST(MarkedText, APairOfSignsThatHasAnObjectHalfAPairOrALineEndStays) {
  MarkedText object{"* {0}", {{0, Kind::kOpen, "<b>"}, {5, Kind::kClose, "</b>"}}};
  object.hide({{2, 5}});
  object.hide_pairs_of_signs();
  EXPECT_EQ(object.marks.size(), 2U);
  MarkedText half{"*a",
                  {{0, Kind::kOpen, "<b>"},
                   {0, Kind::kAlone, "<i>", false, 0, 1},
                   {1, Kind::kClose, "</b>"},
                   {2, Kind::kAlone, "</i>", false, 0, 1}}};
  half.hide_pairs_of_signs();
  EXPECT_EQ(half.marks.size(), 4U);
  EXPECT_EQ(without_sign_pairs("a *\n* b", {2, 5}).marks.size(), 2U);
}

TEST(MarkedText, SignsInFrontOfTheFirstWordAreOneMark) {
  for (const std::string sign : {"\u2022", "\u25AA", "\u2192", "\u2705", "-", "\u2014", "*", ",", "\u2022 \u2192"}) {
    MarkedText text{sign + " One <b>"};
    text.hide_leading_signs();
    EXPECT_EQ(text.text, " One <b>") << sign;
    ASSERT_EQ(text.marks.size(), 1U) << sign;
    EXPECT_EQ(text.marks[0].at, 0U);
    EXPECT_EQ(text.marks[0].raw, sign);
  }
}

TEST(MarkedText, TheNameOfAnEmojiInFrontOfTheFirstWordIsASign) {
  MarkedText text{"\uFFFC One \uFFFC", {}, {{0, ":tada:"}, {8, ":tada:"}}};
  text.hide_leading_signs();
  EXPECT_EQ(text.text, " One \uFFFC");
  EXPECT_EQ(text.raw({0, text.text.size()}), ":tada: One :tada:");
  MarkedText code{"\uFFFC One", {}, {{0, "`:a`"}}};
  code.hide_leading_signs();
  EXPECT_TRUE(code.marks.empty());
}

TEST(MarkedText, WhatIsAPartOfTheTextIsNoSignInFrontOfIt) {
  for (const std::string same :
       {"One", "-1 is", "#1 is", "\u00A7 5 says", "\u2022One", "*a* b", "- ", "\u2022", "", "_a_", "\uFFFC One"}) {
    MarkedText text{same};
    text.hide_leading_signs();
    EXPECT_EQ(text.text, same);
    EXPECT_TRUE(text.marks.empty()) << same;
  }
}

TEST(MarkedText, MarksAroundSignsStayAroundThem) {
  MarkedText text{"\u2022 One", {{0, Kind::kOpen, "<b>"}, {7, Kind::kClose, "</b>"}}};
  text.hide_leading_signs();
  EXPECT_EQ(text.raw({0, text.text.size()}), "<b>\u2022 One</b>");
  EXPECT_EQ(text.text, " One");
  MarkedText inside{"\u2022 \u2192 One", {{4, Kind::kOpen, "<b>"}, {11, Kind::kClose, "</b>"}}};
  inside.hide_leading_signs();
  EXPECT_EQ(inside.marks.size(), 2U);
}

TEST(MarkedText, AMarkThatDividesStillDoesInsideAPairOfSigns) {
  MarkedText tab{"a b", {{1, Kind::kOpen, "<s>"}, {1, Kind::kAlone, "<tab>"}, {1, Kind::kClose, "</s>"}}};
  tab.marks[1].divides = true;
  tab.hide_pairs_of_signs();
  ASSERT_EQ(tab.marks.size(), 1U);
  EXPECT_TRUE(tab.marks[0].divides);
}

}  // namespace
}  // namespace ventris::markup
