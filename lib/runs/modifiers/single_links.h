#pragma once
#include <string_view>
#include <vector>

#include "text/word_links.h"

namespace ventris::modifiers {

/// The links between words that have no other link, and that are words and not signs. Those to words that do not exist
/// are left out.
text::Links single_links(const text::Links& links, const std::vector<std::string_view>& source,
                         const std::vector<std::string_view>& target);

}  // namespace ventris::modifiers
