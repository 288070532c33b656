#include "markup/markdown.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <random>

#include "markup/markdown_extensions.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::markup {
namespace {

using Texts = std::vector<std::string>;

Texts texts(const std::string& document) {
  Texts all;
  for (const Block& block : parse_markdown(document).blocks) all.push_back(block.text.text);
  return all;
}

std::string escaped(std::string_view text) { return escape_markdown(text, Escaping::kDocument); }

/// The document with each text as its translation.
std::string copied(const std::string& document) {
  const MarkedDocument parsed = parse_markdown(document);
  std::string text;
  for (const Block& block : parsed.blocks) {
    const std::string raw = block.text.raw({0, block.text.text.size()}, escaped);
    text += block.before + escape_markdown_start(raw, block.before);
  }
  return text + parsed.after;
}

/// What the parser makes of a document, without line ends.
std::string structure(const std::string& document) {
  std::string all;
  for (const MarkdownEvent& event : read_markdown(document).events) {
    if (event.kind == MarkdownEvent::Kind::kText) {
      all += event.text;
    } else if (event.kind == MarkdownEvent::Kind::kSoftBreak) {
      all += ' ';
    } else {
      all += "{" + std::to_string(static_cast<int>(event.kind)) + std::to_string(static_cast<int>(event.span)) + "}";
    }
  }
  return all;
}

TEST(ParseMarkdown, AnItemStaysATaskBehindAnItemThatEndsWithAQuotation) {
  for (const std::string item : {"- [ ] one\n\n  > two\n", "- [ ] one\n  > two\n", "1. a\n   > > two\n", "* > two\n"}) {
    for (const std::string mark : {"[ ]", "[x]", "[X]"}) {
      const std::string sign = item.substr(0, item.find(' ') + 1), rest = mark + " three **four** five\n";
      const std::string document = item + sign + rest + sign + mark + " **six** seven\n";
      const Texts found = texts(document);
      ASSERT_GE(found.size(), 2) << document;
      EXPECT_EQ(found[found.size() - 2], "three four five") << document;
      EXPECT_EQ(found.back(), "six seven") << document;
      EXPECT_EQ(copied(document), document);
    }
  }
  EXPECT_EQ(texts("> a\n\n[ ] b"), (Texts{"a", "[ ] b"})) << "no item";
  EXPECT_EQ(texts("- > a\n- [y] b"), (Texts{"a", "[y] b"}));
  EXPECT_EQ(texts("- > a\n- > [ ] b"), (Texts{"a", "[ ] b"})) << "in a quotation in an item";
}

TEST(ParseMarkdown, AnAddressGoesOnBehindABackslash) {
  for (const std::string document : {"go to http://www.e.org/a\\_b now", "go to http://www.e.org/\\*tom now",
                                     "call tom\\_b@e.org now", "go to https://a.b/V8\\_\\(Java\\) now"}) {
    const Texts found = texts(document);
    ASSERT_EQ(found.size(), 1U) << document;
    EXPECT_TRUE(found[0].starts_with(document.substr(0, 3)) && found[0].ends_with(" now")) << found[0];
    EXPECT_EQ(found[0].find_first_of("._@"), std::string::npos) << found[0];
    EXPECT_EQ(copied(document), document);
  }
}

TEST(ParseMarkdown, TagsOfTemplatesOnLinesOfTheirOwnKeepThem) {
  for (const std::string document :
       {"{% if x %}\nWe want apples.\n{% endif %}\n", "{% hint style=\"info\" %}\nWe want apples.\n{% endhint %}\n",
        "{{< tabs >}}\nWe want apples.\n{{< /tabs >}}\n", "{% tabs %}{% tab %}\nWe want apples.\n{% endtabs %}\n",
        "{{#if a}}\nWe want apples.\n{{/if}}\n"}) {
    EXPECT_EQ(texts(document), Texts{"We want apples."}) << document;
    EXPECT_EQ(copied(document), document);
  }
}

TEST(ParseMarkdown, EmphasisEndsBehindALinkWithItsSignInTheTarget) {
  for (const std::string document :
       {"_[a](b/c_(d))_ e", "**[a](b**(c))** d", "*![a](b/*/c) e* d", "_[a](b \"c _(d)\")_ e"}) {
    const MarkedDocument parsed = parse_markdown(document + "\n");
    ASSERT_EQ(parsed.blocks.size(), 1U) << document;
    ASSERT_FALSE(parsed.blocks[0].text.marks.empty()) << document;
    EXPECT_EQ(parsed.blocks[0].text.marks.front().kind, Mark::Kind::kOpen) << document;
    EXPECT_EQ(copied(document), document);
  }
}

TEST(ParseMarkdown, BlocksThatTheParserDoesNotKnowAreLeftAlone) {
  for (const std::string document : {"a\n{% highlight ruby %}\nb\n\nb\n{% endhighlight %}\nc\n",
                                     "a\n{{< highlight go >}}\nb\n{{< /highlight >}}\nc\n"}) {
    EXPECT_EQ(texts(document), (Texts{"a", "c"})) << document;
    EXPECT_EQ(copied(document), document);
  }
}

TEST(ParseMarkdown, BlocksOfHtmlThatTheParserDoesNotKnowHaveTexts) {
  for (const std::string document : {"a\n<h2>b</h2>\n\nc\n", "a\n<header>b</header>\n\nc\n"}) {
    EXPECT_EQ(texts(document), (Texts{"a", "b", "c"})) << document;
    EXPECT_EQ(copied(document), document);
  }
}

TEST(ParseMarkdown, ParagraphsHeadingsItemsAndCellsAreBlocks) {
  const std::string document =
      "# One *two*\n\nThree\nfour.\n\n> - five\n>   six\n\n| a | b \\| c |\n|---|---|\n| d |\n\n- [x] "
      "done\n\nTitle\n===\n";
  EXPECT_EQ(texts(document), (Texts{"One two", "Three four.", "five six", "a", "b | c", "d", "done", "Title"}));
  EXPECT_EQ(
      copied(document),
      "# One *two*\n\nThree four.\n\n> - five six\n\n| a | b \\| c |\n|---|---|\n| d |\n\n- [x] done\n\nTitle\n===\n");
  const auto blocks = parse_markdown(document).blocks;
  EXPECT_EQ(blocks[1].line, 3);
  EXPECT_EQ(blocks[7].line, 15);
}

TEST(ParseMarkdown, CodeImagesAddressesAndFootnotesAreObjects) {
  const std::string document =
      "Run `ls *`, see ![a cat](c.png) and [`x`](u), <http://a.b> or www.c.de. [^1]\n\n[^1]: A note.\n";
  EXPECT_EQ(texts(document), (Texts{"Run \uFFFC, see \uFFFC and \uFFFC, \uFFFC or \uFFFC. \uFFFC", " A note."}));
  EXPECT_EQ(copied(document), document);
}

TEST(ParseMarkdown, WhatHasNoTextIsKept) {
  for (const std::string document : {"---\ntitle: A *b*\n---\n", "---\ntitle: A *b*\n---", "+++\na = 1\n+++\n",
                                     "```sh\nls\n```\n", "    code\n", "<div>\n<b>1</b>\n</div>\n", "<!-- a -->\n",
                                     "[![Build](b.svg)](u) ![](c.png)\n", "***\n", "[r]: /u \"title\"\n", "", "\n\n"}) {
    EXPECT_EQ(texts(document), Texts{}) << document;
    EXPECT_EQ(copied(document), document);
  }
  EXPECT_EQ(texts("---\na: b\n---\nc\n"), Texts{"c"});
}

TEST(ParseMarkdown, TagsOfHtmlInsideTextAreAsInHtml) {
  const auto blocks = parse_markdown("a <b>c</b> <kbd>d</kbd><br>e <!-- f --> <i>g").blocks;
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].text.text, "a c \uFFFC");
  ASSERT_EQ(blocks[0].text.marks.size(), 2U);
  EXPECT_EQ(blocks[0].text.marks[1].kind, Mark::Kind::kClose);
  ASSERT_EQ(blocks[1].text.marks.size(), 2U);
  EXPECT_EQ(blocks[1].text.marks[1].kind, Mark::Kind::kAlone);  // it is never closed
}

TEST(ParseMarkdown, TagsAreReadInAnyCaseAndMayForbidTranslation) {
  const auto blocks = parse_markdown("a <B>c</b> <span translate=\"no\">Acme</span>").blocks;
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].text.text, "a c \uFFFC");
  ASSERT_EQ(blocks[0].text.marks.size(), 2U);
  EXPECT_EQ(blocks[0].text.marks[0].kind, Mark::Kind::kOpen);
}

TEST(ParseMarkdown, ATagDoesNotCloseASpanOfMarkdown) {
  const auto blocks = parse_markdown("<b>*a</b> c* d").blocks;
  ASSERT_EQ(blocks.size(), 1U);
  std::vector<Mark::Kind> kinds;
  for (const Mark& mark : blocks[0].text.marks) kinds.push_back(mark.kind);
  using Kind = Mark::Kind;
  EXPECT_EQ(kinds, (std::vector<Kind>{Kind::kAlone, Kind::kOpen, Kind::kAlone, Kind::kClose}));
}

TEST(ParseMarkdown, TagsThatOverlapAreHalvesOfAPair) {
  const auto pairs = [](const std::string& document) {
    std::vector<size_t> all;  // the number of the mark that has the same number first, from 1
    const std::vector<Mark> marks = parse_markdown(document).blocks.at(0).text.marks;
    for (const Mark& mark : marks) {
      const auto first = std::ranges::find(marks, mark.pair, &Mark::pair);
      all.push_back(mark.pair == 0 ? 0 : static_cast<size_t>(first - marks.begin()) + 1);
    }
    return all;
  };
  using Pairs = std::vector<size_t>;
  EXPECT_EQ(pairs("<b>a<i>b</b>c</i>"), (Pairs{0, 2, 0, 2}));
  EXPECT_EQ(pairs("<b>*a</b> c* d"), (Pairs{1, 0, 1, 0}));
  EXPECT_EQ(pairs("*<b>a* c</b> d"), (Pairs{0, 2, 0, 2}));
  EXPECT_EQ(pairs("<b>*a</b> c* d</b>"), (Pairs{1, 0, 1, 0, 0}));
  EXPECT_EQ(pairs("<i>a <b>`x`</b></i>"), (Pairs{0, 0}));
  EXPECT_EQ(pairs("a</b> c <b>d"), (Pairs{0, 0}));
}

TEST(ParseMarkdown, IndentedCodeDirectlyBelowHtmlIsKept) {
  for (const std::string html : {"<!-- a -->", "<pre>a</pre>", "<script>\na\n</script>", "<?a?>", "<!DOCTYPE a>"}) {
    const std::string document = html + "\n    code *a\n\n    b* code\n";
    EXPECT_EQ(texts(document), Texts{}) << document;
    EXPECT_EQ(copied(document), document);
  }
  EXPECT_EQ(texts("<!-- a -->\n    code\ntext\n"), Texts{"text"});
  EXPECT_EQ(texts("<!-- a -->\n\tcode\n\n<!-- b -->\n    code\n\ntext\n"), Texts{"text"});
  EXPECT_EQ(texts("> <!-- a -->\n>     code\n\ntext\n"), Texts{"text"});
  EXPECT_EQ(texts("- <!-- a -->\n      code\n\n  text\n"), Texts{"text"});
  EXPECT_EQ(texts("<!-- a -->\n   text\n"), Texts{"text"});
  EXPECT_EQ(texts("- <!-- a -->\n    text\n"), Texts{"text"}) << "indented by two spaces";
  EXPECT_EQ(texts("<!-- a -->\n![](u)\n    text\n"), Texts{"\uFFFC text"});
  EXPECT_EQ(texts("| a |\n|-|\n| b |\n\n<!-- c -->\n    code\n\n| d |\n|-|\n"), (Texts{"a", "b", "d"}))
      << "with tables";
}

TEST(ParseMarkdown, CodeThatABlockOfHtmlHasOpenedEndsWithItsEndTag) {
  const std::string details = "<details>\n<pre>\none\n\ntwo *three*\n\n- four\n</pre>\n</details>\n\nfive\n";
  EXPECT_EQ(texts(details), Texts{"five"});
  EXPECT_EQ(copied(details), details);
  EXPECT_EQ(texts("<code>\none\n\ntwo</code> three\n\nfour"), (Texts{" three", "four"}));
  EXPECT_EQ(texts("<code>\none\n\n*two</code> three* four\n"), Texts{" four"});
  EXPECT_EQ(texts("<div>\n<pre>\none\n\ntwo\n\n</div>\n\nthree\n"), Texts{"three"}) << "the pre ends with the div";
  EXPECT_EQ(texts("<div>\n<code>\none\n\ntwo\n\n</div>\n\nthree\n"), Texts{}) << "the code does not";
  EXPECT_EQ(texts("> <div>\n> <pre>\n>\n> one\n\ntwo\n"), Texts{"two"});
  EXPECT_EQ(texts("<textarea>\none\n\ntwo\n\n</textarea>\n\nthree\n"), Texts{"three"});
  EXPECT_EQ(texts("<pre>\none\n\ntwo\n"), Texts{});
  EXPECT_EQ(texts("<div>\n<b>\n\none\n"), Texts{"one"});
}

TEST(ParseMarkdown, CodeWithoutAnEndTagGoesOnToTheEndOfItsBlock) {
  EXPECT_EQ(texts("one <code>two *three*\n\nfour\n"), (Texts{"one \uFFFC", "four"}));
  EXPECT_EQ(texts("one <b>a <kbd>two</b>"), Texts{"one a two"});
  EXPECT_EQ(texts("one <code>two<br>three\n"), Texts{"one \uFFFC"});
  EXPECT_EQ(copied("one <code>two<br>three\n"), "one <code>two<br>three\n");
}

TEST(ParseMarkdown, WhatIsDecodedBecomesNoMark) {
  EXPECT_EQ(texts("a&#10;&#10;- b"), Texts{"a  - b"});
  EXPECT_EQ(copied("a \\![b](u)"), "a \\![b](u)");
  EXPECT_EQ(copied("\u201C\\_foo\\_\u201D"), "\u201C\\_foo\\_\u201D");
  EXPECT_EQ(texts("a\r\nb *c*"), Texts{"a b c"});
}

TEST(ParseMarkdown, TheLineOfAnErrorCountsFromTheBeginningOfTheFile) {
  std::string deep;
  for (int i = 0; i <= kDeepestNesting; ++i) deep += "*a ";
  for (int i = 0; i <= kDeepestNesting; ++i) deep += "a* ";
  EXPECT_FAILS(parse_markdown("---\na: b\n---\n\n" + deep), MarkupError, "line 5: marks are nested deeper");
}

/// Each of these took minutes, gigabytes or the whole stack when its parts were compared with each other.
TEST(ParseMarkdown, LongDocumentsOfOnePartAreParsed) {
  for (const std::string part : {"[^1] x ", "[^1", "[](u)", "a <b>x</i>", "&amp; ", "`a` ", "![](u)", "http://a.b "}) {
    std::string document;
    while (document.size() < 200'000) document += part;
    EXPECT_EQ(parse_markdown("x " + document).blocks.size(), 1U) << part;
  }
  std::string code = "```\n";
  while (code.size() < 1'000'000) code += "[](";
  EXPECT_EQ(texts(code + "\n```\n\n[](u (a \"b))x\n\nc"), Texts{"c"}) << "its signs are not found";
}

TEST(ParseMarkdown, NothingOfAFootnoteSignOccursTwice) {
  for (const std::string document : {"See [^[^1] now. [^2][^3] [^ 4]", "[^a [^b]: c", "[^[^[^", "[^1]: x [^y"}) {
    EXPECT_EQ(structure(copied(document)), structure(document)) << document;
  }
  std::string many;
  while (many.size() < 300'000) many += "[^";
  EXPECT_EQ(parse_markdown("x " + many + "]").blocks.size(), 1U);
  EXPECT_EQ(parse_markdown("x " + many + " x").blocks.size(), 1U);
}

TEST(ParseMarkdown, EachLineThatBeginsAFootnoteIsABlock) {
  const std::string document = "See.[^1]\n\n[^1]: One more\nline.\n[^2]: Two.\n[^c]: Three.\n";
  EXPECT_EQ(texts(document), (Texts{"See.\uFFFC", " One more line.", " Two.", " Three."}));
  EXPECT_EQ(copied(document), "See.[^1]\n\n[^1]: One more line.\n[^2]: Two.\n[^c]: Three.\n");
  const std::string below_text = "Text\n[^1]: One more.\nMore [^2] here.\n";
  EXPECT_EQ(texts(below_text), (Texts{"Text", " One more. More \uFFFC here."}));
}

TEST(ParseMarkdown, IndentedItemsBelowAFootnoteAreBlocks) {
  const std::string document = "[^1]: One more.\n    - Two.\n    10. Three.\n";
  EXPECT_EQ(texts(document), (Texts{" One more.", "Two.", "Three."}));
  EXPECT_EQ(copied(document), document);
}

TEST(ParseMarkdown, TheLabelOfAQuotationStaysOnItsLine) {
  for (const std::string document :
       {"> [!NOTE]\n> Text.\n", "> [!WARNING]\n>\n> Text.\n", "> > [!tip]\n> > Text.\n", "- > [!NOTE]\n  > Text.\n"}) {
    EXPECT_EQ(texts(document), Texts{"Text."}) << document;
    EXPECT_EQ(copied(document), document);
  }
  EXPECT_EQ(texts("> [!tip]- A title\n> Text.\n"), (Texts{" A title", "Text."}));
  EXPECT_EQ(texts("[!NOTE]\nText.\n"), Texts{"[!NOTE] Text."}) << "no quotation";
  EXPECT_EQ(texts("> Text\n> [!NOTE] more.\n"), Texts{"Text [!NOTE] more."}) << "not at the beginning";
}

TEST(ParseMarkdown, ExtensionsInATextAreObjects) {
  const std::string document =
      "The value $a_b$ and \\(c^2\\) of [[page|name]] {{ x }} *b*{.c}, :smile: [[a](b)] [c [d] e](f)";
  const MarkedDocument parsed = parse_markdown(document);
  ASSERT_EQ(parsed.blocks.size(), 1U);
  Texts objects;
  for (const Object& object : parsed.blocks[0].text.objects) objects.push_back(object.raw);
  EXPECT_EQ(objects, (Texts{"$a_b$", "\\(c^2\\)", "[[page|name]]", "{{ x }}", ":smile:"}));
  EXPECT_EQ(structure(copied(document)), structure(document));
  const MarkedText with_attributes = parse_markdown("a *b*{.c} [d](e){f=g} ![h](i){j=k} l{.m}").blocks.at(0).text;
  ASSERT_EQ(with_attributes.marks.size(), 4U);
  EXPECT_EQ(with_attributes.marks[1].raw, "*{.c}") << "goes with the emphasis";
  EXPECT_EQ(with_attributes.marks[3].raw, "](e){f=g}");
  ASSERT_EQ(with_attributes.objects.size(), 2U);
  EXPECT_EQ(with_attributes.objects[0].raw, "![h](i){j=k}");
  EXPECT_EQ(parse_markdown("a [b]{.c} d\n\n[b]: /u").blocks.at(0).text.marks.back().raw, "][b]{.c}");
  EXPECT_EQ(texts("Costs $5 and $6."), Texts{"Costs $5 and $6."});
  EXPECT_EQ(copied("# A heading {#name}\n\nb"), "# A heading {#name}\n\nb");
  EXPECT_EQ(texts("# A heading {#name}"), Texts{"A heading "});
}

TEST(ParseMarkdown, FormulasAndListsOfAttributesOnLinesOfTheirOwnStayThere) {
  for (const std::string sign :
       {"$$\na_1\n- b\n$$", "$$a_1$$", "\\[\na_1\n\\]", "\\\\[ a_1 \\\\]", "{: .b #c}", "[TOC]"}) {
    const std::string document = "One.\n" + sign + "\nTwo.\n\nThree.\n" + sign + "\n";
    EXPECT_EQ(texts(document), (Texts{"One.", "Two.", "Three."})) << document;
    EXPECT_EQ(copied(document), document);
  }
  const std::string quoted = "> One.\n> $$\n> a_1\n> $$\n> Two.\n\n- Three.\n  $$\n  b_1\n  $$\n";
  EXPECT_EQ(texts(quoted), (Texts{"One.", "Two.", "Three."}));
  EXPECT_EQ(copied(quoted), quoted);
}

TEST(ParseMarkdown, BoxesKeepTheirLines) {
  for (const std::string document :
       {":::tip\nOne two.\n:::\n", "One.\n\n::: tip Two three.\nFour.\n\nFive.\n:::\n",
        ":::note[A *b*]\nOne.\n:::", "!!! note \"Title\"\n    One two.\n", "??? tip\n    One.\n\nTwo.",
        "=== \"Tab\"\n    One.\n", "> :::tip\n> One.\n> :::\n", "- a\n  :::tip\n  One.\n  :::\n"}) {
    EXPECT_EQ(copied(document), document);
    for (const std::string& text : texts(document)) EXPECT_EQ(text.find(':'), std::string::npos) << document;
  }
  EXPECT_EQ(texts("::: tip A title\nOne\ntwo.\n:::\n"), (Texts{" A title", "One two."}));
}

TEST(ParseMarkdown, DefinitionsAndAbbreviationsKeepTheirLines) {
  const std::string document = "Term\n: One.\n:   Two.\n\nOther\n\n: Three.\n";
  EXPECT_EQ(texts(document), (Texts{"Term", "One.", "Two.", "Other", "Three."}));
  EXPECT_EQ(copied(document), document);
  EXPECT_EQ(texts("a\n:b"), Texts{"a :b"});
  const std::string abbreviations = "*[AB]: One two\n*[C]: Three\n";
  EXPECT_EQ(texts(abbreviations), (Texts{" One two", " Three"}));
  EXPECT_EQ(copied(abbreviations), abbreviations);
}

TEST(ParseMarkdown, ManyOpenTagsAreNotSearchedForEachEnd) {
  std::string open, close;
  for (int i = 0; i < 100'000; ++i) open += "<b>";
  for (int i = 0; i < 100'000; ++i) close += "</i>";
  EXPECT_EQ(parse_markdown("<i>*a " + open + close + " a*").blocks.size(), 1U);
  std::string ends;
  for (int i = 0; i < 100'000; ++i) ends += "</b>";
  EXPECT_FAILS(parse_markdown(open + "a" + ends), MarkupError, "line 1: tags are nested deeper than 1000");
}

TEST(ParseMarkdown, WhatWouldMultiplyTheDocumentIsRefused) {
  std::string links, row, head, line;
  for (int i = 0; i < 3000; ++i) links += "[a] ";
  EXPECT_FAILS(parse_markdown(links + "\n\n[a]: /" + std::string(300'000, 'u') + "\n"), MarkupError,
               "line 1: the targets of its links are far more than the document has bytes; divide it");
  for (int i = 0; i < 2000; ++i) {
    head += "x|";
    line += "---|";
    row += "x|\n";
  }
  EXPECT_FAILS(parse_markdown(head + "\n" + line + "\n" + row), MarkupError,
               "the cells of its tables are far more than the document has bytes; divide it");
}

TEST(ParseMarkdown, AHardLineBreakDividesAText) {
  EXPECT_EQ(texts("a  \nb\\\nc\nd"), (Texts{"a", "b", "c d"}));
  EXPECT_EQ(copied("*a  \nb*"), "*a  \nb*");
}

TEST(EscapeMarkdown, OnlyWhatWouldBeAMarkGetsABackslash) {
  EXPECT_EQ(escaped("a*b [c] `d` e|f~ ~ \\"), "a\\*b \\[c\\] \\`d\\` e\\|f\\~ ~ \\\\");
  EXPECT_EQ(escaped("snake_case _x_ 2 < 3 <b> AT&T &amp; C# a # b"),
            "snake_case \\_x\\_ 2 < 3 \\<b> AT&T \\&amp; C# a \\# b");
  EXPECT_EQ(escaped("Fig.\\ 3"), "Fig.\\ 3") << "a no-break space of pandoc";
  EXPECT_EQ(escaped("10~20"), "10~20") << "a range";
  EXPECT_EQ(escaped("a~b"), "a\\~b") << "may end what is struck out";
  EXPECT_EQ(escaped("~> Note: ~5 (~2) a ~> b"), "~> Note: ~5 (~2) a ~> b") << "these end nothing";
}

TEST(EscapeMarkdown, BracketsDoNotBecomeAFormula) {
  EXPECT_EQ(escaped("[batch, src_len] a_b [c^2"), "[batch, src_len] a_b \\[c\\^2");
  EXPECT_EQ(escaped("Dear [Your Name], take [0, 1]."), "Dear [Your Name], take [0, 1].");
  for (const std::string text : {"a [b c](d)", "a [bc][d]", "a [bc]: d", "a [bc]{d}", "a [x]", "a [^b]", "a [see @b]",
                                 "[ab]", "a ![bc]", "a [[bc]]", "a [TOC]", "a [ b]"}) {
    EXPECT_NE(escaped(text).find("\\["), std::string::npos) << text;
  }
  EXPECT_EQ(escaped("$5 {a} < 6"), "$5 {a} < 6");
  EXPECT_EQ(escape_markdown("$5 {a} < *6*", Escaping::kBraces), "\\$5 \\{a\\} &lt; \\*6\\*");
  EXPECT_EQ(escape_markdown("$5 {a} < *6*", Escaping::kDollars), "\\$5 {a} &lt; \\*6\\*");
  EXPECT_EQ(escape_markdown("$5 {a} < *6*", Escaping::kLess), "$5 {a} &lt; \\*6\\*");
}

TEST(Markdown, SignsThatADocumentEscapesForADialectStayEscaped) {
  const auto escaping_of = [](const std::string& document) { return parse_markdown(document).blocks.back().escaping; };
  for (const char* document : {"It costs \\$20.\n\nOne", "a &#36; b &lt; 5"})
    EXPECT_EQ(escaping_of(document), Escaping::kDollars) << document;
  for (const char* document : {"A \\{name\\} \\$5\n\nOne", "&#123;id&#125; a", "&lbrace;a"})
    EXPECT_EQ(escaping_of(document), Escaping::kBraces) << document;
  for (const char* document : {"Node &lt; 18", "a \\< b", "a &lt;= b", "The &lt;b&gt; tag &lt; 5"})
    EXPECT_EQ(escaping_of(document), Escaping::kLess) << document;
  for (const char* document : {"It costs $20.", "A {name}", "a < b", "The &lt;b&gt; tag", "A \\* star", "`\\$` is code",
                               "C:\\\\{user} \\\\$HOME", "```\n\\{\n```\n\nOne", "AT&amp;T"})
    EXPECT_EQ(escaping_of(document), Escaping::kDocument) << document;
}

TEST(EscapeMarkdown, ATextDoesNotBeginABlock) {
  EXPECT_EQ(escape_markdown_start("1. a", "\n\n"), "1\\. a");
  EXPECT_EQ(escape_markdown_start("12) a", "> "), "12\\) a");
  EXPECT_EQ(escape_markdown_start("- a", ""), "\\- a");
  EXPECT_EQ(escape_markdown_start("---", "a\n"), "\\---");
  EXPECT_EQ(escape_markdown_start("> a", ""), "\\> a");
  for (const std::string text : {"-5", "1.5 a", "+a", "= a", "a - b", "2020", ""}) {
    EXPECT_EQ(escape_markdown_start(text, "\n"), text);
  }
  EXPECT_EQ(escape_markdown_start("1. a", "a\n## "), "1. a");
  EXPECT_EQ(escape_markdown_start("- a", "| "), "- a");
}

TEST(EscapeMarkdown, ANameInBracketsAsAHeadingStays) {
  EXPECT_EQ(escape_markdown_start("\\[Unreleased\\]", "a\n## "), "[Unreleased]");
  EXPECT_EQ(escape_markdown_start("\\[\u672A\u53D1\u5E03\\]", "## "), "[\u672A\u53D1\u5E03]");
  for (const std::string text : {"\\[1.0\\]", "\\[a b\\]", "\\[a", "\\[\\]", "\\[a\\]: b"}) {
    EXPECT_EQ(escape_markdown_start(text, "## "), text);
  }
  EXPECT_EQ(escape_markdown_start("\\[a\\]", "- "), "\\[a\\]");
}

TEST(ParseMarkdown, PagesOfOurOwnComeBackWithTheSameStructure) {
  int64_t pages = 0;
  for (const std::string folder : {VENTRIS_SOURCE, VENTRIS_SOURCE "/docs"}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".md") continue;
      const std::string page = test::file_bytes(entry.path().string());
      EXPECT_EQ(structure(copied(page)), structure(page)) << entry.path();
      EXPECT_GT(parse_markdown(page).blocks.size(), 5U) << entry.path();
      ++pages;
    }
  }
  EXPECT_GT(pages, 10);
}

/// Random documents of pieces that mean something in Markdown.
TEST(ParseMarkdown, AnyDocumentComesBackWithTheSameStructure) {
  Texts pieces{"a",      "b ",    "*",           "**",    "_",     "~~",    "`",      "``",   "[",
               "](u)",   "[r]",   "![",          "(",     "\n",    "\n\n",  "> ",     "- ",   "1. ",
               "# ",     "    ",  "<br>",        "&amp;", "&",     "\\*",   "!",      "\"",   "[^1]",
               "<b>",    "</b>",  "<I>",         "</i>",  "\\!",   "\\_",   "\u201C", "\r\n", "[](u)",
               "\u00e9", "```\n", "\n[r]: /u\n", ".",     "===\n", "---\n", "+ ",     "*c*",  "[ ] "};
  std::ranges::copy(Texts{"$x_y$", "\n$$\nx\n$$\n", "\\(x_y\\)", "[[a]]", "{{a}}", "{#a}", ":::x\n", ": ", "!!! x\n"},
                    std::back_inserter(pieces));
  std::mt19937 random(7);
  int different = 0;
  constexpr int kDocuments = 5000;
  for (int i = 0; i < kDocuments; ++i) {
    std::string document;
    for (size_t left = random() % 20 + 1; left > 0; --left) document += pieces[random() % pieces.size()];
    if (structure(copied(document)) != structure(document)) ++different;
  }
  // Signs in no sensible order can mean something else when two lines become one.
  EXPECT_LT(different, kDocuments / 50);
}

}  // namespace
}  // namespace ventris::markup
