#pragma once
#include <array>
#include <string_view>

namespace ventris::text {

/// What a model reads and writes in the place of a placeholder, if it has learnt to (data.modifiers, kind `tags`). Each
/// word is a piece of both tokenizers, and stands alone or beside punctuation.
inline constexpr std::array<std::string_view, 8> kPlaceholderWords{"<ph1>", "<ph2>", "<ph3>", "<ph4>",
                                                                   "<ph5>", "<ph6>", "<ph7>", "<ph8>"};

}  // namespace ventris::text
