#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "alignment/word_table.h"

namespace ventris::alignment {

/// The words of both sides, and sentence pairs as their numbers. Memory: 4 bytes for each word of a sentence, 16 for
/// each pair, and about 200 for each word that differs.
class SentencePairs {
 public:
  /// As WordTable.
  explicit SentencePairs(int prefix) : source_words_(prefix), target_words_(prefix) {}

  /// Adds a pair of tokenized sentences; either may be empty. Words of pairs that are not `counted` get numbers, but
  /// do not count as frequent.
  void add(std::span<const std::string_view> source, std::span<const std::string_view> target, bool counted = true);

  size_t size() const { return source_.ends.size(); }
  std::span<const int32_t> source(size_t pair) const { return source_.sentence(pair); }
  std::span<const int32_t> target(size_t pair) const { return target_.sentence(pair); }
  const WordTable& source_words() const { return source_words_; }
  const WordTable& target_words() const { return target_words_; }

  /// Removes all pairs, but no words.
  void clear();

  /// For restoring saved words.
  WordTable& source_words() { return source_words_; }
  WordTable& target_words() { return target_words_; }

 private:
  struct Side {
    std::vector<int32_t> words;
    std::vector<uint64_t> ends;  // of each sentence, in `words`

    void add(std::span<const std::string_view> sentence, WordTable& vocabulary, bool counted);
    std::span<const int32_t> sentence(size_t pair) const {
      const uint64_t begin = pair == 0 ? 0 : ends[pair - 1];
      return std::span(words).subspan(begin, ends[pair] - begin);
    }
  };

  WordTable source_words_, target_words_;
  Side source_, target_;
};

/// Longer sentences get no links, because time and memory for a pair grow with the square of its length and more.
inline constexpr size_t kMostWords = 400;

/// Whether a pair can have links: both sides have from 1 to kMostWords words.
bool can_have_links(const SentencePairs& pairs, size_t pair);

}  // namespace ventris::alignment
