#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"
#include "translation/alignment.h"

namespace ventris::documents {

using text::ByteRange;

/// Where the parts of a source are in its translation, by links between words. Except for tie() and to_letters(), the
/// time of a call grows with the number of links of the source words that it is about, not with the length of the
/// texts.
class Projection {
 public:
  /// The texts must outlive this.
  Projection(std::string_view source, std::string_view target, const std::vector<translation::Link>& links);

  /// Links the words with these bytes, and the source word to nothing else.
  void tie(size_t source_at, size_t target_at);

  /// The bytes of the target that translate these bytes of the source: whole words; only the punctuation at the end of
  /// the linked word if the range has nothing else; all of the target if the range has all words of the source; empty
  /// if no word is linked, at the place of point(). An end inside a source word is in the same place of the linked word
  /// if both have the same punctuation there ("a:b" and "c:d"), or else at its first or last letter.
  ByteRange span(ByteRange source) const;

  /// The byte of the target that corresponds to a place in the source: next to the translation of a neighbour, or
  /// inside the linked word if both have the same punctuation there.
  size_t point(size_t source_at) const;

  /// The word of the target at this byte, or else the next one, or the last one, without punctuation at the ends. Words
  /// of punctuation do not count. Empty if there is none.
  ByteRange word_near(size_t target_at) const;

  /// These bytes of the target from the first letter or digit to the last; all of them if there is none. A sign at an
  /// end stays if `source`, which they translate, has one there, and no letter or digit touches it from outside.
  ByteRange to_letters(ByteRange target, ByteRange source) const;

  /// The beginning of the word of the target that is at this byte or follows it; the end if there is none.
  size_t next_word(size_t target_at) const;

  /// The only target word that is linked to the source word at this byte, without punctuation at the ends; empty if
  /// there is none, or more than one.
  ByteRange linked_word(size_t source_at) const;

 private:
  /// Source words [begin, end), as numbers.
  ByteRange words_in(ByteRange source) const;
  ByteRange block_of(ByteRange words) const;
  ByteRange bare_word(size_t word) const;
  ByteRange punctuation_of(size_t source_word, size_t source_at) const;
  std::optional<size_t> place_inside(size_t source_word, size_t source_at, size_t target_word) const;
  void index_links();
  bool is_linked(size_t source_word) const { return first_[source_word] < first_[source_word + 1]; }

  std::string_view source_, target_;
  std::vector<ByteRange> source_words_, target_words_;
  ByteRange bare_target_;               // the target without punctuation at its ends
  std::vector<ByteRange>
      bare_words_;   // of the target: the same for each word; begin = end of the word if it has nothing else
  std::vector<size_t> next_bare_, last_bare_;  // the next target word with more than punctuation; the last one before

  std::vector<int64_t> links_;  // of each target word: its source word; -1 = none
  std::vector<size_t> targets_;  // the target words that are linked to source word i are ...
  std::vector<size_t> first_;  // ... those from first_[i] to first_[i + 1], sorted
  std::vector<size_t> linked_before_;  // how many of the target words before this one have a link
  std::vector<size_t> next_linked_, last_linked_;  // the next source word with a link; the last one before
};

}  // namespace ventris::documents
