#pragma once
#include <cstdint>
#include <span>
#include <string_view>

/// Characters that a reader does not see (Unicode 15: Default_Ignorable_Code_Point, and the annotation signs).
namespace ventris::text {

/// Code points [first, last].
struct CodeRange {
  char32_t first, last;
};

/// Whether a reader sees nothing of the character, such as a soft hyphen, a joiner or a variation selector.
bool is_invisible(char32_t code);

/// Invisible characters that carry no meaning for a translation, wherever they are: soft hyphens, signs of direction,
/// places where a line may or must not break. A tokenizer that we learn drops them (normalisation_rules.h). A joiner
/// is not one of them, because words of Persian and Hindi, and emojis, are made with it; nor is a variation selector.
std::span<const CodeRange> meaningless_invisible();

/// Letters, digits and punctuation (Latin, Greek, Cyrillic) after which a joiner carries no meaning, either.
std::span<const CodeRange> unjoined_characters();

/// The invisible characters of a text that have no use in it.
struct InvisibleCount {
  int64_t meaningless = 0;  ///< meaningless_invisible(), joiners after unjoined_characters(), tags that are in no flag
  int64_t misplaced = 0;  ///< others, which the rules of a tokenizer keep, such as a variation selector after a letter
};

InvisibleCount count_invisible(std::string_view text);

}  // namespace ventris::text
