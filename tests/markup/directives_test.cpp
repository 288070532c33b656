#include "markup/directives.h"

#include <gtest/gtest.h>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

TEST(Directives, WithTextAreOpen) {
  EXPECT_EQ(with_open_directives("```{note}\n:class: tip\n\na *b*\n```\nc\n"),
            "*********\n***********\n\na *b*\n***\nc\n");
  EXPECT_EQ(with_open_directives("~~~~ {theorem, name=\"a\"}\nb\n~~~~~\n"), std::string(24, '*') + "\nb\n*****\n");
  EXPECT_EQ(with_open_directives("- ```{tip}\n  a\n  ```\n"), "- ********\n  a\n  ***\n");
}

TEST(Directives, ATitleIsAHeading) {
  EXPECT_EQ(with_open_directives("```{admonition} A *dog*\nb\n```\n"), "#               A *dog*\nb\n***\n");
  EXPECT_EQ(with_open_directives("```{figure} a.png\n---\nname: x\nwidth: 2\n---\nb\n```\n"),
            std::string(17, '*') + "\n***\n*******\n********\n***\nb\n***\n");
}

TEST(Directives, CodeInThemStays) {
  EXPECT_EQ(with_open_directives("````{note}\n```py\n:a: b\n```\n```{tip}\nc\n```\n````\n"),
            "**********\n```py\n:a: b\n```\n********\nc\n***\n****\n");
}

TEST(Directives, EndWithWhatIsAroundThem) {
  EXPECT_EQ(with_open_directives("```{note}\n```\n---\na\n"), "*********\n***\n---\na\n") << "no options follow";
  EXPECT_EQ(with_open_directives("> ```{note}\n> a\n\n```\nb\n```\n"), "> *********\n> a\n\n```\nb\n```\n");
  EXPECT_EQ(with_open_directives("- ```{note}\n  a\n\n  b\n\nc\n```\nd\n```\n"),
            "- *********\n  a\n\n  b\n\nc\n```\nd\n```\n");
}

TEST(Directives, ASolutionNamesItsExercise) {
  EXPECT_EQ(with_open_directives("```{solution} my-dog\na\n```\n"), "********************\na\n***\n");
}

TEST(Directives, OfCodeAndOtherLinesStay) {
  for (const std::string document :
       {"```{code-block} py\na\n```\n", "```{r}\na\n```\n", "```{python, echo=FALSE}\na\n```\n", "```{math}\na\n```\n",
        "```py\n```{note}\n```\n", "``{note}``\n", ":a: b\n", "```{.note}\na\n```\n",
        "```{toctree}\n:a: b\nc\n```\n"}) {
    EXPECT_EQ(with_open_directives(document), document);
  }
}

TEST(Directives, OfColonsHaveArgumentsAndCode) {
  const std::string figure = ":::{figure} images/setup.png\n:alt: x\nThe caption.\n:::\n";
  EXPECT_EQ(in_capitals(figure, Markup::kMarkdown), ":::{figure} images/setup.png\n:alt: x\nTHE CAPTION.\n:::\n");
  for (const std::string code :
       {":::{code-block} python\nprint(\"hello\")\n:::\n", ":::{include} intro.md\n:::\n",
        ":::{mermaid}\ngraph TD; Start-->Stop;\n:::\n", ":::{toctree}\nintro\nGuide <a/b>\n:::\n"}) {
    EXPECT_EQ(in_capitals(code, Markup::kMarkdown), code);
  }
  EXPECT_EQ(in_capitals(":::{note} the title\nsome text\n:::\n", Markup::kMarkdown),
            ":::{note} THE TITLE\nSOME TEXT\n:::\n");
}

}  // namespace
}  // namespace ventris::markup
