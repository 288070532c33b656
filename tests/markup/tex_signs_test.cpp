#include "markup/tex_signs.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(TexSigns, CommandsAndSignsAreOfTex) {
  EXPECT_TRUE(has_tex("\\alpha", ""));
  EXPECT_TRUE(has_tex("a^2"));
  EXPECT_FALSE(has_tex("a\\^2", "^")) << "behind a backslash";
  EXPECT_FALSE(has_tex("a^2", ""));
}

TEST(TexSigns, VariablesAreNoWords) {
  EXPECT_FALSE(has_words("ab + x"));
  EXPECT_TRUE(has_words("sum"));
  EXPECT_TRUE(has_words("a or b"));
}

TEST(TexSigns, SignsOfMathematicsAreNoLetters) {
  EXPECT_FALSE(has_words("x \u2208 A, a \u2264 b, f : A \u2192 B"));
  EXPECT_TRUE(has_words("\u00E9t\u00E9"));
}

TEST(TexSigns, FunctionsAndCapitalsAreNoWordsInAFormula) {
  for (const char* formula : {"O(n log n)", "ABC", "sin(x)", "n mod 2"}) {
    EXPECT_FALSE(has_words_in_formula(formula)) << formula;
  }
  for (const char* text : {"HOMEPAGE", "x if y", "logs", "5 and "}) EXPECT_TRUE(has_words_in_formula(text)) << text;
}

TEST(TexSigns, FormulasThatBeginWithASignMayFollowAWord) {
  for (const char* formula : {"_2", "^\\circ", "\\mu", "x"}) EXPECT_TRUE(may_follow_word(formula, '5')) << formula;
  for (const char* text : {"", "x", "5\\nB"}) EXPECT_FALSE(may_follow_word(text, 'A')) << text;
}

TEST(TexSigns, NamesInBracesAreVariablesOfAShell) {
  EXPECT_TRUE(is_shell_variable("${HOME}/a", 1));
  EXPECT_FALSE(is_shell_variable("${ab}_c$", 1));
}

TEST(TexSigns, EnvironmentsOfFormulasAreKnown) {
  EXPECT_TRUE(is_formula_environment("equation"));
  EXPECT_TRUE(is_formula_environment("align*"));
  EXPECT_FALSE(is_formula_environment("center"));
  EXPECT_FALSE(is_formula_environment(""));
}

}  // namespace
}  // namespace ventris::markup
