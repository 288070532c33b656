#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"
#include "translation/alignment.h"

namespace ventris::documents {

using text::ByteRange;

/// Where the parts of a source are in its translation, by links between words.
class Projection {
 public:
  /// The texts must outlive this.
  Projection(std::string_view source, std::string_view target, const std::vector<translation::Link>& links);

  /// Links the words with these bytes, and the source word to nothing else.
  void tie(size_t source_at, size_t target_at);

  /// The bytes of the target that translate these bytes of the source: whole words, without punctuation at the ends
  /// where the source range has none; all of the target if the range has all words of the source; empty if no word is
  /// linked, at the place of point().
  ByteRange span(ByteRange source) const;

  /// The byte of the target that corresponds to a place in the source: next to the translation of a neighbour.
  size_t point(size_t source_at) const;

  /// The word of the target at this byte, or else the next one, or the last one, without punctuation at the ends. Words
  /// of punctuation do not count. Empty if there is none.
  ByteRange word_near(size_t target_at) const;

  /// The beginning of the word of the target that is at this byte or follows it; the end if there is none.
  size_t next_word(size_t target_at) const;

  /// The only target word that is linked to the source word at this byte, without punctuation at the ends; empty if
  /// there is none, or more than one.
  ByteRange linked_word(size_t source_at) const;

 private:
  std::vector<size_t> words_in(ByteRange source) const;
  ByteRange block_of(const std::vector<size_t>& words) const;

  std::string_view source_, target_;
  std::vector<ByteRange> source_words_, target_words_;
  std::vector<int64_t> links_;  // of each target word: its source word; -1 = none
};

}  // namespace ventris::documents
