#pragma once
#include <vector>

#include "markup/marked_text.h"

namespace ventris::documents {

using markup::Escape;
using markup::MarkedText;
using text::ByteRange;

/// Takes tags out of a text without marks and objects, so that pairs of them stay around words. `placeholders`: ranges
/// of the text, sorted, without overlaps; they become ranges of the new text, without those that became marks.
/// - Pairs of tags become pairs of marks, or halves of pairs if they overlap others: <b> and </b>, those of templates
///   (markup/template_pairs.h), "`" with "<url>`_", "[" with "](url)", and fonts of groff, "\fB" with "\fR"; and two
///   placeholders with names that stand around words (touch_words_between()).
/// - A pair without letters and digits outside of placeholders becomes one placeholder, and so do placeholders that
///   touch each other.
/// - Colours of Minecraft that touch the word behind them become marks alone: "&aYou".
/// - Other start tags at the beginning, end tags at the end, and <br> there become marks alone.
/// All other tags stay placeholders. False: nothing was changed, because there are no letters or digits beside the
/// placeholders, or because the tags are nested deeper than markup::kDeepestNesting. `escape` is applied to tags. The
/// time grows with the text.
bool mark_tags(MarkedText& text, std::vector<ByteRange>& placeholders, const Escape& escape);

}  // namespace ventris::documents
