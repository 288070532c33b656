#include "formats/code_in_messages.h"

#include <gtest/gtest.h>

namespace ventris::formats {
namespace {

using Texts = std::vector<std::string>;

Texts code(const std::string& message) {
  Texts found;
  for (const ByteRange& range : code_in(message)) found.push_back(message.substr(range.begin, range.end - range.begin));
  return found;
}

TEST(CodeInMessages, MessagesOfIcuAndCodeInBracesAreWhole) {
  const std::string icu = "{n, plural,\n  one {# day}\n  other {# days}\n}";
  EXPECT_EQ(code("Since " + icu + "."), Texts{icu});
  for (const char* text : {"{ $n ->\n [one] day\n *[other] days\n}", "{{\n name | f }}", "{%\n if a %}", "{# a\n b #}",
                           "{\n name\n}", "{kind, select,\n a {x} other {y}}"}) {
    EXPECT_EQ(code(text), Texts{text});
  }
  EXPECT_EQ(code("{a set\nof words} {, b} {"), Texts());
}

TEST(CodeInMessages, ReferencesOfSlackAreWhole) {
  for (const char* text :
       {"<#C12|general>", "<@U1|jane>", "<!subteam^S1|team name>", "<!date^1392734382^{date}|Feb 18>"})
    EXPECT_EQ(code("Ask " + std::string(text) + " now | later"), Texts{text});
  EXPECT_EQ(code("a <# b | c> <@ d | e> <#if f>"), Texts());
}

TEST(CodeInMessages, FormulasOfTexAreWhole) {
  EXPECT_EQ(code("so\n$$\na | {b}\n$$ and \\[\n\\frac{a}{b}\n\\], {c}"),
            Texts({"$$\na | {b}\n$$", "\\[\n\\frac{a}{b}\n\\]", "{c}"}));
}

TEST(CodeInMessages, TagsAndCommentsOfHtmlAreWhole) {
  EXPECT_EQ(code("a <a href=\"x\"\n title='b > c'>d</a>"), Texts({"<a href=\"x\"\n title='b > c'>", "</a>"}));
  EXPECT_EQ(code("a <!-- b\n | c --> d"), Texts{"<!-- b\n | c -->"});
  EXPECT_EQ(code("a < b, <!-- c"), Texts());
}

TEST(CodeInMessages, ElementsOfCodeHaveTheirContent) {
  for (const char* text :
       {"<pre>a\nb</pre>", "<script>\nvar a = '<b>';\n</script>", "<style>\na { }\n</style>", "<code>a | b</code>",
        "<span translate=\"no\">\na</span>", "<literal>a_b | c</literal>", "<p class=\"notranslate\">a</p >"}) {
    EXPECT_EQ(code(text), Texts{text});
  }
  EXPECT_EQ(code("<code translate=\"yes\">a</code>"), Texts({"<code translate=\"yes\">", "</code>"}));
  EXPECT_EQ(code("<pre>a"), Texts{"<pre>"});
}

TEST(CodeInMessages, CodeOfTemplatesAndOfMarkdownIsWhole) {
  for (const char* text : {"<%\n a | b %>", "<?php\n a ?>", "{% comment %}\na\n{% endcomment %}", "`a | b`",
                           "```sh\na | b\n```", "````\n```\n````"}) {
    EXPECT_EQ(code(text), Texts{text});
  }
  EXPECT_EQ(code("a ` b\n` c"), Texts());
}

TEST(CodeInMessages, CodeOverLinesIsFoundInItsPart) {
  const std::string message = "`a` <b\n> <c\n>";
  const auto found = code_over_lines(message, code_in(message), {4, 8});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].begin, 0U);
  EXPECT_EQ(found[0].end, 4U);
}

TEST(CodeInMessages, EndsThatAreMissingAreNotLookedForAgainAndAgain) {
  std::string same, others;
  for (int i = 0; i < 40'000; ++i) {
    same += "<pre>";
    others += "<a" + std::to_string(i) + " translate=\"no\">";
  }
  EXPECT_EQ(code_in(same + "</pre").size(), 40'000U);
  EXPECT_EQ(code_in(others).size(), 40'000U);
  EXPECT_TRUE(code_in(std::string(400'000, '<')).empty());
}

}  // namespace
}  // namespace ventris::formats
