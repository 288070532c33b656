#include "documents/dividing.h"

#include <gtest/gtest.h>

#include "documents/tag_pairs.h"

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;
using markup::Mark;

/// The texts that are translated alone, if all in angle brackets or braces is a placeholder.
Texts parts_of(const std::string& written, bool sentences = false) {
  static const SentenceSplitter splitter("en");
  MarkedText text{written};
  std::vector<ByteRange> found;
  for (size_t at = written.find_first_of("<{"); at != std::string::npos; at = written.find_first_of("<{", at)) {
    const bool tag = written[at] == '<', doubled = written.substr(at, 2) == "{{",
               percent = written.substr(at, 2) == "{%";
    const std::string end = tag ? ">" : doubled ? "}}" : percent ? "%}" : "}";
    const size_t last = written.find(end, at) + end.size();
    found.push_back({at, last});
    at = last;
  }
  mark_tags(text, found, {});
  text.hide(found);
  Texts parts;
  for (const ByteRange& part : divided(text, sentences ? &splitter : nullptr)) {
    const std::string_view inside = std::string_view(text.text).substr(part.begin, part.end - part.begin);
    if (inside.find_first_not_of(' ') != std::string_view::npos) parts.emplace_back(inside);
  }
  return parts;
}

TEST(Divided, ATextWithoutMarksIsWhole) {
  EXPECT_EQ(parts_of("One. Two."), Texts{"One. Two."});
  EXPECT_EQ(divided({""}, nullptr).size(), 1U);
}

TEST(Divided, TagsOfBlocksDivide) {
  EXPECT_EQ(parts_of("<p>One</p><p>Two</p>"), (Texts{"One", "Two"}));
  EXPECT_EQ(parts_of("One<br/>two"), (Texts{"One", "two"}));
  EXPECT_EQ(parts_of("<span class=\"a\">One</span><span>two</span>"), (Texts{"One", "two"}));
  EXPECT_EQ(parts_of("<span>$5</span><span>per month</span>"), (Texts{"$5", "per month"}));
  EXPECT_EQ(parts_of("<span>G</span><span>oogle</span>").size(), 1U) << "a letter of another colour";
  for (const std::string sentence :
       {"<span>Ask the mana</span><span>ger of it</span>",
        "<span>The </span><span>dead</span><span>line</span><span> is</span>",
        "<span>\u6211\u4EEC\u7528</span><span>Python</span><span>\u5199\u7A0B\u5E8F</span>",
        "<span>\uD559\uC0DD</span><span>\uC758 \uCC45</span>",
        "<span>\u0E19\u0E35\u0E48</span><span>\u0E04\u0E37</span>"}) {
    EXPECT_EQ(parts_of(sentence).size(), 1U) << sentence;
  }
  EXPECT_EQ(parts_of("<span>free</span><span>per month</span>"), (Texts{"free", "per month"}));
  EXPECT_EQ(parts_of("<span>about us</span><span>team</span><span>home</span>"), (Texts{"about us", "team", "home"}));
  EXPECT_EQ(parts_of("<span>Price</span><span>Free</span><span>Need help?</span>").size(), 3U);
  EXPECT_EQ(parts_of("I pay <span>Pay</span><span>Pal</span>.").size(), 1U);
  EXPECT_EQ(parts_of("<span-x>One</span-x><span-x>Two</span-x>").size(), 1U);
  EXPECT_EQ(parts_of("<b>One</b><b>Two</b><span>Three</span> <span>Four</span>").size(), 1U);
  EXPECT_EQ(parts_of("<ul><li>One</li><li>Two</li></ul>"), (Texts{"One", "Two"}));
  EXPECT_EQ(parts_of("a <b>b</b> c").size(), 1U);
  EXPECT_EQ(parts_of("a <pre>b").size(), 1U) << "only the begin of its name is that of <p>";
}

TEST(Divided, EachBranchOfATemplateIsATextOfItsOwn) {
  EXPECT_EQ(parts_of("a {% if x %}One{% else %}Two{% endif %} b"), (Texts{"a ", "One", "Two", " b"}));
  EXPECT_EQ(parts_of("{% if x %}One{% elif y %}Two{% else %}Three{% endif %}"), (Texts{"One", "Two", "Three"}));
  EXPECT_EQ(parts_of("{{#a}}One{{/a}}{{^a}}Two{{/a}}"), (Texts{"One", "Two"}));
  EXPECT_EQ(parts_of("{{#if a}}One{{else}}Two{{/if}}"), (Texts{"One", "Two"}));
  EXPECT_EQ(parts_of("a {% if x %}One{% endif %} b").size(), 1U) << "a pair around words";
}

TEST(Divided, PairsOfTemplatesBesideEachOtherAreTextsOfTheirOwn) {
  for (const std::string between : {"", " ", "\n\n", "{# c #}", " {{! c }} ", "{{- /* c */ -}}", "{% include x %}"}) {
    EXPECT_EQ(parts_of("{% if a %}One{% endif %}" + between + "{% if b %}two{% endif %}").front(), "One") << between;
    EXPECT_EQ(parts_of("{% if a %}One{% endif %}" + between + "{% if b %}two{% endif %}").back(), "two") << between;
  }
  EXPECT_EQ(parts_of("{{#if a}}One{{/if}} {{~#each b}}two{{/each}}"), (Texts{"One", "two"}));
  EXPECT_EQ(parts_of("{{ if .A }}One{{ end }} {{- with .B }}two{{ end }}"), (Texts{"One", "two"}));
  EXPECT_EQ(parts_of("{{$a}}One{{/a}}{{$b}}two{{/b}}"), (Texts{"One", "two"}));
  EXPECT_EQ(parts_of("{% tab %}One{% endtab %} {% tab %}two{% endtab %}{% if c %}three{% endif %}"),
            (Texts{"One", "two", "three"}));
  EXPECT_EQ(parts_of("{% block a %}{% if b %}One{% endif %}{% endblock %}{% if c %}two{% endif %}"),
            (Texts{"One", "two"}));
  EXPECT_EQ(parts_of("a {% if x %}One{% endif %} {% if y %}two{% endif %} b"), (Texts{"a ", "One", "two", " b"}));
}

TEST(Divided, PairsOfTemplatesWithWordsOrValuesBetweenArePartsOfASentence) {
  for (const std::string between : {", ", " and ", " {{ name }} ", "{n}"}) {
    EXPECT_EQ(parts_of("{% if a %}One{% endif %}" + between + "{% if b %}two{% endif %} c").size(), 1U) << between;
  }
}

TEST(Divided, StatementsOfTemplatesDivideAndValuesDoNot) {
  EXPECT_EQ(parts_of("{% load x %} One"), Texts{" One"});
  EXPECT_EQ(parts_of("One {% block a %}{% endblock %} Two"), (Texts{"One ", " Two"}));
  EXPECT_EQ(parts_of("One {% url x %} Two").size(), 1U);
  EXPECT_EQ(parts_of("One {{ name }} Two").size(), 1U);
  EXPECT_EQ(parts_of("One {{#x}}{{name}}{{/x}} Two").size(), 1U) << "all together is a value";
}

TEST(Divided, ATagBetweenTwoSentencesDividesThem) {
  EXPECT_EQ(parts_of("One.<br>Two.", true), (Texts{"One.", "Two."}));
  EXPECT_EQ(parts_of("One.<br><br>Two.", true), (Texts{"One.", "Two."}));
  EXPECT_EQ(parts_of("One!{br}Two.", true), (Texts{"One!", "Two."}));
  EXPECT_EQ(parts_of("<b>One.</b><i>Two.</i>", true), (Texts{"One.", "Two."}));
  EXPECT_EQ(parts_of("One.<i>Two.</i>", false).size(), 1U);
  EXPECT_EQ(parts_of("One,<i>Two.</i>", true).size(), 1U);
  EXPECT_EQ(parts_of("One.<i>two.</i>", true).size(), 1U);
  EXPECT_EQ(parts_of("a.<wbr>B", true).size(), 1U);
}

TEST(Divided, AMarkThatDividesDoes) {
  MarkedText text{"One two", {{3, Mark::Kind::kAlone, "<tab>"}}};
  EXPECT_EQ(divided(text, nullptr).size(), 1U);
  text.marks[0].divides = true;
  EXPECT_EQ(divided(text, nullptr).size(), 2U);
}

/// The texts of a sentence with an object in the place of each "*".
Texts parts_with(const std::string& text, const std::string& object, bool sentences = false) {
  static const SentenceSplitter splitter("en");
  MarkedText marked;
  for (const char c : text) {
    if (c == '*') marked.objects.push_back({marked.text.size(), object});
    c == '*' ? marked.text += markup::kObject : marked.text += c;
  }
  Texts parts;
  for (const ByteRange& part : divided(marked, sentences ? &splitter : nullptr)) {
    parts.push_back(marked.text.substr(part.begin, part.end - part.begin));
  }
  return parts;
}

TEST(Divided, ObjectsInFrontOfAWholeSentenceOrBehindItAreNoPartOfIt) {
  for (const std::string text : {"*: One is two.", "* * - One is two.", "*, One is two."}) {
    EXPECT_EQ(parts_with(text, "{x}").back(), "One is two.") << text;
  }
  EXPECT_EQ(parts_with("One is two. *", "{x}").front(), "One is two.");
  EXPECT_EQ(parts_with("* One is two.", "`x`").back(), "One is two.");
  EXPECT_EQ(parts_with("* One is two.", "{x}").size(), 1U) << "it may be a name or number";
  for (const std::string text :
       {"* one is two.", "* Terms of Use", "*One is two.", "One is *.", "One is two *", "*, * and One.", "*"}) {
    EXPECT_EQ(parts_with(text, "`x`").size(), 1U) << text;
  }
}

TEST(Divided, AnObjectBetweenTwoSentencesBelongsToNeither) {
  EXPECT_EQ(parts_with("They are tired. * They sleep", "[^1]", true).size(), 2U);
  EXPECT_EQ(parts_with("They are tired. * They sleep", "{x}", true).size(), 1U);
  EXPECT_EQ(parts_with("I met Mr. * Smith", "[^1]", true).size(), 1U);
  EXPECT_EQ(parts_with("They are tired. * they sleep", "[^1]", true).size(), 1U);
  EXPECT_EQ(parts_with("They are tired. * They sleep", "[^1]", false).size(), 1U);
}

TEST(Divided, AnAbbreviationOrANameWithADotIsNotDivided) {
  EXPECT_EQ(parts_of("Mr.<b>Smith</b>", true).size(), 1U);
  EXPECT_EQ(parts_of("Node.<b>JS</b> is here", true).size(), 1U);
  EXPECT_EQ(parts_of("config.{name}Settings", true).size(), 1U);
}

TEST(Divided, NamesOfBlocksInsideOfCodeAreNoBlocks) {
  for (const std::string code : {"`<li>`", "<code><p></code>", "<!-- <li> -->", "<span title=\"<p>\">"}) {
    EXPECT_EQ(parts_with("a * b", code).size(), 1U) << code;
  }
  EXPECT_EQ(parts_with("a * b", "<LI>").size(), 2U);
}

TEST(Divided, ValuesWithTheNamesOfBranchesAreValues) {
  for (const std::string value : {"{{when}}", "{{ empty }}", "{{ block }}", "{{ $a }}", "{% endpoint %}", "{{end}}",
                                  "<?php echo $a; ?>", "<%: a %>", "<%= a %>"}) {
    EXPECT_EQ(parts_with("a * b", value).size(), 1U) << value;
  }
  for (const std::string statement :
       {"{{else}}", "{{~else~}}", "{% end %}", "{% endif %}", "<?php if ($a): ?>", "<% a %>", "{{- if .A }}",
        "{{ end }}{{ if .A }}", "{{ $a := .B }}", "{{~#if a}}"}) {
    EXPECT_EQ(parts_with("a * b", statement).size(), 2U) << statement;
  }
  EXPECT_EQ(parts_of("{b}One{/b} {i}two{/i} three").size(), 1U) << "pairs of two names are no branches";
}

TEST(Divided, PairsAroundWordsOfASentenceDivideNothing) {
  EXPECT_EQ(parts_of("Read the {{#link}}terms{{/link}} {{#strong}}first{{/strong}} please.").size(), 1U);
  EXPECT_EQ(parts_of("{{#b}}Note{{/b}} {{#i}}this{{/i}} is important").size(), 1U);
  EXPECT_EQ(parts_of("{{#members}}For members{{/members}}{{#guests}}For guests{{/guests}}").size(), 2U);
  EXPECT_EQ(parts_of("Showing {{start}} to {{end}} of {{total}} entries").size(), 1U);
}

TEST(Divided, ManyMarksAndSpacesBehindAPairTakeALinearTime) {
  MarkedText text{"a", {{0, Mark::Kind::kOpen, "{{#a}}"}, {1, Mark::Kind::kClose, "{{/a}}"}}};
  text.text += std::string(2'000'000, ' ');
  for (size_t i = 0; i < 200'000; ++i) text.marks.push_back({i + 2, Mark::Kind::kAlone, "<wbr>"});
  EXPECT_EQ(divided(text, nullptr).size(), 1U);
}

}  // namespace
}  // namespace ventris::documents
