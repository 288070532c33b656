#pragma once
#include <string_view>

namespace ventris::text {

/// How a source tells a model the translation that a term should have (data.modifiers, kind `terms`): the term, then
/// kTermBegin, a space, the translation and kTermEnd, as in "the dog<term> Hund</term> barks". Both marks are pieces of
/// the source's tokenizer.
inline constexpr std::string_view kTermBegin = "<term>", kTermEnd = "</term>";

}  // namespace ventris::text
