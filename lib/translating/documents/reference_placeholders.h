#pragma once
#include <cstddef>
#include <set>
#include <string_view>

/// Code of reStructuredText, as Sphinx writes it into catalogues, and of POD, as po4a does. All functions return where
/// the code ends that begins at byte `at`; kNoEnd (sign_matcher.h): there is none.
namespace ventris::documents {

/// ":py:func:`foo.bar`": a role with its text. Of ":ref:`words <label>`", whose words are translated, only ":ref:`".
size_t end_of_role(std::string_view text, size_t at);

/// "`Title`_": a reference. Of "`words <url>`_", whose words are translated, only the first sign.
size_t end_of_reference(std::string_view text, size_t at);

/// "<url>`_" or "<label>`" behind such words; a space is in front of it.
size_t end_of_target(std::string_view text, size_t at);

/// "Python_", a reference by its name, at a letter
size_t end_of_named_reference(std::string_view text, size_t at);

/// "[1]_", "[#note]_", "[CIT2002]_"
size_t end_of_citation(std::string_view text, size_t at);

/// "|version|"
size_t end_of_substitution(std::string_view text, size_t at);

/// Code of POD in a text: "E<lt>", "C<ls -l>"; "B<" and ">" of "B<words>".
class PodCodes {
 public:
  /// Finds the ends of a text.
  explicit PodCodes(std::string_view text);

  /// At a capital or at ">".
  size_t end_of_code(std::string_view text, size_t at) const;

 private:
  std::set<size_t> starts_, ends_;  ///< places of "B" and ">" of formats
};

}  // namespace ventris::documents
