#include "markup/extension_finder.h"

#include <gtest/gtest.h>

#include "markup/extension_texts.h"
#include "markup/known_blocks.h"

namespace ventris::markup {
namespace {

TEST(ExtensionFinder, AttributesReferencesTemplatesAndEmojiAreFound) {
  EXPECT_EQ(extensions("# A {#a-b}\n\n*b*{.c}\n{: .d #e}\n![f](u){width=50%}"),
            (Texts{"{#a-b}", "{.c}", "{: .d #e}", "{width=50%}"}));
  EXPECT_EQ(extensions("[[A b]] and [[c|d]]\n\n[TOC]\n\n[[_TOC_]]"),
            (Texts{"[[A b]]", "[[c|d]]", "[TOC]", "[[_TOC_]]"}));
  EXPECT_EQ(extensions("a {{ b.c }}{% d %} :smile: :e_f:."), (Texts{"{{ b.c }}", "{% d %}", ":smile:", ":e_f:"}));
  EXPECT_EQ(extensions("a :+1: :-1:"), (Texts{":+1:", ":-1:"}));
  for (const std::string text : {"{a}", "{ a }", "{#}", "[[a](b)]", "[[1]](#n)", "[TOC](u)", "[[]]", "[[a]", "10:30:45",
                                 "a:b:c", ":a", "::a::", "{{ a", "{#a\nb}"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(ExtensionFinder, AttributesOfWordsInBracketsAreTargets) {
  const auto attributes = [](const std::string& document) {
    Texts found;
    for (const ByteRange& range : markdown_extensions(document).attributes) {
      found.push_back(document.substr(range.begin, range.end - range.begin));
    }
    return found;
  };
  EXPECT_EQ(attributes("[a *b* [c](d)]{.e} and []{#f} | [`g`]{h=1}"), (Texts{"{.e}", "{#f}", "{h=1}"}));
  for (const std::string text : {"[a](b){.c}", "![a]{.b}", "[a][b]{.c}", "[^1]{.b}", "[a] {.b}", "[a]{b}", "a]{.b}",
                                 "[a]{.b}\n\n[A]: c", "\\[a]{.b}"}) {
    EXPECT_EQ(attributes(text), Texts{}) << text;
  }
}

TEST(ExtensionFinder, LinesOfBoxesAreFound) {
  EXPECT_EQ(extensions(":::tip\na\n:::"), (Texts{":::tip", ":::"}));
  EXPECT_EQ(extensions("::: warning A title\na\n:::::"), (Texts{"::: warning", ":::::"}));
  EXPECT_EQ(extensions(":::note[A *title*]{.b}\n> ::: {.c}"), (Texts{":::note[A *title*]{.b}", "::: {.c}"}));
  EXPECT_EQ(extensions("*[AB]: One\n*[C d]: Two"), (Texts{"*[AB]:", "*[C d]:"}));
  for (const std::string text : {"*[a]:b", "*[a](u): b", "*[]: a", "a :::tip"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(ExtensionFinder, LongTextsOfOneKindAreSearchedInOnePass) {
  for (const std::string part :
       {"$",  "$a",     "$$", "$$a\n", "\\(", "\\[", "\\[a\n", "\\\\(", "{{",  "{#",      "{a",
        "[[", "[[a|",   ":",  ":a",    "](",  "<a",  "`",      "`` ",   "$a$", "[[a|b]]", "|$a$",
        "`$", ":::a\n", "^[", "[@",    "@a",  "@a ", "@a [",   "[ @a ", "-@a", "!!! a\n", "\\begin{align}\n"}) {
    std::string text;
    while (text.size() < 100'000) text += part;
    for (const std::string end : {"", "$$ a", "\\) a", "\\] a", "}} a", "`", "\\\\)"}) {
      static_cast<void>(with_code_at(text + end, markdown_extensions(text + end)));
    }
  }
}

TEST(ExtensionFinder, AddressesKeepSignsOfEmphasis) {
  EXPECT_EQ(extensions("a http://www.e.org/a*b*c, https://a.b/x?y=*z* or www.a.b/*c*d."),
            (Texts{"http://www.e.org/a*b*c", "https://a.b/x?y=*z", "www.a.b/*c*d"}));
  EXPECT_EQ(extensions("http://a.b/__c__.d, _see_ http://a.b/c_(d)_e. http://a.b/_\u8FD9"),
            (Texts{"http://a.b/__c__.d", "http://a.b/c_(d)_e"}));
  for (const std::string text : {"*see http://e.org/a*, and *that*", "**http://e.org/a**", "http://e.org/a_b",
                                 "_http://e.org/a_", "[http://e.org/a](u*v*w)", "ahttp://e.org/*b*c"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

TEST(ExtensionFinder, EmojiOfOneLetterAreKnown) {
  EXPECT_EQ(extensions("| :x: | a :o: b:x: :y: |"), (Texts{":x:", ":o:"}));
}

TEST(ExtensionFinder, MentionsInEmphasisEndBeforeItsSign) {
  EXPECT_EQ(extensions("**@tom** and *@tom_smith*, ~~@a/b~~ _see @tom_ __by @fig-plot__ _@tom_"),
            (Texts{"@tom", "@tom_smith", "@a/b", "@tom", "@fig-plot", "@tom"}));
}

TEST(ExtensionFinder, WhatTouchesCodeIsOnePartWithIt) {
  EXPECT_EQ(extensions("Use {% raw %}`{{ x }}`{% endraw %} here"), Texts{"{% raw %}`{{ x }}`{% endraw %}"});
  EXPECT_EQ(extensions("`c`{: .x} `x`{=html} {{ x }}`c` `c`[[page]] $a_b$`c` and `make`:tada: but `d` {#e}"),
            (Texts{"`c`{: .x}", "`x`{=html}", "{{ x }}`c`", "`c`[[page]]", "$a_b$`c`", "`make`:tada:", "{#e}"}));
  EXPECT_EQ(extensions("a $`b_c`$ d [[one]][[two]]"), (Texts{"$`b_c`$", "[[one]]", "[[two]]"}));
}

TEST(ExtensionFinder, TheFirstThingInAListItemBeginsALine) {
  for (const std::string before : {"- ", "1. ", "> - ", "- > ", "- [ ] ", "+   ", "[^1]: "}) {
    EXPECT_EQ(extensions(before + "$$\n  a_b\n  $$\n"), Texts{"$$\n  a_b\n  $$"}) << before;
    EXPECT_EQ(extensions(before + "::: tip\n  The dog\n  :::\n"), (Texts{"::: tip", ":::"})) << before;
  }
  EXPECT_EQ(extensions("- *[HTML]: x"), Texts{"*[HTML]:"});
  EXPECT_EQ(markdown_extensions("- [c]: {{ site.url }}/x\n").in_targets.size(), 1U);
}

TEST(ExtensionFinder, AnAddressBehindOthersKeepsItsSigns) {
  EXPECT_EQ(extensions("[[a]]http://x.y/*c*d[[p]]www.a.b"), (Texts{"[[a]]", "http://x.y/*c*d", "[[p]]"}));
}

TEST(ExtensionFinder, ManyAddressesAndTargetsTakeATimeThatGrowsWithTheText) {
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

TEST(ExtensionFinder, WhatNeverEndsIsSearchedInOnePass) {
  const auto repeated = [](const std::string& part, const std::string& begin, const std::string& end) {
    std::string text = begin;
    while (text.size() < 300'000) text += part;
    return text + end;
  };
  for (const std::string& text :
       {repeated("{%", "{% code %}", " %}"), repeated("export {\n", "", "`1`"),
        repeated("{% highlight c %}\n", "", "> {% endhighlight %}"),
        repeated("{{< highlight c >}}\n", "", "> {{< /highlight >}}"),
        repeated("\\[1\n", "", "\\]" + std::string(300'000, ' ') + "2"), repeated("export const a = {\n", "", "`1`"),
        repeated("import a from 'b'\n", "", ""), repeated(":a:\n", ":::{b}\n", "")}) {
    static_cast<void>(extensions(with_known_blocks(text)));
  }
}

TEST(ExtensionFinder, ARoleOfMystIsOnePartWithItsCode) {
  EXPECT_EQ(extensions("see {ref}`a-b` and {py:func}`c`, not {ref} `d`"), (Texts{"{ref}`a-b`", "{py:func}`c`"}));
}

TEST(ExtensionFinder, EmojiMayFollowEachOther) {
  EXPECT_EQ(extensions("Use **/*.go, src/**/*.py or **/a.c."), (Texts{"**/*.go", "**/*.py"}));
  EXPECT_EQ(extensions("**/a/** **/a b** a**/*.c ***/*.c"), Texts{}) << "emphasis, or inside of a word";
  EXPECT_EQ(extensions("done :tada::smile: :+1::tada:!"), (Texts{":tada::smile:", ":+1::tada:"}));
  EXPECT_EQ(extensions("std::string::npos and :a_b::c"), Texts{});
}

TEST(ExtensionFinder, EmbeddedPagesOfWikisAreOnePart) {
  EXPECT_EQ(extensions("see ![[one.png|100]] and ![[two]]."), (Texts{"![[one.png|100]]", "![[two]]"}));
}

TEST(ExtensionFinder, CitationsMayHaveAPrefixAndAPlace) {
  for (const std::string text :
       {"[see @doe99, pp. 33-35; also @smith04, chap. 1]", "[-@doe99]", "[@doe99 pp. 3]", "[see\n@doe, p. 3]",
        "[cf. -@doe; @a:b]", "@doe99 [p. 33]", "@doe [33-35; also @smith]", "[Doe 1999, as cited in @smith]"}) {
    EXPECT_EQ(extensions("as in " + text + ": they *were* tired"), Texts{text});
  }
  EXPECT_EQ(extensions("[see @doe99, p. 3]: it is late"), Texts{}) << "the definition of a link";
  for (const std::string text :
       {"[see @doe99](u)", "[see @doe99][u]", "@doe99 [p. 33](u)", "@doe99 [the words]", "[write to @doe99@e.org it]",
        "[so @doe99 [it] is]", "[see @c, d\\] and](u)", "[see @c, `d] and`](u)", "[see @doe99 | b]"}) {
    EXPECT_NE(extensions(text), Texts{text});
  }
  EXPECT_EQ(extensions("| a @doe99 [p. 3 | b] c |"), Texts{"@doe99"});
}

TEST(ExtensionFinder, CitationsNotesAndMentionsAreFound) {
  EXPECT_EQ(extensions("a [@smith2020, p. 3; @b] and [-@c]."), (Texts{"[@smith2020, p. 3; @b]", "[-@c]"}));
  EXPECT_EQ(extensions("a^[A note.] b ^[and *more*]"), (Texts{"^[A note.]", "^[and *more*]"}));
  EXPECT_EQ(extensions("see @fig-plot, @smith_2020: @babel/core."), (Texts{"@fig-plot", "@smith_2020", "@babel/core"}));
  for (const std::string text : {"[@a](u)", "me@example.org", "a @ b", "^[a", "@1", "[a @b", "^[a](u)^",
                                 "[@maria they were tired]", "https://e.org/@user/post"}) {
    const Texts found = extensions(text);
    EXPECT_TRUE(found.empty() || found == Texts{"@b"} || found == Texts{"@maria"}) << text;
  }
}

}  // namespace
}  // namespace ventris::markup
