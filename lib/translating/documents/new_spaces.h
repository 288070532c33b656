#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "markup/marked_text.h"

namespace ventris::documents {

/// Spaces beside signs that only the text for the model has, because an object is missing there: "( tool)" for
/// "(`foo` tool)", and "your ." for "your `foo`.".
struct NewSpaces {
  std::vector<std::string> opening;  ///< signs with a space behind them
  std::vector<std::string> closing;  ///< signs with a space in front of them

  /// A part of a translation without such spaces; `before`: what is written in front of it.
  std::string removed_from(const std::string& part, std::string_view before) const;
};

/// `masked`: the text of the sentence as the model gets it (mask()).
NewSpaces new_spaces_of(const markup::MarkedText& sentence, const std::string& masked);

}  // namespace ventris::documents
