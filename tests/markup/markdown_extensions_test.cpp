#include "markup/markdown_extensions.h"

#include <gtest/gtest.h>

#include "markup/extension_texts.h"

namespace ventris::markup {
namespace {

TEST(MarkdownExtensions, APipeInsideDividesNoCells) {
  EXPECT_EQ(extensions("see [[a|b]]"), (Texts{"[[a|b]]"}));
  EXPECT_EQ(extensions("| [[a|b]] | $c$ |\n|-|-|"), (Texts{"$c$"}));
  EXPECT_EQ(extensions("$$\n|a|\n$$"), (Texts{"$$\n|a|\n$$"}));
}

TEST(MarkdownExtensions, OnlyTablesDivideSpansAtTheirPipes) {
  EXPECT_EQ(extensions("Price: {{ a | b }} or {{ c | d }} for $|x|$ and [[e|f]]"),
            (Texts{"{{ a | b }}", "{{ c | d }}", "$|x|$", "[[e|f]]"}));
  EXPECT_EQ(extensions("Use `a | b` with {{ x | y }}"), Texts{"{{ x | y }}"});
  const std::string head = "| a | b |\n|---|---|\n";
  EXPECT_EQ(extensions(head + "| [[x|y]] | $|x|$ |\n"), Texts{});
  EXPECT_EQ(extensions(head + "| {{ x | y }} | {% if a | b %} |\n"), (Texts{"{{ x | y }}", "{% if a | b %}"}))
      << "templates are replaced before Markdown is read";
  EXPECT_EQ(extensions(head + "| $a\\|b$ | [[a\\|b]] |\n"), (Texts{"$a\\|b$", "[[a\\|b]]"}));
}

TEST(MarkdownExtensions, LinesMayEndWithCarriageReturns) {
  EXPECT_EQ(extensions("$$\r\na_b = c\r\n$$\r\n"), Texts{"$$\r\na_b = c\r\n$$"});
  EXPECT_EQ(extensions("a ` b\r\n\r\n$c_d$\r\n\r\ne ` f\r\n"), Texts{"$c_d$"}) << "a blank line ends a paragraph";
}

TEST(WithCodeAt, LinesAndPlacesStayAndNothingInsideIsASign) {
  const auto masked = [](const std::string& document) { return with_code_at(document, markdown_extensions(document)); };
  EXPECT_EQ(masked("a $a*b*c_d$ b"), "a `a*b*c_d` b");
  EXPECT_EQ(masked("> $$\n> - a\n> $$"), "> `$\n> x a\n> x`");
  EXPECT_EQ(masked("\\(a_b\\)"), "`(a_bx`");
  EXPECT_EQ(masked("{{a}}{{b}}"), "`{a}}{{b}`") << "one code instead of two that touch";
  EXPECT_EQ(masked("[[a|b]]"), "`[axb]`");
  EXPECT_EQ(masked("a ` b `` $a_b$"), "a , b ,, `a_b`");
  EXPECT_EQ(masked("a ` b"), "a ` b") << "nothing is to be protected";
}

TEST(ReadMarkdown, WhatTheParserTakesForTextIsNoCode) {
  for (const std::string document : {"a ` $a_b$ ` c", "a `` $a_b$", "a\\`$a_b$ c` d", "`a\\` $a_b$ `c"}) {
    const MarkdownReading reading = read_markdown(document);
    for (const MarkdownEvent& event : reading.events) {
      if (event.kind != MarkdownEvent::Kind::kText || document[event.range.begin] == '\\') continue;
      EXPECT_EQ(document.substr(event.range.begin, event.range.end - event.range.begin), event.text) << document;
    }
  }
}

}  // namespace
}  // namespace ventris::markup
