#include "markup/tex_formulas.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::markup {
namespace {

using Formulas = std::vector<std::string>;

Formulas formulas_in(const std::string& text, TexSigns signs = {}) {
  Formulas found;
  for (const text::ByteRange& range : tex_formulas(text, signs)) {
    found.push_back(text.substr(range.begin, range.end - range.begin));
  }
  return found;
}
constexpr TexSigns kOfHtml{.brackets = true}, kWithDollars{.dollars = true, .brackets = true};

TEST(TexFormulas, BracketsAndDoubledDollarsAreAroundFormulas) {
  EXPECT_EQ(formulas_in("Let \\(\\alpha + \\beta\\) be \\[ a \\neq b \\times \\frac{1}{2} \\] or $$\\sum_i a_i$$."),
            (Formulas{"\\(\\alpha + \\beta\\)", "\\[ a \\neq b \\times \\frac{1}{2} \\]", "$$\\sum_i a_i$$"}));
  EXPECT_EQ(formulas_in("\\(f(x)\\), \\(x\\), $$x > 0$$, $$a^2$$, \\\\(a_b\\\\)"),
            (Formulas{"\\(f(x)\\)", "\\(x\\)", "$$x > 0$$", "$$a^2$$", "\\\\(a_b\\\\)"}));
  EXPECT_EQ(formulas_in("\\begin{align*}\na &= b \\\\\n\\end{align*} \\begin{center}a\\end{center}"),
            Formulas{"\\begin{align*}\na &= b \\\\\n\\end{align*}"});
  EXPECT_EQ(formulas_in("\\[\\text{if } x\n> 0\\]"), Formulas{"\\[\\text{if } x\n> 0\\]"});
}

TEST(TexFormulas, WordsInBracketsAreFormulasOnlyInHtml) {
  EXPECT_EQ(formulas_in("\\[a note\\] file\\(s\\) \\(see above\\)"), Formulas{});
  EXPECT_EQ(formulas_in("\\(abc\\)", kOfHtml), Formulas{"\\(abc\\)"});
}

TEST(TexFormulas, ADollarBeginsWhatIsCertainlyTex) {
  EXPECT_EQ(formulas_in("Let $a_i \\in A$, $x^2$ and $k_{max}$ be ($\\pi$)."),
            (Formulas{"$a_i \\in A$", "$x^2$", "$k_{max}$", "$\\pi$"}));
  EXPECT_EQ(formulas_in("the $i$-th of $n = 5$, or $x$"), Formulas{});
  EXPECT_EQ(formulas_in("the $i$-th is $x_i$ for $5 and $6"), (Formulas{"$i$", "$x_i$"})) << "one is certain";
  EXPECT_EQ(formulas_in("the $i$-th of $n = 5$, the $n$th", kWithDollars), (Formulas{"$i$", "$n = 5$", "$n$"}));
}

TEST(TexFormulas, PricesAndNamesAreNone) {
  for (const std::string text : {"$5 and $6",
                                 "from $5 to 6$ or so",
                                 "$5/$6",
                                 "US$5 and US$6",
                                 "$5-$10",
                                 "$HOME/bin:$PATH",
                                 "${A_DIR} and $B",
                                 "$user_name$",
                                 "a $x_1 and the next is $y",
                                 "\\$a_b\\$",
                                 "$$ or $$$",
                                 "cheap $$, not $$$ or $$$$",
                                 "$",
                                 "$$",
                                 "$ a_b $",
                                 "A$5\\nB$6",
                                 "$5\\nSmall,$6",
                                 "(\"$a_b\", \"$c\")",
                                 "It costs $5 (five dollars), not 6$.",
                                 "$5, $6, $7",
                                 "Price: $5\\nTotal: $6",
                                 "$a_b\n\nc$",
                                 "\\(",
                                 "\\( \\)"}) {
    EXPECT_EQ(formulas_in(text, kWithDollars), Formulas{}) << text;
    EXPECT_EQ(formulas_in(text), Formulas{}) << text;
  }
}

TEST(TexFormulas, IndicesPowersAndCommandsMayTouchAWord) {
  EXPECT_EQ(formulas_in("20$^\\circ$C, CO$_2$, 5$\\mu$m, $x$/$y$, $x \u2208 A$", kWithDollars),
            (Formulas{"$^\\circ$", "$_2$", "$\\mu$", "$x$", "$y$", "$x \u2208 A$"}));
}

TEST(TexFormulas, APageLoadsMathJaxOrKatex) {
  EXPECT_TRUE(loads_tex("<script src=\"https://cdn.jsdelivr.net/npm/mathjax@3/es5/tex-mml-chtml.js\"></script>"));
  EXPECT_FALSE(loads_tex("<p>MathJax</p>"));
}

TEST(TexFormulas, ManySignsTakeLinearTime) {
  for (const char* sign : {"\\(a", "\\[", "$a", "$$a ", "\\begin{align}", "\\\\(", "a\\)"}) {
    std::string text;
    for (int i = 0; i < 300000; ++i) text += sign;
    EXPECT_LT(tex_formulas(text, kWithDollars).size(), text.size()) << sign;
  }
}

}  // namespace
}  // namespace ventris::markup
