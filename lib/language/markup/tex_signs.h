#pragma once
#include <cstddef>
#include <string_view>

/// What tells the formulas of TeX from other text.
namespace ventris::markup {

/// Whether the text has a command of TeX or one of these signs, without a backslash in front.
bool has_tex(std::string_view text, std::string_view signs = "^_=<>");

/// Whether the text has letters of any alphabet in a row that are no variables: three, or two behind a space.
bool has_words(std::string_view text);

/// The same for what is between dollar signs: functions ("log") and up to four capitals ("ABC") are no words.
bool has_words_in_formula(std::string_view formula);

/// Whether a formula with this content, between dollar signs, may directly follow a letter or digit, `before`: it
/// begins with an index, a power or a command ("CO$_2$", "5$\mu$m"), or is a letter behind a digit ("2$x$").
bool may_follow_word(std::string_view formula, char before);

/// Whether behind a "$" the name of a variable of a shell is here, such as "{HOME}", which is not all of a formula.
bool is_shell_variable(std::string_view text, size_t at);

/// Whether it is the name of an environment that is a formula: "equation", "align*".
bool is_formula_environment(std::string_view name);

}  // namespace ventris::markup
