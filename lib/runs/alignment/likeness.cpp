#include "alignment/likeness.h"

#include <algorithm>
#include <bit>

namespace ventris::alignment {
namespace {

constexpr size_t kShortest = 3;  // letters; of shorter words, common letters mean little

int log_count(const Word& word) { return std::bit_width(static_cast<uint64_t>(std::max<int64_t>(word.count, 1))); }

}  // namespace

Likeness quick_likeness(const Word& source, const Word& target) {
  const bool same = source.text == target.text;
  const bool source_sign = source.kind == WordKind::kSign, target_sign = target.kind == WordKind::kSign;
  if (source_sign && target_sign) return same ? Likeness::kSameSign : Likeness::kOtherSign;
  if (source_sign || target_sign) return Likeness::kSignAndWord;
  if (source.kind == WordKind::kNumber && target.kind == WordKind::kNumber) {
    return same ? Likeness::kSameNumber : Likeness::kOtherNumber;
  }
  return same ? Likeness::kSame : Likeness::kUnlike;
}

float usual_ratio(Likeness likeness) {
  switch (likeness) {
    case Likeness::kSameSign:
    case Likeness::kSameNumber:
    case Likeness::kVeryAlike:
    case Likeness::kSame: return 10;
    case Likeness::kSignAndWord: return 0.1F;
    default: return 1;
  }
}

Comparison::Comparison() : places_(size_t{1} << 16) {}

Likeness Comparison::likeness(const Word& first, const Word& second) {
  const Likeness quick = quick_likeness(first, second);
  if (quick != Likeness::kUnlike) return quick;
  const size_t a = first.letters.size(), b = second.letters.size();
  if (std::min(a, b) < kShortest || 2 * std::min(a, b) < std::max(a, b)) return quick;
  if (first_ != &first) take(first);
  const size_t common = common_letters(second), longer = std::max(a, b);
  if (10 * common >= 7 * longer) return Likeness::kVeryAlike;
  return 2 * common >= longer ? Likeness::kAlike : Likeness::kUnlike;
}

void Comparison::take(const Word& first) {
  if (first_ != nullptr) {
    for (const char16_t letter : first_->letters) places_[letter] = 0;
  }
  uint64_t bit = 1;
  for (const char16_t letter : first.letters) {
    places_[letter] |= bit;
    bit <<= 1;
  }
  first_ = &first;
}

/// The length of the longest common subsequence, by one addition per letter. Source: Hyyrö 2004, "Bit-parallel
/// LCS-length computation revisited".
size_t Comparison::common_letters(const Word& second) const {
  uint64_t row = ~uint64_t{0};
  for (const char16_t letter : second.letters) {
    const uint64_t matches = row & places_[letter];
    row = (row + matches) | (row - matches);
  }
  const size_t length = first_->letters.size();
  const uint64_t places = length == 64 ? ~uint64_t{0} : (uint64_t{1} << length) - 1;
  return static_cast<size_t>(std::popcount(~row & places));
}

size_t pair_class(Likeness likeness, const Word& source, const Word& target) {
  constexpr int kMost = static_cast<int>(kFrequencyClasses) / 2;
  const int difference = std::clamp(log_count(source) - log_count(target), -kMost, kMost);
  return static_cast<size_t>(likeness) * kFrequencyClasses + static_cast<size_t>(difference + kMost);
}

std::array<float, kPairClasses> usual_ratios() {
  std::array<float, kPairClasses> ratios{};
  for (size_t i = 0; i < kPairClasses; ++i) ratios[i] = usual_ratio(static_cast<Likeness>(i / kFrequencyClasses));
  return ratios;
}

}  // namespace ventris::alignment
