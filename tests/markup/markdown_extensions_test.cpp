#include "markup/markdown_extensions.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

Texts extensions(const std::string& document) {
  Texts texts;
  for (const ByteRange& span : markdown_extensions(document).spans) {
    texts.push_back(document.substr(span.begin, span.end - span.begin));
  }
  return texts;
}

TEST(ExtensionSpans, FormulasBeginAndEndAtTheirSigns) {
  EXPECT_EQ(extensions("a $a_b$, ($x$) *$2^n$* and $n$th"), (Texts{"$a_b$", "$x$", "$2^n$", "$n$"}));
  EXPECT_EQ(extensions("a $$a_b$$ b"), (Texts{"$$a_b$$"}));
  EXPECT_EQ(extensions("\u4F60$a$\u597D"), (Texts{"$a$"})) << "Chinese has no spaces";
  EXPECT_EQ(extensions("> a $a +\n> b_c$ \\(d^2\ne\\)"), (Texts{"$a +\n> b_c$", "\\(d^2\ne\\)"}))
      << "in a wrapped text";
  EXPECT_EQ(extensions("a \\(a_b\\) b \\[c^2\\] d \\(x\\)"), (Texts{"\\(a_b\\)", "\\[c^2\\]", "\\(x\\)"}));
  EXPECT_EQ(extensions("a \\\\(a_b\\\\) b \\\\[c^2\\\\]"), (Texts{"\\\\(a_b\\\\)", "\\\\[c^2\\\\]"}));
  EXPECT_EQ(extensions("a:\n$$\na\n- b\n$$\nc"), (Texts{"$$\na\n- b\n$$"}));
  EXPECT_EQ(extensions("> \\[\n> a^2\n> \\]\n"), (Texts{"\\[\n> a^2\n> \\]"}));
  EXPECT_EQ(extensions("\\begin{align*}\na\n\\end{align*}\n\n\\begin{center}\na\n\\end{center}"),
            (Texts{"\\begin{align*}\na\n\\end{align*}"}));
}

TEST(ExtensionSpans, PricesVariablesAndEscapedSignsAreNoFormulas) {
  for (const std::string text : {"$5 and $6",
                                 "from $5 to 6$ or so",
                                 "$5/$6",
                                 "US$5 and US$6",
                                 "$HOME/bin:$PATH",
                                 "$HOME$PATH",
                                 "\\$a_b\\$",
                                 "a \\[sic\\] b",
                                 "file\\(s\\)",
                                 "\\(see above\\)",
                                 "$",
                                 "$$",
                                 "$$$a$$$",
                                 "$ a_b $",
                                 "$a_b\n\nc$",
                                 "a $5\nto 6$",
                                 "- $a_b\n- c$",
                                 "$$ $$",
                                 "http://a/$b_c$/d",
                                 "[a](/$b_c$/d)",
                                 "<a title='$b_c$'>",
                                 "`$a_b$`"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(ExtensionSpans, AttributesReferencesTemplatesAndEmojiAreFound) {
  EXPECT_EQ(extensions("# A {#a-b}\n\n*b*{.c}\n{: .d #e}\n![f](u){width=50%}"),
            (Texts{"{#a-b}", "{.c}", "{: .d #e}", "{width=50%}"}));
  EXPECT_EQ(extensions("[[A b]] and [[c|d]]\n\n[TOC]\n\n[[_TOC_]]"),
            (Texts{"[[A b]]", "[[c|d]]", "[TOC]", "[[_TOC_]]"}));
  EXPECT_EQ(extensions("a {{ b.c }}{% d %} :smile: :e_f:."), (Texts{"{{ b.c }}", "{% d %}", ":smile:", ":e_f:"}));
  EXPECT_EQ(extensions("a :+1: :-1:"), (Texts{":+1:", ":-1:"}));
  for (const std::string text : {"{a}", "{ .a }", "{#}", "[[a](b)]", "[[1]](#n)", "[TOC](u)", "[[]]", "[[a]",
                                 "10:30:45", "a:b:c", ":a", "::a::", "{{ a", "{#a\nb}"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(ExtensionSpans, LinesOfBoxesAreFound) {
  EXPECT_EQ(extensions(":::tip\na\n:::"), (Texts{":::tip", ":::"}));
  EXPECT_EQ(extensions("::: warning A title\na\n:::::"), (Texts{"::: warning", ":::::"}));
  EXPECT_EQ(extensions(":::note[A *title*]{.b}\n> ::: {.c}"), (Texts{":::note[A *title*]{.b}", "::: {.c}"}));
  EXPECT_EQ(extensions("!!! note \"A title\"\n    a\n\n??? tip\n\n???+ note inline end\n\n=== \"Tab\""),
            (Texts{"!!! note \"A title\"", "??? tip", "???+ note inline end", "=== \"Tab\""}));
  EXPECT_EQ(extensions("*[AB]: One\n*[C d]: Two"), (Texts{"*[AB]:", "*[C d]:"}));
  for (const std::string text :
       {"*[a]:b", "*[a](u): b", "*[]: a", "!!! Stop that", "a :::tip", "===", "!!!", "=== a", "!!!note"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(ExtensionSpans, APipeInsideDividesNoCells) {
  EXPECT_EQ(extensions("see [[a|b]]"), (Texts{"[[a|b]]"}));
  EXPECT_EQ(extensions("| [[a|b]] | $c$ |\n|-|-|"), (Texts{"$c$"}));
  EXPECT_EQ(extensions("$$\n|a|\n$$"), (Texts{"$$\n|a|\n$$"}));
}

TEST(ExtensionSpans, LongTextsOfOneKindAreSearchedInOnePass) {
  for (const std::string part : {"$",       "$a",
                                 "$$",      "$$a\n",
                                 "\\(",     "\\[",
                                 "\\[a\n",  "\\\\(",
                                 "{{",      "{#",
                                 "{a",      "[[",
                                 "[[a|",    ":",
                                 ":a",      "](",
                                 "<a",      "`",
                                 "`` ",     "$a$",
                                 "[[a|b]]", "|$a$",
                                 "`$",      ":::a\n",
                                 "!!! a\n", "\\begin{align}\n"}) {
    std::string text;
    while (text.size() < 100'000) text += part;
    for (const std::string end : {"", "$$ a", "\\) a", "\\] a", "}} a", "`", "\\\\)"}) {
      static_cast<void>(with_code_at(text + end, markdown_extensions(text + end)));
    }
  }
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

TEST(ExtensionSpans, TargetsOfDefinitionsAndAddressesHaveNoFormulas) {
  for (const std::string text : {"[m]: https://e.org/V8_\\(Java_engine\\)\n[b]: https://e.org/UTF-8",
                                 "[m]: https://e.org/a\\\\(c_d\\\\)", "see https://e.org/V8_\\(Java_engine\\)"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
  EXPECT_EQ(extensions("[^1]: \\(a_b\\)"), Texts{"\\(a_b\\)"}) << "a footnote is text";
}

TEST(ExtensionSpans, AddressesKeepSignsOfEmphasis) {
  EXPECT_EQ(extensions("a http://www.e.org/a*b*c, https://a.b/x?y=*z* or www.a.b/*c*d."),
            (Texts{"http://www.e.org/a*b*c", "https://a.b/x?y=*z", "www.a.b/*c*d"}));
  for (const std::string text : {"*see http://e.org/a*, and *that*", "**http://e.org/a**", "http://e.org/a_b",
                                 "[http://e.org/a](u*v*w)", "ahttp://e.org/*b*c"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(ExtensionSpans, OnlyTablesDivideSpansAtTheirPipes) {
  EXPECT_EQ(extensions("Price: {{ a | b }} or {{ c | d }} for $|x|$ and [[e|f]]"),
            (Texts{"{{ a | b }}", "{{ c | d }}", "$|x|$", "[[e|f]]"}));
  EXPECT_EQ(extensions("Use `a | b` with {{ x | y }}"), Texts{"{{ x | y }}"});
  const std::string head = "| a | b |\n|---|---|\n";
  EXPECT_EQ(extensions(head + "| [[x|y]] | $|x|$ |\n"), Texts{});
  EXPECT_EQ(extensions(head + "| {{ x | y }} | {% if a | b %} |\n"), (Texts{"{{ x | y }}", "{% if a | b %}"}))
      << "templates are replaced before Markdown is read";
  EXPECT_EQ(extensions(head + "| $a\\|b$ | [[a\\|b]] |\n"), (Texts{"$a\\|b$", "[[a\\|b]]"}));
}

TEST(ExtensionSpans, TemplatesInTargetsAreAPartOfTheirLinks) {
  const std::string document = "a [b]({{ site.url }}/x) ![c]({% link d.md %}) [e]\n\n[e]: {{ site.url }}/y\n";
  EXPECT_EQ(extensions(document), Texts{});
  const MarkdownReading reading = read_markdown(document);
  int links = 0, images = 0;
  std::string text;
  for (const MarkdownEvent& event : reading.events) {
    links += event.kind == MarkdownEvent::Kind::kOpen && event.span == MarkdownEvent::Span::kLink ? 1 : 0;
    images += event.kind == MarkdownEvent::Kind::kOpen && event.span == MarkdownEvent::Span::kImage ? 1 : 0;
    text += event.text;
  }
  EXPECT_EQ(links, 2);
  EXPECT_EQ(images, 1);
  EXPECT_EQ(text, "a b c e");
}

TEST(ExtensionSpans, WhatTouchesCodeIsOnePartWithIt) {
  EXPECT_EQ(extensions("Use {% raw %}`{{ x }}`{% endraw %} here"), Texts{"{% raw %}`{{ x }}`{% endraw %}"});
  EXPECT_EQ(extensions("`c`{: .x} `x`{=html} {{ x }}`c` `c`[[page]] $a_b$`c` and `make`:tada: but `d` {#e}"),
            (Texts{"`c`{: .x}", "`x`{=html}", "{{ x }}`c`", "`c`[[page]]", "$a_b$`c`", "`make`:tada:", "{#e}"}));
  EXPECT_EQ(extensions("a $`b_c`$ d [[one]][[two]]"), (Texts{"$`b_c`$", "[[one]]", "[[two]]"}));
}

TEST(ExtensionSpans, TheFirstThingInAListItemBeginsALine) {
  for (const std::string before : {"- ", "1. ", "> - ", "- > ", "- [ ] ", ": ", "[^1]: "}) {
    EXPECT_EQ(extensions(before + "$$\n  a_b\n  $$\n"), Texts{"$$\n  a_b\n  $$"}) << before;
    EXPECT_EQ(extensions(before + "::: tip\n  The dog\n  :::\n"), (Texts{"::: tip", ":::"})) << before;
  }
  EXPECT_EQ(extensions("- !!! note \"T\"\n- *[HTML]: x"), (Texts{"!!! note \"T\"", "*[HTML]:"}));
  EXPECT_EQ(markdown_extensions("- [c]: {{ site.url }}/x\n").in_targets.size(), 1U);
}

TEST(ExtensionSpans, LinesMayEndWithCarriageReturns) {
  EXPECT_EQ(extensions("$$\r\na_b = c\r\n$$\r\n"), Texts{"$$\r\na_b = c\r\n$$"});
  EXPECT_EQ(extensions("!!! note \"T\"\r\n"), Texts{"!!! note \"T\""});
  EXPECT_EQ(extensions("a ` b\r\n\r\n$c_d$\r\n\r\ne ` f\r\n"), Texts{"$c_d$"}) << "a blank line ends a paragraph";
}

TEST(ExtensionSpans, AnAddressBehindOthersKeepsItsSigns) {
  EXPECT_EQ(extensions("[[a]]http://x.y/*c*d[[p]]www.a.b"), (Texts{"[[a]]", "http://x.y/*c*d", "[[p]]"}));
}

TEST(ExtensionSpans, TemplatesHaveBracesAndLinesInside) {
  EXPECT_EQ(extensions("The {{{ body }}} and {{ {a: {b: 1}} }} here"), (Texts{"{{{ body }}}", "{{ {a: {b: 1}} }}"}));
  for (const std::string text :
       {"{% include a.html\n   title=\"The dog plays\"\n   b=\"x\" %}", "{{< figure src=\"/a.png\"\n   title=\"x\" >}}",
        "{{ x\n| upcase }}", "{% highlight c %}int x{% endhighlight %}",
        "{%- comment -%} the dog {%- endcomment -%}"}) {
    EXPECT_EQ(extensions("a " + text + " b"), Texts{text});
  }
  EXPECT_EQ(extensions("Write {{ to open. And\nwrite }} to close."), Texts{});
}

TEST(ExtensionSpans, ManyAddressesAndTargetsTakeATimeThatGrowsWithTheText) {
  std::string text = "x*y* ";
  for (int i = 0; i < 50000; ++i) text += i % 2 == 0 ? "http://" : "](";
  EXPECT_EQ(extensions(text), Texts{});
  text.clear();
  for (int i = 0; i < 20000; ++i) text += "{% comment %} ";
  EXPECT_EQ(extensions(text).size(), 20000U);
  text = "x ";
  for (int i = 0; i < 20000; ++i) text += "{% code %} ";
  text += "`c` {% endcode %}";
  EXPECT_EQ(extensions(text).size(), 20001U);
  text = std::string(500000, 'x') + "{% comment %}";
  for (int i = 0; i < 200000; ++i) text += "x\n";
  EXPECT_EQ(with_code_at(text + "{% endcomment %}", markdown_extensions(text + "{% endcomment %}")).size(),
            text.size() + 16);
  text.clear();
  for (int i = 0; i < 250000; ++i) text += "[x] ";
  EXPECT_EQ(extensions(text), Texts{});
}

}  // namespace
}  // namespace ventris::markup
