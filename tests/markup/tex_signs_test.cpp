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
