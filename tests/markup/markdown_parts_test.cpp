#include "markup/markdown_parts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "markup/markdown_places.h"

namespace ventris::markup {
namespace {

/// The parts with bytes: "T[...]" text, "H[...]" hidden, "K[...]" kept, "([...]", ")[...]" and ".[...]" marks. What is
/// between them is left out.
std::string markdown_parts_of(const std::string& document) {
  std::vector<MarkdownEvent> events = markdown_events(document);
  locate_markdown(document, events);
  std::string all;
  for (const Part& part : markdown_parts(document, events)) {
    const std::string raw = document.substr(part.range.begin, part.range.end - part.range.begin);
    if (raw.empty()) continue;
    switch (part.kind) {
      case Part::Kind::kText: all += "T"; break;
      case Part::Kind::kHidden: all += "H"; break;
      case Part::Kind::kKept: all += "K"; break;
      case Part::Kind::kMark:
        all += part.mark == Mark::Kind::kOpen ? "(" : part.mark == Mark::Kind::kClose ? ")" : ".";
        break;
    }
    all += "[" + raw + "]";
  }
  return all;
}

TEST(MarkdownParts, SpansAreMarksAndCodeIsHidden) {
  EXPECT_EQ(markdown_parts_of("a *b* `c`"), "T[a ]([*]T[b])[*]T[ ]H[`c`]");
  EXPECT_EQ(markdown_parts_of("[a](u) ![b](v)"), "([[]T[a])[](u)]T[ ]H[![b](v)]");
  EXPECT_EQ(markdown_parts_of("a [#83](u) b<sup>2</sup>"), "T[a ]H[[#83](u)]T[ b]H[<sup>2</sup>]");
  EXPECT_EQ(markdown_parts_of("b<sup>[2](#n)</sup> c<sup>**3**</sup>"),
            "T[b]H[<sup>[2](#n)</sup>]T[ c]H[<sup>**3**</sup>]");
  EXPECT_EQ(markdown_parts_of("CO<sub>2</sub> x<sub>i</sub>"), "T[CO]H[<sub>2</sub>]T[ x]H[<sub>i</sub>]");
  EXPECT_EQ(markdown_parts_of("b [1], c [2][]\n\n[1]: u\n[2]: v"), "T[b ]H[[1]]T[, c ]H[[2][]]");
  EXPECT_EQ(markdown_parts_of("a [2019](u)"), "T[a ]([[]T[2019])[](u)]") << "a word";
  EXPECT_EQ(markdown_parts_of("<b>a</b><br>c"), "([<b>]T[a])[</b>]K[<br>]T[c]");
}

TEST(MarkdownParts, EmphasisIsNeverEmptyAndLinksHaveTheirNumber) {
  const std::string document = "*a* [b](u) [c](u) [d](v)";
  std::vector<MarkdownEvent> events = markdown_events(document);
  locate_markdown(document, events);
  std::vector<uint64_t> links;
  for (const Part& part : markdown_parts(document, events)) {
    if (part.kind != Part::Kind::kMark || part.mark != Mark::Kind::kOpen) continue;
    EXPECT_EQ(part.never_empty, document[part.range.begin] == '*');
    if (part.link != 0) links.push_back(part.link);
  }
  ASSERT_EQ(links.size(), 3U);
  EXPECT_EQ(links[0], links[1]);
  EXPECT_NE(links[0], links[2]);
}

TEST(MarkdownParts, AddressesAreObjectsAlsoAcrossEntities) {
  EXPECT_EQ(markdown_parts_of("see http://a.b/c?d=1&amp;e now"), "T[see ]H[http://a.b/c?d=1&amp;e]T[ now]");
  EXPECT_EQ(markdown_parts_of("<http://a.b> c"), "H[<http://a.b>]T[ c]");
}

TEST(MarkdownParts, ALinkAroundNothingButObjectsIsOneObject) {
  EXPECT_EQ(markdown_parts_of("[`a`](u) b"), "H[[`a`](u)]T[ b]");
  EXPECT_EQ(markdown_parts_of("[![](a.png)](u) b"), "H[[![](a.png)](u)]T[ b]");
  EXPECT_EQ(markdown_parts_of("a[^1] b"), "T[a]H[[^1]]T[ b]");
}

TEST(MarkdownParts, TheTextOfALinkIsAlsoItsNameIfItHasNoOther) {
  const std::string document = "[a b] c\n\n[a b]: /u\n";
  std::vector<MarkdownEvent> events = markdown_events(document);
  locate_markdown(document, events);
  const auto parts = markdown_parts(document, events);
  const auto end = std::ranges::find_if(parts, [](const Part& part) { return part.mark == Mark::Kind::kClose; });
  ASSERT_NE(end, parts.end());
  EXPECT_EQ(end->text, "][a b]");
}

TEST(MarkdownParts, ALineInStrongLettersIsABlockIfTheNextOneBeginsWithACapital) {
  EXPECT_EQ(markdown_parts_of("> **Note**\n> This *is* it"), "([**]T[Note])[**]K[\n> ]T[This ]([*]T[is])[*]T[ it]");
  EXPECT_EQ(markdown_parts_of("**A name**\nis here"), "([**]T[A name])[**]T[\n]T[is here]");
  EXPECT_EQ(markdown_parts_of("a **b**\nThis"), "T[a ]([**]T[b])[**]T[\n]T[This]");
}

TEST(MarkdownParts, ALabelAtTheBeginningIsABlock) {
  EXPECT_EQ(markdown_parts_of("- **A name**: a text"), "([**]T[A name])[**]K[: ]T[a text]");
  EXPECT_EQ(markdown_parts_of("- [A book](u) - a text"), "([[]T[A book])[](u)]K[ - ]T[a text]");
  EXPECT_EQ(markdown_parts_of("[A book](u) \u2014 a text"), "([[]T[A book])[](u)]K[ \u2014 ]T[a text]");
  EXPECT_EQ(markdown_parts_of("a **b**: c"), "T[a ]([**]T[b])[**]T[: c]");
  EXPECT_EQ(markdown_parts_of("*a*: c"), "([*]T[a])[*]T[: c]") << "emphasis is no label";
}

TEST(MarkdownParts, WhatIsInsideCodeOfABlockOfHtmlHasNoParts) {
  EXPECT_EQ(markdown_parts_of("<pre>\na\n\n</pre>\n\nb\n"), "K[<pre>\na\n\n</pre>]T[b]");
  EXPECT_EQ(markdown_parts_of("<div>\n<pre>\n\n*a* b\n\nc</pre> d\n"), "K[<div>]T[\n]K[<pre>]T[ d]");
  EXPECT_EQ(markdown_parts_of("a <kbd>b *c*\n\nd"), "T[a ]H[<kbd>b *c*]T[d]");
}

}  // namespace
}  // namespace ventris::markup
