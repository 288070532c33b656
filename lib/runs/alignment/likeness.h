#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "alignment/word_table.h"

namespace ventris::alignment {

/// What the spelling of a source word and a target word says about them.
enum class Likeness : uint8_t {
  kOtherSign,    ///< two signs that differ
  kSameSign,     ///< the same sign
  kSignAndWord,  ///< a sign and something else
  kOtherNumber,  ///< two words with digits that differ
  kSameNumber,   ///< the same word with digits
  kUnlike,       ///< two words, or a word and a number, with little or nothing in common
  kAlike,        ///< at least half of the letters in common
  kVeryAlike,    ///< at least 7 of 10 letters in common
  kSame          ///< the same word
};
inline constexpr size_t kLikenesses = 9;

/// How much more often words of this likeness are linked than by chance, as far as one knows without any text.
float usual_ratio(Likeness likeness);

/// Without a look at the letters of words that differ: kUnlike for these.
Likeness quick_likeness(const Word& source, const Word& target);

/// Compares words, fastest if the first stays the same. The last first word must still exist at the next call. For
/// use by one thread.
class Comparison {
 public:
  Comparison();

  /// The likeness of two words, in either order. The letters that two words of at least three letters have in common
  /// are those of their longest common subsequence, divided by the letters of the longer word.
  Likeness likeness(const Word& first, const Word& second);

 private:
  size_t common_letters(const Word& second) const;
  void take(const Word& first);

  std::vector<uint64_t> places_;  // of each letter in the first word: one bit per place
  const Word* first_ = nullptr;
};

/// The class of a word pair whose share of linked pairs is estimated: its likeness, and how much more frequent the
/// source word is.
size_t pair_class(Likeness likeness, const Word& source, const Word& target);
inline constexpr size_t kFrequencyClasses = 11;
inline constexpr size_t kPairClasses = kLikenesses * kFrequencyClasses;

/// usual_ratio() of each class.
std::array<float, kPairClasses> usual_ratios();

}  // namespace ventris::alignment
