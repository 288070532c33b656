#pragma once
#include <unicode/umachine.h>

/// Kinds of characters at the ends of sentences, and between words.
namespace ventris::documents {

/// Whether a character separates lines or paragraphs, so that a sentence does not go on after it. Line feeds do not
/// count, because a paragraph may be written in several lines.
bool is_separator(UChar32 character);

/// ".", "!", "?", "…" and their like in all writing systems.
bool is_terminator(UChar32 character);
/// Those of them after which the next sentence begins with a space, such as ".", but not "。".
bool wants_space(UChar32 character);
bool is_full_stop(UChar32 character);
bool is_ellipsis(UChar32 character);

/// Punctuation after which a sentence goes on: commas, dashes, colons.
bool goes_on(UChar32 character);

/// Quotation marks and brackets.
bool is_quotation_mark(UChar32 character);
bool is_opening_bracket(UChar32 character);  ///< also quotation marks that are always opening ones, such as "「"
bool is_closing(UChar32 character);  ///< what belongs to the sentence before it if there is no space between; also
                                     ///< invisible characters of format
/// What a sentence may begin with before a small letter: a digit, a currency, a sign of a placeholder.
bool is_start_without_letter(UChar32 character);

/// A letter or punctuation of a writing system without spaces between sentences.
bool is_unspaced(UChar32 character);

bool is_pictograph(UChar32 character);
/// What only continues an emoji: skin tones, joiners, tags.
bool continues_pictograph(UChar32 character);

/// Whether it is a letter of a language whose words touch each other (Chinese, Japanese, Thai...), or of Korean, whose
/// endings touch names.
bool touches_next_word(UChar32 character);

}  // namespace ventris::documents
