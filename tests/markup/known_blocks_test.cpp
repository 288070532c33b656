#include "markup/known_blocks.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(KnownBlocks, NamesThatTheParserDoesNotKnowBecomeOthersOfTheSameLength) {
  EXPECT_EQ(with_known_blocks("<h2>a</h2>\n> - <Header x>\n</thead>\n<link\n"),
            "<h1>a</h2>\n> - <footer x>\n</tbody>\n<base\n");
  for (const std::string document :
       {"a <h2>b</h2>\n", "<h1>a</h1>\n", "<h22>\n", "<linked>\n", "<h2a>\n", "<b>\n", "<\n", ""}) {
    EXPECT_EQ(with_known_blocks(document), document);
  }
}

TEST(KnownBlocks, LinesOfTemplatesAroundCodeBecomeFences) {
  EXPECT_EQ(with_known_blocks("a\n{% highlight c %}\n<h2>\n~~~\n{% endhighlight %}\n<h2>\n"),
            "a\n~~~~~~~~~~~~~~~~~\n<h2>\n~~~\n~~~~~~~~~~~~~~~~~~\n<h1>\n");
  EXPECT_EQ(with_known_blocks("> {{< highlight c >}}\n> a\n> {{< /highlight >}}"),
            "> ~~~~~~~~~~~~~~~~~~x\n> a\n> ~~~~~~~~~~~~~~~~~~");
  EXPECT_EQ(with_known_blocks("{{< highlight c >}}\na\n{{< / highlight >}}").find("highlight"), std::string::npos);
  EXPECT_EQ(with_known_blocks("{{< code-toggle file=a >}}\nb = 1\n{{< /code-toggle >}}").find("code"),
            std::string::npos);
  for (const std::string document :
       {"{% highlight c %}\na\n", "{% if a %}\nb\n{% endif %}\n", "x {% highlight c %}\na\n{% endhighlight %}\n",
        "{% highlight c %} {% x %}\na\n{% endhighlight %}\n"}) {
    EXPECT_EQ(with_known_blocks(document), document);
  }
}

TEST(KnownBlocks, LinesAroundEnvironmentsOfTexAndGridTablesBecomeFences) {
  EXPECT_EQ(with_known_blocks("\\begin{table}[ht]\na\n\nb\n\\end{table}\n"),
            "~~~~~~~~~~~xxxxxx\na\n\nb\n~~~~~~~~~~~\n");
  EXPECT_EQ(with_known_blocks("+---+\n| a |\n+---+\nb\n"), "~~~~~\n| a |\n~~~~~\nb\n");
  for (const std::string document : {"\\begin{align}\na\n\\end{align}\n", "\\begin{a}\nb\n", "\\begin{a}b\\end{a}\n",
                                     "+---+\na\n", "| a |\n+---+\n"}) {
    EXPECT_EQ(with_known_blocks(document), document);
  }
}

TEST(KnownBlocks, TablesWithoutBarsBecomeFences) {
  EXPECT_EQ(with_known_blocks("a     b\n----  -----\n1     2\n\nc\n"), "~~~~~~~\n----  -----\n~~~~~~~\n\nc\n");
  EXPECT_EQ(with_known_blocks("----  ----\na     b\n----  ----\n"), "~~~~~~~~~~\na     b\n~~~~~~~~~~\n");
  for (const std::string document : {"name  b\n----  -----\nab\n", "a dog  b\n---  ---\nc\n", "---  ---\na    b\n",
                                     "a    b\n---  ---\n\n", "a\n---\nb\n", "a b\n-- --\nc d\n"}) {
    EXPECT_EQ(with_known_blocks(document), document);
  }
}

TEST(KnownBlocks, LinesThatEndComponentsBecomeHeadings) {
  EXPECT_EQ(with_known_blocks("::a\nb\n::\n.c[\nd\n]\n"), "::a\nb\n##\n.c[\nd\n#\n");
  for (const std::string document : {"::\n]\n", "::a[b]\n::\n", ".a[\n::\n"}) {
    EXPECT_EQ(with_known_blocks(document), document);
  }
}

TEST(KnownBlocks, NumbersOfPandocBecomeThoseOfItems) {
  EXPECT_EQ(with_known_blocks("#. a\n   #. b\n#.c\n"), "1. a\n   1. b\n#.c\n");
}

TEST(KnownBlocks, LinesThatTheParserWouldNotTakeForFencesStay) {
  for (const std::string document : {"~~~ liquid\n{% highlight ruby %}\nputs 1\n{% endhighlight %}\n~~~\n\nText.\n",
                                     "{% highlight c %}\nx\n    {% endhighlight %}\n\nText.\n",
                                     "- {% highlight c %}\nint a;\n{% endhighlight %}\n\nText.\n",
                                     "    {% highlight c %}\nx\n{% endhighlight %}\n\nText.\n",
                                     "{{< comment-box >}}\nPlease translate me.\n{{< /comment-box >}}\n"}) {
    EXPECT_EQ(with_known_blocks(document), document);
  }
  EXPECT_EQ(with_known_blocks("- {% highlight c %}\n  a\n  {% endhighlight %}\n"),
            "- ~~~~~~~~~~~~~~~~~\n  a\n  ~~~~~~~~~~~~~~~~~~\n");
}

TEST(KnownBlocks, LinesThatBeginABoxBecomeItemsWithCode) {
  EXPECT_EQ(with_known_blocks("!!! note \"T\"\n    a\n\n    - b\n"), "+   `xxxxxx`\n    a\n\n    - b\n");
  EXPECT_EQ(with_known_blocks("> 1. ???+ tip\r\n"), "> 1. +   `xx`\r\n");
  EXPECT_EQ(with_known_blocks("=== \"Tab\"\n===! \"Tab\"\n"), "+   `xxx`\n+   `xxxx`\n");
  for (const std::string document :
       {"!!! Stop that\n", "===\n", "!!!\n", "=== a\n", "!!!note\n", "a !!! note\n", "```\n!!! note\n```\n"}) {
    EXPECT_EQ(with_known_blocks(document), document);
  }
  for (const std::string line : {"!!! note inline end", "??? tip", "!!! note", "=== \"Tab\""}) {
    EXPECT_TRUE(begins_box(line)) << line;
  }
}

TEST(KnownBlocks, DefinitionsBecomeItems) {
  EXPECT_EQ(with_known_blocks("Term\n:   a\n    b\n\n    c\n: d\n"), "Term\n+   a\n    b\n\n    c\n+ d\n");
  for (const std::string document : {":a\n", ":\n", ": \n", ":    code\n", "a : b\n", ": \r\n"}) {
    EXPECT_EQ(with_known_blocks(document), document);
  }
}

TEST(KnownBlocks, ManyThatNothingEndsTakeATimeThatGrowsWithTheDocument) {
  std::string document;
  for (int i = 0; i < 20000; ++i) document += "{% comment %}\n";
  EXPECT_EQ(with_known_blocks(document), document);
}

TEST(BeginsHtmlBlock, KnowsElementsCommentsAndDeclarations) {
  for (const char* line : {"<pre>", "<SCRIPT src=a>", "<!-- a", "<?php", "<!DOCTYPE html>", "<![CDATA[", "<div", "</p>",
                           "<h6>a", "<hr/>", "<table class=a>"}) {
    EXPECT_TRUE(begins_html_block(line)) << line;
  }
  for (const char* line : {"<b>", "<a href=b>", "<prefix>", "< div>", "a", "", "<", "<!", "<!1"}) {
    EXPECT_FALSE(begins_html_block(line)) << line;
  }
}

}  // namespace
}  // namespace ventris::markup
