#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "markup/marked_text.h"
#include "translation/alignment.h"

namespace ventris::documents {

using markup::Escape;
using markup::Mark;
using markup::MarkedText;
using text::ByteRange;

/// A sentence as the model gets it: without marks and objects.
struct MaskedText {
  std::string text;
  std::vector<Mark> marks;            ///< with their places in `text`
  std::vector<size_t> objects_before;  ///< of each mark: how many objects are in front of it
  std::vector<std::string> words;      ///< one per object; "" = the object was removed
  std::vector<ByteRange> places = {};  ///< of these words in `text`
  std::vector<bool> attached = {};     ///< whether the object stays directly behind a word or a stop
  std::vector<bool> divides_word = {};  ///< whether the object was removed between letters, where `text` has a space
  std::vector<size_t> line_ends = {};  ///< the bytes of `text` that were line feeds
};

/// Words that a model copies: the placeholders that it has learnt (text/placeholder_words.h), or otherwise names that
/// are one piece of both tokenizers, if there are several, because then the training text has them often. Otherwise
/// none.
std::vector<std::string> copied_words(const text::Tokenizer& source, const text::Tokenizer& target);

/// Replaces each object by one of the words that the sentence does not have, and removes it when none is left. Objects
/// that touch a letter or digit, or follow the end of a sentence ("tired.{n}"), and signs of notes ([^1], <sup>1</sup>)
/// behind words are removed, because no word stands there. (In writing without spaces, one does.) So are emoji, and all
/// but the first of objects that follow each other. There is a space where elements touch that are apart for a reader
/// (element_gaps()).
MaskedText mask(const MarkedText& sentence, const std::vector<std::string>& words);

/// Whether a translation has one of these words more than once.
bool has_surplus_words(const MaskedText& masked, std::string_view target);

/// A translation of a masked text, with links between words (translation::align_words).
struct AlignedText {
  std::string text;
  std::vector<translation::Link> links;
};

/// A translation with its objects and marks.
struct PlacedText {
  std::string raw;   ///< as it is written in the document
  std::string text;  ///< what the model wrote of it, without `escape`; words that objects have replaced are left out
  uint64_t left_out = 0;  ///< links of Markdown without words, which are not in `raw`: the sum of Mark::link
  std::vector<size_t> order = {};  ///< the numbers of the objects, in the order in which they are written
};

/// Puts the objects and marks of the sentence into a translation of its masked text. Each comes back exactly once, as
/// it is written. Marks stay nested as they were, around the words that are linked to those of the source. An object
/// takes the place of its word, or of the only word linked to it, or is put next to the translation of its neighbours;
/// the sign of a note, without a space. Objects that follow each other still do. If the model wrote a word more than
/// once, the place that is linked to the object's is taken, and the others are removed. `escape`, if given, is applied
/// to all other text.
PlacedText put_back(const MarkedText& sentence, const MaskedText& masked, const AlignedText& translation,
                    const Escape& escape);

}  // namespace ventris::documents
