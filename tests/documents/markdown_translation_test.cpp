#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "documents/document_translator.h"
#include "support/document_run.h"

/// Whole documents of Markdown whose words become capitals, in the same order.
namespace ventris::documents {
namespace {

std::string capitals_of(const std::string& document, DocumentOptions options = {}) {
  options.markup = Markup::kMarkdown;
  options.split_sentences = true;
  const auto change = [](std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
  };
  return test::change_document(document, options, change, test::WordOrder::kSame).answer.translation.text();
}

TEST(MarkdownTranslation, EmphasisHasThePunctuationThatItHadInTheSource) {
  EXPECT_EQ(capitals_of("**Note:** a dog"), "**NOTE:** A DOG");
  EXPECT_EQ(capitals_of("**Note**: a dog"), "**NOTE**: A DOG");
  EXPECT_EQ(capitals_of("what it _does..._"), "WHAT IT _DOES..._");
  EXPECT_EQ(capitals_of("a _(short)_ dog"), "A _(SHORT)_ DOG");
  EXPECT_EQ(capitals_of("**--all**, **-a**"), "**--ALL**, **-A**");
  EXPECT_EQ(capitals_of("a *$shell* or **+x**"), "A *$SHELL* OR **+X**");
  EXPECT_EQ(capitals_of("the _\"big\"_ dog"), "THE _\"BIG\"_ DOG");
}

TEST(MarkdownTranslation, EmphasisBeginsAndEndsInsideWordsWithTheSamePunctuation) {
  EXPECT_EQ(capitals_of("*owner*:*group*"), "*OWNER*:*GROUP*");
  EXPECT_EQ(capitals_of("**open**(_file_, _mode_)"), "**OPEN**(_FILE_, _MODE_)");
}

TEST(MarkdownTranslation, EmphasisThatWouldBeTextEndsAtLetters) {
  const std::string text = capitals_of("the **dog.**barks");
  EXPECT_EQ(text.find("**dog.**"), std::string::npos) << text;
}

TEST(MarkdownTranslation, ObjectsStayInTheirBrackets) {
  EXPECT_EQ(capitals_of("a dog (`x`) runs"), "A DOG (`x`) RUNS");
  EXPECT_EQ(capitals_of("a \"`x`\" runs"), "A \"`x`\" RUNS");
}

TEST(MarkdownTranslation, BlocksOfHtmlAreTranslatedWithTheirOwnEscapes) {
  EXPECT_EQ(capitals_of("<details>\n<summary>a <b>dog</b> &amp; more</summary>\n\nthe *end*\n\n</details>\n"),
            "<details>\n<summary>A <b>DOG</b> &amp; MORE</summary>\n\nTHE *END*\n\n</details>\n");
  EXPECT_EQ(capitals_of("<p align=\"center\">\n  a_b dog # 1\n</p>\n"), "<p align=\"center\">\n  A_B DOG # 1\n</p>\n")
      << "signs of Markdown are text there";
  EXPECT_EQ(capitals_of("<div>\n<!-- note --><pre>ls</pre>\na dog\n</div>\n"),
            "<div>\n<!-- note --><pre>ls</pre>\nA DOG\n</div>\n");
}

TEST(MarkdownTranslation, AddressesAndNamesInBlocksOfHtmlStay) {
  EXPECT_EQ(capitals_of("<h1>:rocket: my project</h1>\n"), "<h1>:rocket: MY PROJECT</h1>\n");
  const std::string text = capitals_of("<p>by @tom at https://a.b/c now</p>\n");
  for (const char* part : {"<p>BY ", "@tom", "https://a.b/c", " NOW</p>\n"})
    EXPECT_THAT(text, testing::HasSubstr(part));
}

TEST(MarkdownTranslation, DescriptionsOfImagesAndTitlesAreTranslatedOnRequest) {
  const std::string document = "![a red dog](d \"two dogs\")\n\n![a red dog][]\n\n[it](u 'is so')\n\n[a red dog]: v\n";
  EXPECT_EQ(capitals_of(document),
            "![a red dog](d \"two dogs\")\n\n![a red dog][]\n\n[IT](u 'is so')\n\n[a red dog]: v\n");
  EXPECT_EQ(capitals_of(document, {.changes = {.attributes = true}}),
            "![A RED DOG](d \"TWO DOGS\")\n\n![A RED DOG][a red dog]\n\n[IT](u 'IS SO')\n\n[a red dog]: v\n");
}

TEST(MarkdownTranslation, ValuesOfChosenKeysOfFrontMatterAreTranslated) {
  const std::string document =
      "---\ntitle: a dog\nlayout: page\nabout: >\n  One dog.\n  Two {name}.\n---\n\nA dog.\n\n![red](a)\n";
  EXPECT_EQ(capitals_of(document), document.substr(0, document.find("A dog.")) + "A DOG.\n\n![red](a)\n");
  EXPECT_EQ(capitals_of(document, {.changes = {.attributes = true}, .format = {.keys = "title,about"}}),
            "---\ntitle: A DOG\nlayout: page\nabout: >\n  ONE DOG. TWO {name}.\n---\n\nA DOG.\n\n![RED](a)\n");
  const std::string code = "---\ntitle: {{ a }} dog\n{% if b %}\n---\n\nA DOG.\n";
  EXPECT_EQ(capitals_of(code, {.format = {.keys = "title"}}), code) << "it is no YAML";
}

TEST(MarkdownTranslation, AuthorsAndDateOfATitleBlockStay) {
  EXPECT_EQ(capitals_of("% My title\n% Tom Smith; Jane\n% May 1\n\nA dog.\n"),
            "% MY TITLE\n% Tom Smith; Jane\n% May 1\n\nA DOG.\n");
  EXPECT_EQ(capitals_of("% 1. of May\n\nA dog.\n"), "% 1. OF MAY\n\nA DOG.\n");
}

TEST(MarkdownTranslation, VariablesOfAShellDoNotMakeAFormula) {
  EXPECT_EQ(capitals_of("Use ${A\\_DIR}/b. If not set, it is /run/$ID and more"),
            "USE ${A_DIR}/B. IF NOT SET, IT IS /RUN/$ID AND MORE");
}

TEST(MarkdownTranslation, RaisedEndsOfWordsLoseTheirTagsAndIndicesKeepThem) {
  EXPECT_EQ(capitals_of("the 19<sup>th</sup> century"), "THE 19TH CENTURY");
  EXPECT_EQ(capitals_of("1<sup class=\"o\">st</sup> of May"), "1ST OF MAY");
  EXPECT_EQ(capitals_of("our brand<sup>TM</sup> sells"), "OUR BRAND<sup>TM</sup> SELLS");
  EXPECT_THAT(capitals_of("the x<sub>ij</sub> is small"), testing::HasSubstr(" x<sub>ij</sub> IS SMALL"));
  EXPECT_THAT(capitals_of("drink H~2~O now"), testing::HasSubstr(" H~2~O NOW"));
}

TEST(MarkdownTranslation, ElementsWithMarkdownAreTranslatedAsMarkdown) {
  EXPECT_EQ(capitals_of("<figure markdown>\n  <figcaption>a big *dog*</figcaption>\n</figure>\n"),
            "<figure markdown>\n  <figcaption>A BIG *DOG*</figcaption>\n</figure>\n");
  EXPECT_EQ(capitals_of("<div class=\"grid\" markdown>\nsome [text](u) in\nhere.\n</div>\n\nmore\n"),
            "<div class=\"grid\" markdown>\nSOME [TEXT](u) IN HERE.\n</div>\n\nMORE\n");
  EXPECT_EQ(capitals_of("<details markdown=\"1\"><summary>the title</summary>\nthe `code` runs\n- one\n</details>\n"),
            "<details markdown=\"1\"><summary>THE TITLE</summary>\nTHE  `code` RUNS\n- ONE\n</details>\n");
  EXPECT_EQ(capitals_of("<div markdown>\n<p>the *dog*\nruns</p>\nand so\n<p>on</p>\n</div>\n"),
            "<div markdown>\n<p>THE *DOG* RUNS</p>\nAND SO\n<p>ON</p>\n</div>\n");
}

TEST(MarkdownTranslation, ComponentsOfMdxKeepTheirCode) {
  EXPECT_EQ(capitals_of("<Button onClick={() => go(\"next page\")}>go on</Button>\n"),
            "<Button onClick={() => go(\"next page\")}>GO ON</Button>\n");
  EXPECT_EQ(capitals_of("<Tabs values={[{label: 'w'}]}>\n<TabItem value=\"w\">\nsome text\n</TabItem>\n</Tabs>\n"),
            "<Tabs values={[{label: 'w'}]}>\n<TabItem value=\"w\">\nSOME TEXT\n</TabItem>\n</Tabs>\n");
  EXPECT_EQ(capitals_of("<Card>\nthe {name} runs\n</Card>\n"), "<Card>\nTHE  {name} RUNS\n</Card>\n");
  EXPECT_EQ(capitals_of("<Steps>\n1. first step\n2. the **next**\n</Steps>\n"),
            "<Steps>\n1. FIRST STEP\n2. THE **NEXT**\n</Steps>\n");
}

/// A text without the spaces of words that were removed.
std::string spaced_once(std::string text) {
  for (size_t at = text.find("  "); at != std::string::npos; at = text.find("  ")) text.erase(at, 1);
  return text;
}

TEST(MarkdownTranslation, AnEscapedDashAtTheBeginningStaysEscaped) {
  for (const std::string sign : {"\\-", "\\+", "\\*"}) {
    EXPECT_EQ(capitals_of("a dog\n\n" + sign + " one\n\n# head\n\n1. two\n"),
              "A DOG\n\n" + sign + " ONE\n\n# HEAD\n\n1. TWO\n");
    EXPECT_EQ(capitals_of("> a dog  \n> " + sign + " one\n"), "> A DOG  \n> " + sign + " ONE\n");
    EXPECT_EQ(capitals_of("- " + sign + " one\n- two\n"), "- " + sign + " ONE\n- TWO\n");
  }
  EXPECT_EQ(capitals_of("&#45; one\n"), "\\- ONE\n");
  EXPECT_EQ(capitals_of("# - one\n"), "# - ONE\n");
}

TEST(MarkdownTranslation, ACarriageReturnAloneEndsALine) {
  EXPECT_EQ(capitals_of("a dog\ris here.\r\r# a cat\r"), "A DOG IS HERE.\r\r# A CAT\r");
  EXPECT_EQ(capitals_of("a dog\r\nis here\r\r\n\r\na cat\r\n"), "A DOG IS HERE\r\r\n\r\nA CAT\r\n");
}

TEST(MarkdownTranslation, LinesOfOtherProgramsStayOnTheirLines) {
  EXPECT_EQ(capitals_of("/// note | the dog\n\nmore\n\n///\n\n{* ../a.py hl[2] *}\n"),
            "/// note | THE DOG\n\nMORE\n\n///\n\n{* ../a.py hl[2] *}\n");
  EXPECT_EQ(
      capitals_of("[!INCLUDE [note](../a.md)]\n\n> [!div class=\"next\"]\n> [the dog](a.md)\n\n> [!NOTE]\n> a cat\n"),
      "[!INCLUDE [note](../a.md)]\n\n> [!div class=\"next\"]\n> [THE DOG](a.md)\n\n> [!NOTE]\n> A CAT\n");
  EXPECT_EQ(capitals_of("::alert{type=\"info\"}\nthe dog\n::\n\n.left[\na *cat*\n]\n"),
            "::alert{type=\"info\"}\nTHE DOG\n::\n\n.left[\nA *CAT*\n]\n");
  EXPECT_EQ(capitals_of(":::{card} the dog\nhead\n^^^\nbody\n+++\nfoot\n:::\n"),
            ":::{card} THE DOG\nHEAD\n^^^\nBODY\n+++\nFOOT\n:::\n");
  EXPECT_EQ(capitals_of("[quote=\"a, post:1\"]\nthe dog\n[/quote]\n"), "[quote=\"a, post:1\"]\nTHE DOG\n[/quote]\n");
}

TEST(MarkdownTranslation, CodeInTheTitleOfABoxOrTabIsAPartOfIt) {
  for (const std::string line :
       {":::note[use `foo` here]", "::: {.tip title=\"use `x` now\"}", "{% tab title=\"use `npm`\" %}",
        "{{< tab \"use `x` tab\" >}}", ":::{card} {octicon}`plug` plug"}) {
    EXPECT_EQ(capitals_of(line + "\nthe dog\n"), line + "\nTHE DOG\n");
  }
  EXPECT_EQ(spaced_once(capitals_of(":::{admonition} use `foo` here\nthe dog\n:::\n")),
            ":::{admonition} USE `foo` HERE\nTHE DOG\n:::\n");
}

TEST(MarkdownTranslation, FormulasMayHaveLabelsAndSpaces) {
  for (const std::string formula :
       {"$$\nx = y\n$$ {#eq-x}", "$$\nE = mc^2\n$$ (eq-energy)", "$$ a = b $$ (eq-b)", "\\[ A \\]"}) {
    EXPECT_EQ(capitals_of(formula + "\n\nthe dog\n"), formula + "\n\nTHE DOG\n");
  }
  EXPECT_EQ(spaced_once(capitals_of("where \\( a \\) and \\( f(x) \\) is\n")), "WHERE \\( a \\) AND \\( f(x) \\) IS\n");
  EXPECT_EQ(capitals_of("the dog \\( see there \\)\n"), "THE DOG ( SEE THERE )\n");
}

TEST(MarkdownTranslation, LinksToNamesOfCodeAndToFilesWithSpacesKeepTheirTargets) {
  EXPECT_EQ(spaced_once(capitals_of("see [the dog][a.B] and [`get`][a.b.C] and [it][`v::p`]\n")),
            "SEE [THE DOG][a.B] AND [`get`][a.b.C] AND [IT][`v::p`]\n");
  EXPECT_EQ(spaced_once(capitals_of("see ![](/a.png =500x300) and [it](My Docs/a b.md)\n")),
            "SEE ![](/a.png =500x300) AND [IT](My Docs/a b.md)\n");
  EXPECT_EQ(spaced_once(capitals_of("see ![it](a screen shot.png) now\n")), "SEE ![it](a screen shot.png) NOW\n");
  EXPECT_EQ(spaced_once(capitals_of("table: (\\#tab:cars) the (ref:cap-a) dog\n")),
            "TABLE: (\\#tab:cars) THE (ref:cap-a) DOG\n");
}

TEST(MarkdownTranslation, ListsWithLettersAndTablesWithoutBarsAreSeen) {
  EXPECT_EQ(capitals_of("1. one\n    a. two\n    b. three\n2. four\n"), "1. ONE\n    a. TWO\n    b. THREE\n2. FOUR\n");
  EXPECT_EQ(capitals_of("a. one dog\n    i. six\n    ii. ten\nb. two\n"),
            "a. ONE DOG\n    i. SIX\n    ii. TEN\nb. TWO\n");
  EXPECT_EQ(capitals_of("a dog\na. m. is early\n"), "A DOG A. M. IS EARLY\n") << "no list";
  EXPECT_EQ(capitals_of("term\n  ~ the dog\n"), "TERM\n  ~ THE DOG\n");
  for (const std::string table :
       {"  Right   Left\n-------  -----\n     12  dog\n", "----  ----\na b   c d\n----  ----\n"}) {
    EXPECT_EQ(capitals_of(table + "\nthe dog\n"), table + "\nTHE DOG\n");
  }
  EXPECT_EQ(capitals_of("the dog\n--- ---\n"), "THE DOG\n--- ---\n") << "a rule behind a text";
  EXPECT_EQ(capitals_of("::: mermaid\na[b c] --> d\n:::\n\nthe dog\n"), "::: mermaid\na[b c] --> d\n:::\n\nTHE DOG\n");
}

TEST(MarkdownTranslation, TablesWithoutBarsHaveSpacesBetweenTheirColumns) {
  for (const std::string text : {"some words\n--- ---\nmore\n", "the dog\n---  ---\n"}) {
    EXPECT_NE(capitals_of(text).find(text.substr(0, 1) == "s" ? "SOME WORDS" : "THE DOG"), std::string::npos) << text;
  }
}

TEST(MarkdownTranslation, WordsInBracketsAndPathsOfOrdinaryTextAreTranslated) {
  for (const std::string text : {"as in [a](see the file a.json) now", "the value a[i][j_1] is big", "[one][two:three]",
                                 "x[0][1.5]", "[!important do not touch it]", "!vous"}) {
    const std::string found = capitals_of(text + "\n");
    EXPECT_EQ(std::ranges::count_if(found, [](char c) { return c >= 'a' && c <= 'z'; }), 0) << found;
  }
  EXPECT_EQ(spaced_once(capitals_of("it is $$x = y$$ (Pythagoras)\n")), "IT IS $$x = y$$ (PYTHAGORAS)\n");
}

TEST(MarkdownTranslation, ComponentsMayHaveLinesAloneInside) {
  EXPECT_EQ(capitals_of(".left[\n::video[x]{#a}\n\nthe dog\n]\nmore\n"),
            ".left[\n::video[x]{#a}\n\nTHE DOG\n]\nMORE\n");
  EXPECT_EQ(capitals_of(":::: mermaid\na b\n::::\nthe dog\n"), ":::: mermaid\na b\n::::\nTHE DOG\n");
}

TEST(MarkdownTranslation, TextInComponentsMayBeIndentedByTabs) {
  EXPECT_EQ(capitals_of("<Grid>\n\t<Card a=\"b\">\n\t\tthe dog\n\t</Card>\n</Grid>\n"),
            "<Grid>\n\t<Card a=\"b\">\n\t\tTHE DOG\n\t</Card>\n</Grid>\n");
  EXPECT_EQ(capitals_of("<Grid>\n    <Card>\n        the dog\n    </Card>\n</Grid>\n"),
            "<Grid>\n    <Card>\n        THE DOG\n    </Card>\n</Grid>\n");
}

TEST(MarkdownTranslation, TagsOfVueAreTags) {
  for (const std::string tag :
       {"<button @click=\"go\">", "<a :href=\"b\">", "<template #footer>", "<template v-if=\"a\">"}) {
    const std::string end = tag.starts_with("<b") ? "</button>" : tag.starts_with("<a") ? "</a>" : "</template>";
    EXPECT_EQ(capitals_of("see " + tag + "the dog" + end + "\n"), "SEE " + tag + "THE DOG" + end + "\n");
  }
  EXPECT_EQ(capitals_of("<template #a>\n\n- a *dog*\n\n</template>\n"), "<template #a>\n\n- A *DOG*\n\n</template>\n");
}

TEST(MarkdownTranslation, SpansAndTexOfPandocStay) {
  EXPECT_EQ(capitals_of("some [small *words*]{.underline} here, []{#a} so\n"),
            "SOME [SMALL *WORDS*]{.underline} HERE,  []{#a} SO\n");
  EXPECT_EQ(capitals_of("\\newpage\n\n\\begin{table}\n\\caption{a b}\n\nc\n\\end{table}\n\nthe end \\ref{t:a}.\n"),
            "\\newpage\n\n\\begin{table}\n\\caption{a b}\n\nc\n\\end{table}\n\nTHE END \\ref{t:a}.\n");
  EXPECT_EQ(capitals_of("#. one\n#. two\n"), "#. ONE\n#. TWO\n");
}

TEST(MarkdownTranslation, LinesWithPipesKeepTheirPlaces) {
  EXPECT_EQ(capitals_of("| the dog *runs*\n|   in the house\n  and on\n| to me\n"),
            "| THE DOG *RUNS*\n|   IN THE HOUSE AND ON\n| TO ME\n");
  EXPECT_EQ(capitals_of("|---|---|\n| one dog | *two* |\n| three | four |\n"),
            "|---|---|\n| ONE DOG | *TWO* |\n| THREE | FOUR |\n");
  EXPECT_EQ(capitals_of("+-----+------+\n| one | - a  |\n| dog | - cat |\n+-----+------+\n").find("ONE"),
            std::string::npos);
  EXPECT_EQ(capitals_of("+-----+------+\n| one | - a  |\n| dog | - b  |\n+-----+------+\n"),
            "+---------+------+\n| ONE DOG | - A  |\n|         | - B  |\n+---------+------+\n");
}

TEST(MarkdownTranslation, TextInDirectivesOfMystIsTranslated) {
  EXPECT_EQ(capitals_of("```{note} the title\n:class: tip\n\nsome *text*.\n```\n"),
            "```{note} THE TITLE\n:class: tip\n\nSOME *TEXT*.\n```\n");
  EXPECT_EQ(capitals_of("```{code-block} py\nthe code\n```\n"), "```{code-block} py\nthe code\n```\n");
}

TEST(MarkdownTranslation, ChangesOfCriticMarkupAreTranslated) {
  EXPECT_EQ(capitals_of("a {++new++} dog, {~~one thing~>two things~~} and {==this==}{>>a note<<} end"),
            "A {++NEW++} DOG, {~~ONE THING~>TWO THINGS~~} AND {==THIS==}{>>a note<<} END");
  EXPECT_EQ(capitals_of("a {--big--}{++small++} dog"), "A {--BIG--} {++SMALL++} DOG");
}

TEST(MarkdownTranslation, NamesOfBlocksAndMarksOfTasksStay) {
  EXPECT_EQ(capitals_of("a dog runs. ^my-block\n\n- [/] half\n- [x] done\n"),
            "A DOG RUNS. ^my-block\n\n- [/] HALF\n- [x] DONE\n");
}

TEST(MarkdownTranslation, NoSpaceIsAddedInBracketsBesideALinkWithCode) {
  EXPECT_EQ(capitals_of("see ([`foo` tool](y)) and (the [`x`](y)) end"),
            "SEE ([`foo` TOOL](y)) AND (THE [`x`](y)) END");
}

TEST(MarkdownTranslation, AddressesWithValuesOfTemplatesStay) {
  for (const std::string address :
       {"https://{{ domain }}/login", "<https://{{ domain }}/login>", "{{ user }}@example.com",
        "https://example.com/{{ my_var }}/my_page?a=1&b={{ x }}#top", "{{ site.baseurl }}/docs/a_b/"}) {
    const std::string changed = capitals_of("see " + address + " now.\n");
    EXPECT_NE(changed.find(" " + address + " NOW"), std::string::npos) << changed;
  }
}

}  // namespace
}  // namespace ventris::documents
