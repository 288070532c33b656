#pragma once
#include <map>
#include <string>
#include <string_view>

namespace ventris::text {

/// What a tokenizer replaces before it segments a text: each key, of which the longest that fits is taken, by its
/// value. Both are valid UTF-8.
using NormalisationRules = std::map<std::string, std::string>;

/// The rules of a compiled map that has passed check_charsmap() (charsmap.h).
NormalisationRules rules_of(std::string_view charsmap);

/// Rules that drop invisible characters (invisible.h): those without a meaning anywhere, and joiners after Latin, Greek
/// and Cyrillic letters. All others are those of `rules`.
NormalisationRules without_invisible(NormalisationRules rules);

/// The rules as SentencePiece reads them: lines of code points in hexadecimal, a TAB between what is replaced and its
/// replacement.
std::string as_rule_table(const NormalisationRules& rules);

}  // namespace ventris::text
