#include "markup/marked_text.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

using Kind = Mark::Kind;

MarkedText sample() {
  // <b>One {0} two.</b> Three<br> {1}
  MarkedText text{"One {0} two. Three {1}", {{0, Kind::kOpen, "<b>"}, {12, Kind::kClose, "</b>"}, {18, {}, "<br>"}}};
  text.hide({4, 7});
  text.hide({19, 22});
  return text;
}

TEST(MarkedText, AHiddenPartBecomesAnObject) {
  const MarkedText text = sample();
  EXPECT_EQ(text.text, "One \uFFFC two. Three \uFFFC");
  EXPECT_EQ(text.objects, (std::vector<std::string>{"{0}", "{1}"}));
  EXPECT_EQ(text.raw({0, text.text.size()}), "<b>One {0} two.</b> Three<br> {1}");
}

TEST(MarkedText, ObjectsStayInOrderWhenALaterOneIsHiddenFirst) {
  MarkedText text{"{0} {1}"};
  text.hide({4, 7});
  text.hide({0, 3});
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
  text.hide({2, 5}, [](std::string_view) { return std::string("&lt;b&gt;"); });
  EXPECT_EQ(text.raw({0, text.text.size()}), "a &lt;b&gt; c");
}

TEST(AppendMark, AnExclamationMarkMakesNoImage) {
  std::string text = "a!";
  append_mark(text, "[");
  EXPECT_EQ(text, "a\\![");
  append_mark(text, "*");
  EXPECT_EQ(text, "a\\![*");
}

}  // namespace
}  // namespace ventris::markup
