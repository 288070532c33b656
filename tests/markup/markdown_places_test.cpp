#include "markup/markdown_places.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

/// The bytes of all events that have some.
Texts pieces(const std::string& document) {
  std::vector<MarkdownEvent> events = markdown_events(document);
  locate_markdown(document, events);
  Texts all;
  for (const MarkdownEvent& event : events) {
    if (event.range.end > event.range.begin) {
      all.push_back(document.substr(event.range.begin, event.range.end - event.range.begin));
    }
  }
  return all;
}

TEST(MarkdownPlaces, SignsAreBetweenTheTextsThatTheyMark) {
  EXPECT_EQ(pieces("a *b* **c**"), (Texts{"a ", "*", "b", "*", " ", "**", "c", "**"}));
  EXPECT_EQ(pieces("***a** b*"), (Texts{"*", "**", "a", "**", " b", "*"}));
  EXPECT_EQ(pieces("*a* b__c__"), (Texts{"*", "a", "*", " b__c__"}));  // no sign inside a word
  EXPECT_EQ(pieces("~a~ ~~b~~"), (Texts{"~", "a", "~", " ", "~~", "b", "~~"}));
}

TEST(MarkdownPlaces, TargetsOfLinksAreAPartOfTheirSigns) {
  EXPECT_EQ(pieces("[a](u)[b](<v w> \"t)\")"), (Texts{"[", "a", "](u)", "[", "b", "](<v w> \"t)\")"}));
  EXPECT_EQ(pieces("[a][r] [r][] [r]\n\n[r]: /u"), (Texts{"[", "a", "][r]", " ", "[", "r", "][]", " ", "[", "r", "]"}));
  EXPECT_EQ(pieces("[![a](b(c))](u)"), (Texts{"[", "![", "a", "](b(c))", "](u)"}));
  EXPECT_EQ(pieces("x ![](u) y"), (Texts{"x ", "![", "](u)", " y"}));
  EXPECT_EQ(pieces("<http://a.b> http://c.d"), (Texts{"<", "http://a.b", ">", " http://c.d"}));
}

TEST(MarkdownPlaces, CodeAndTagsArePiecesAlsoOverSeveralLines) {
  EXPECT_EQ(pieces("a `` b ` c ``"), (Texts{"a ", "`` ", "b ` c", " ``"}));
  EXPECT_EQ(pieces("> a `b\n> c` d"), (Texts{"a ", "`", "b\n> c", "`", " d"}));
  EXPECT_EQ(pieces("a <b\n  c='d'>e</b>"), (Texts{"a ", "<b\n  c='d'>", "e", "</b>"}));
}

TEST(MarkdownPlaces, LineEndsHaveWhatBeginsTheNextLine) {
  EXPECT_EQ(pieces("> a\n> b"), (Texts{"a", "\n> ", "b"}));
  EXPECT_EQ(pieces("- *a\n  b*"), (Texts{"*", "a", "\n  ", "b", "*"}));
  EXPECT_EQ(pieces("a  \nb\\\nc"), (Texts{"a", "  \n", "b", "\\\n", "c"}));
}

TEST(MarkdownPlaces, BackslashesBelongToTheirCharacters) {
  EXPECT_EQ(pieces("\\*a\\**b*"), (Texts{"\\*", "a", "\\*", "*", "b", "*"}));
}

TEST(MarkdownPlaces, BlocksOfCodeHaveNoEventsAndThoseOfHtmlOne) {
  EXPECT_EQ(pieces("```\na *b*\n```\n\n    c\n\ne"), Texts{"e"});
  EXPECT_EQ(pieces("<div>d\n*e*</div>\n\nf"), (Texts{"<div>d\n*e*</div>", "f"}));
  EXPECT_EQ(pieces("> <div>d\n> e</div>\n\nf"), Texts{"f"}) << "a line begins with a sign of the quotation";
  EXPECT_EQ(pieces(""), Texts{});
}

TEST(MarkdownPlaces, ABlockThatIsNotUnderstoodIsLeftAlone) {
  EXPECT_EQ(pieces(std::string("a\n\nb *") + '\0' + "c*\n\nd"), (Texts{"a", "d"}));
}

}  // namespace
}  // namespace ventris::markup
