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

TEST(CodeInMessages, TagsAndCommentsOfHtmlAreWhole) {
  EXPECT_EQ(code("a <a href=\"x\"\n title='b > c'>d</a>"), Texts({"<a href=\"x\"\n title='b > c'>", "</a>"}));
  EXPECT_EQ(code("a <!-- b\n | c --> d"), Texts{"<!-- b\n | c -->"});
  EXPECT_EQ(code("a < b, <!-- c"), Texts());
}

TEST(CodeInMessages, ElementsOfCodeHaveTheirContent) {
  for (const char* text :
       {"<pre>a\nb</pre>", "<script>\nvar a = '<b>';\n</script>", "<style>\na { }\n</style>", "<code>a | b</code>",
        "<span translate=\"no\">\na</span>", "<p class=\"notranslate\">a</p >"}) {
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

}  // namespace
}  // namespace ventris::formats
