#include "markup/formulas.h"

#include <gtest/gtest.h>

#include "markup/extension_texts.h"

namespace ventris::markup {
namespace {

TEST(Formulas, FormulasBeginAndEndAtTheirSigns) {
  EXPECT_EQ(extensions("a $a_b$, ($x$) *$2^n$* and $n$th"), (Texts{"$a_b$", "$x$", "$2^n$", "$n$"}));
  EXPECT_EQ(extensions("a $$a_b$$ b"), (Texts{"$$a_b$$"}));
  EXPECT_EQ(extensions("the $x_i$th of ${ab}_c$ or ${n \\choose k}$"),
            (Texts{"$x_i$", "${ab}_c$", "${n \\choose k}$"}));
  EXPECT_EQ(extensions("\u4F60$a$\u597D"), (Texts{"$a$"})) << "Chinese has no spaces";
  EXPECT_EQ(extensions("> a $a +\n> b_c$ \\(d^2\ne\\)"), (Texts{"$a +\n> b_c$", "\\(d^2\ne\\)"}))
      << "in a wrapped text";
  EXPECT_EQ(extensions("a \\(a_b\\) b \\[c^2\\] d \\(x\\)"), (Texts{"\\(a_b\\)", "\\[c^2\\]", "\\(x\\)"}));
  EXPECT_EQ(extensions("a \\\\(a_b\\\\) b \\\\[c^2\\\\]"), (Texts{"\\\\(a_b\\\\)", "\\\\[c^2\\\\]"}));
  EXPECT_EQ(extensions("a:\n$$\na\n- b\n$$\nc"), (Texts{"$$\na\n- b\n$$"}));
  EXPECT_EQ(extensions("a:\n$$\nE = mc\n$$,\nwhere b"), (Texts{"$$\nE = mc\n$$"}));
  EXPECT_EQ(extensions("$$\nE = mc\n$$ (einstein)\n"), (Texts{"$$\nE = mc\n$$ (einstein)"}));
  EXPECT_EQ(extensions("> \\[\n> a^2\n> \\]\n"), (Texts{"\\[\n> a^2\n> \\]"}));
  EXPECT_EQ(extensions("\\begin{align*}\na\n\\end{align*}\n\nb"), (Texts{"\\begin{align*}\na\n\\end{align*}"}));
}

TEST(Formulas, IndicesPowersAndCommandsMayTouchAWord) {
  EXPECT_EQ(extensions("20$^\\circ$C, CO$_2$, a 5$\\mu$m filter, 95$\\%$, 3$\\times$4 and 2$x$ or 20\\(^\\circ\\)C"),
            (Texts{"$^\\circ$", "$_2$", "$\\mu$", "$\\%$", "$\\times$", "$x$", "\\(^\\circ\\)"}));
  EXPECT_EQ(extensions("so $x$/$y$ is"), (Texts{"$x$", "$y$"}));
  EXPECT_EQ(extensions("let $x \u2208 A$ in $ABC$ take $O(n log n)$"),
            (Texts{"$x \u2208 A$", "$ABC$", "$O(n log n)$"}));
}

TEST(Formulas, PricesVariablesAndEscapedSignsAreNoFormulas) {
  for (const std::string text : {"$5 and $6",
                                 "from $5 to 6$ or so",
                                 "$5/$6",
                                 "US$5 and US$6",
                                 "$HOME/bin:$PATH",
                                 "$HOME$PATH",
                                 "${A\\_DIR}/b. If it is not set, the value is $A",
                                 "${A_DIR} and $B",
                                 "a $x_1 and the next is $y",
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

TEST(Formulas, TargetsOfDefinitionsAndAddressesHaveNoFormulas) {
  for (const std::string text : {"[m]: https://e.org/V8_\\(Java_engine\\)\n[b]: https://e.org/UTF-8",
                                 "[m]: https://e.org/a\\\\(c_d\\\\)", "see https://e.org/V8_\\(Java_engine\\)"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
  EXPECT_EQ(extensions("[^1]: \\(a_b\\)"), Texts{"\\(a_b\\)"}) << "a footnote is text";
}

TEST(Formulas, TheSecondLineMayBeginWithASignThatBeginsNoBlock) {
  for (const std::string formula : {"$a_b\n= c$", "$a_b\n+c$", "$a_b\n-2c$", "$a_b\n2 c$", "\\(a_b\n*c\\)"}) {
    EXPECT_EQ(extensions("so " + formula + " holds"), Texts{formula});
  }
  for (const std::string text :
       {"$a_b\n+ c$", "$a_b\n2. c$", "$a_b\n# c$", "$a_b\n> - c$", "$a_b\n<p>$", "$a_b\n~~~$"}) {
    EXPECT_EQ(extensions("so " + text), Texts{}) << text;
  }
}

TEST(Formulas, SignsOfArithmeticBetweenVariablesAreFormulas) {
  EXPECT_EQ(extensions("a \\(i = j\\), \\(n + 1\\) and \\(f(x) < 2x\\)"),
            (Texts{"\\(i = j\\)", "\\(n + 1\\)", "\\(f(x) < 2x\\)"}));
  EXPECT_EQ(extensions("a:\n\n\\[\nE = mc\n\\]\n"), Texts{"\\[\nE = mc\n\\]"});
  const Texts small{"\\(O(n)\\)",   "\\(f(x)\\)",      "\\(x, y\\)",       "\\(P(A|B)\\)", "\\(n!\\)",
                    "\\(\u03C0\\)", "\\(f(\u03B1)\\)", "\\(O(\u221An)\\)", "\\(2n\\)",     "\\(AB\\)",
                    "\\(V = IR\\)", "\\[ F = ma \\]",  "\\[ O(n) \\]"};
  for (const std::string& formula : small) EXPECT_EQ(extensions("see " + formula + " here"), Texts{formula});
  EXPECT_EQ(extensions("1. a:\n   \\[\n   F = ma\n   \\]\n2. b"), Texts{"\\[\n   F = ma\n   \\]"});
  for (const char* text :
       {"\\(e.g., a\\)", "\\(to do\\)", "\\(s. o.\\)", "\\(2 of 3\\)", "\\(1990\\)", "\\[ x \\] a", "a \\[ sic \\] b",
        "a \\[ ! \\] b", "a \\(well-known\\) b", "\\(to-do\\)", "\\(A/B\\)", "a:\n\n\\[\nI have a dog.\n\\]\n"}) {
    EXPECT_EQ(extensions(text), Texts{}) << text;
  }
}

}  // namespace
}  // namespace ventris::markup
