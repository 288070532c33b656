#include "metrics/shift_edits.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <tuple>
#include <utility>

#include "metrics/edit_distance.h"

namespace ventris::metrics {
namespace {

constexpr int kMaxShiftSize = 10;
constexpr int kMaxShiftDistance = 50;
constexpr int kMaxCandidates = 1000;

/// A shift of `length` words of the hypothesis from `from` to `to`; positions count before any shift.
struct Shift {
  int gain = 0;  ///< by how much it lowers the edit distance
  int length = 0;
  int from = 0;
  int to = 0;

  /// Tercom's order of preference.
  bool operator<(const Shift& other) const {
    return std::tuple(gain, length, -from, -to) < std::tuple(other.gain, other.length, -other.from, -other.to);
  }
};

/// A sequence of words that both sentences have.
struct Match {
  int hypothesis;
  int reference;
  int length;
};

void apply(const Shift& shift, const Symbols& words, Symbols& result) {
  const auto at = [&](int position) { return words.begin() + position; };
  const auto append = [&](int begin, int end) { result.insert(result.end(), at(begin), at(end)); };
  const int end = shift.from + shift.length, size = static_cast<int>(words.size());
  result.clear();
  if (shift.to < shift.from) {
    append(0, shift.to);
    append(shift.from, end);
    append(shift.to, shift.from);
    append(end, size);
    return;
  }
  // A target inside the sequence itself counts from the end of the sequence.
  const int target = std::min(shift.to > end ? shift.to : shift.to + shift.length, size);
  append(0, shift.from);
  append(end, target);
  append(shift.from, end);
  append(target, size);
}

class ShiftSearch {
 public:
  ShiftSearch(const Symbols& hypothesis, const Symbols& reference)
      : words_(hypothesis), reference_(reference), distances_(hypothesis.size(), reference) {}

  int64_t edits() {
    int shifts = 0;
    while (true) {
      distance_ = distances_.align(words_, alignment_);
      const std::optional<Shift> best = best_shift();
      if (candidates_ >= kMaxCandidates || !best || best->gain <= 0) return shifts + distance_;
      ++shifts;
      apply(*best, Symbols(words_), words_);
    }
  }

 private:
  std::optional<Shift> best_shift() {
    best_.reset();
    const int hypothesis_size = static_cast<int>(words_.size()), reference_size = static_cast<int>(reference_.size());
    for (int h = 0; h < hypothesis_size; ++h) {
      const int first = std::max(0, h - kMaxShiftDistance), last = std::min(reference_size - 1, h + kMaxShiftDistance);
      for (int r = first; r <= last; ++r) {
        const int longest = std::min({kMaxShiftSize, hypothesis_size - h, reference_size - r});
        for (int length = 1; length <= longest && same_word(h, r, length); ++length) {
          if (!worth_a_try({h, r, length})) continue;
          try_targets({h, r, length});
          if (candidates_ >= kMaxCandidates) return best_;
        }
      }
    }
    return best_;
  }

  bool same_word(int h, int r, int length) const {
    return words_[static_cast<size_t>(h + length - 1)] == reference_[static_cast<size_t>(r + length - 1)];
  }

  int position(int reference) const { return alignment_.hypothesis_position[static_cast<size_t>(reference)]; }

  /// Whether both sides have an error in the sequence, and it is not already aligned with itself.
  bool worth_a_try(const Match& match) const {
    const auto wrong = [&](const std::vector<int>& errors, int begin) {
      return errors[static_cast<size_t>(begin + match.length)] > errors[static_cast<size_t>(begin)];
    };
    if (!wrong(alignment_.hypothesis_errors, match.hypothesis)) return false;
    if (!wrong(alignment_.reference_errors, match.reference)) return false;
    const int beside = position(match.reference);
    return beside < match.hypothesis || beside >= match.hypothesis + match.length;
  }

  /// The targets: before the word that is aligned with the match's place in the reference, and after each of its words.
  void try_targets(const Match& match) {
    int previous = -1;
    for (int offset = -1; offset < match.length; ++offset) {
      const int beside = match.reference + offset;
      if (beside >= static_cast<int>(reference_.size())) return;
      const int target = beside < 0 ? 0 : position(beside) + 1;
      if (target == previous) continue;
      previous = target;
      ++candidates_;
      try_shift({0, match.length, match.hypothesis, target});
    }
  }

  void try_shift(Shift shift) {
    apply(shift, words_, shifted_);
    const auto same = static_cast<size_t>(std::min(shift.from, shift.to));
    int limit = static_cast<int>(words_.size() + reference_.size());
    if (best_) {
      shift.gain = best_->gain;
      limit = distance_ - best_->gain - (*best_ < shift ? 0 : 1);
    }
    shift.gain = distance_ - distances_.distance(shifted_, same, limit);
    if (!best_ || *best_ < shift) best_ = shift;
  }

  Symbols words_;
  const Symbols& reference_;
  BeamEditDistance distances_;
  EditAlignment alignment_;
  int distance_ = 0;    // of words_
  int candidates_ = 0;  // tried so far, over all shifts
  std::optional<Shift> best_;
  Symbols shifted_;
};

}  // namespace

int64_t shift_edits(const Symbols& hypothesis, const Symbols& reference) {
  if (reference.empty()) return static_cast<int64_t>(hypothesis.size());
  return ShiftSearch(hypothesis, reference).edits();
}

}  // namespace ventris::metrics
