#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "markup/marked_text.h"
#include "text/tokenizer.h"

namespace ventris::documents {

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
  std::vector<bool> follows =
      {};  ///< whether nothing is between the object and the one in front of it, which is no emoji
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

}  // namespace ventris::documents
