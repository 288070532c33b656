#include "metrics/edit_distance.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace ventris::metrics {
namespace {

constexpr int kInfinity = 1 << 29;
constexpr double kBeamWidth = 25;

/// The width is such that the beams of adjacent rows overlap even if the reference is many times longer.
double beam_width(double length_ratio) {
  return kBeamWidth < length_ratio / 2 ? std::ceil(length_ratio / 2 + kBeamWidth) : kBeamWidth;
}

}  // namespace

BeamEditDistance::BeamEditDistance(size_t hypothesis_length, Symbols reference)
    : length_(hypothesis_length), reference_(std::move(reference)), width_(reference_.size() + 1) {
  beams_.push_back({0, width_, width_});
  const double ratio = length_ > 0 ? static_cast<double>(reference_.size()) / static_cast<double>(length_) : 1;
  const double half = beam_width(ratio);
  for (size_t i = 1; i <= length_; ++i) {
    const double diagonal = std::floor(static_cast<double>(i) * ratio);
    const auto begin = static_cast<size_t>(std::max(0.0, diagonal - half));
    const auto end = static_cast<size_t>(std::min(static_cast<double>(width_), diagonal + half));
    beams_.push_back({begin, i == length_ ? width_ : end, width_});
    if (i > 1) beams_[i - 1].reach = beams_[i].end;
  }
  size_t cells = 0;
  for (const Beam& beam : beams_) {
    const size_t first = std::max<size_t>(beam.begin, 1) - 1;
    offsets_.push_back(cells - first);  // never below 0: the rows above cover these cells
    cells += beam.reach - first;
  }
  matrix_.assign(cells, kInfinity);
  std::iota(matrix_.begin(), matrix_.begin() + static_cast<std::ptrdiff_t>(width_), 0);
  scratch_.assign(2 * width_, kInfinity);
}

void BeamEditDistance::fill_row(const int* above, int* row, uint32_t word, const Beam& beam) const {
  if (beam.begin > 0) row[beam.begin - 1] = kInfinity;
  if (beam.begin == 0) row[0] = above[0] + 1;
  const size_t first = std::max<size_t>(beam.begin, 1);
  for (size_t j = first; j < beam.end; ++j) {
    row[j] = std::min(above[j - 1] + static_cast<int>(word != reference_[j - 1]), above[j] + 1);
  }
  for (size_t j = first; j < beam.end; ++j) row[j] = std::min(row[j], row[j - 1] + 1);
  std::fill(row + beam.end, row + beam.reach, kInfinity);  // overwrites values of an earlier hypothesis
}

/// A lower bound for the distance through this row: each surplus word on one side costs an edit.
int BeamEditDistance::least_total(const int* row, size_t row_number) const {
  const auto left = static_cast<int>(length_ - row_number), width = static_cast<int>(width_);
  int least = kInfinity;
  for (size_t j = beams_[row_number].begin; j < beams_[row_number].end; ++j) {
    least = std::min(least, row[j] + std::abs(left - (width - 1 - static_cast<int>(j))));
  }
  return least;
}

int BeamEditDistance::align(const Symbols& hypothesis, EditAlignment& alignment) {
  for (size_t i = 1; i <= length_; ++i) {
    fill_row(row(i - 1), matrix_.data() + offsets_[i], hypothesis[i - 1], beams_[i]);
  }
  trace(hypothesis, alignment);
  return matrix_.back();
}

int BeamEditDistance::distance(const Symbols& hypothesis, size_t same, int limit) {
  const int* above = row(same);
  for (size_t i = same + 1; i <= length_; ++i) {
    int* current = scratch_.data() + (i % 2) * width_;
    fill_row(above, current, hypothesis[i - 1], beams_[i]);
    const int least = least_total(current, i);
    if (least > limit) return least;
    above = current;
  }
  return above[width_ - 1];
}

/// Goes backwards from the end. Prefers a match or substitution, then a superfluous word, then a missing one.
void BeamEditDistance::trace(const Symbols& hypothesis, EditAlignment& alignment) const {
  alignment.hypothesis_position.assign(reference_.size(), -1);
  alignment.hypothesis_errors.assign(length_ + 1, 0);
  alignment.reference_errors.assign(width_, 0);
  size_t i = length_, j = reference_.size();
  while (i > 0 || j > 0) {
    const int cost = row(i)[j];
    const bool differ = i > 0 && j > 0 && hypothesis[i - 1] != reference_[j - 1];
    if (i > 0 && j > 0 && cost == row(i - 1)[j - 1] + static_cast<int>(differ)) {
      alignment.hypothesis_errors[i--] = static_cast<int>(differ);
      alignment.reference_errors[j--] = static_cast<int>(differ);
      alignment.hypothesis_position[j] = static_cast<int>(i);
    } else if (i > 0 && (j == 0 || cost == row(i - 1)[j] + 1)) {
      alignment.hypothesis_errors[i--] = 1;
    } else {
      alignment.reference_errors[j--] = 1;
      alignment.hypothesis_position[j] = static_cast<int>(i) - 1;
    }
  }
  for (auto* errors : {&alignment.hypothesis_errors, &alignment.reference_errors}) {
    std::partial_sum(errors->begin(), errors->end(), errors->begin());
  }
}

}  // namespace ventris::metrics
