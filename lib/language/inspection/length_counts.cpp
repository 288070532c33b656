#include "inspection/length_counts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ventris::inspection {
namespace {

/// The smallest of 1, 2, 5, 10, 20, 50, ... that is at least `width`.
int64_t round_up(int64_t width) {
  for (int64_t power = 1;; power *= 10) {
    for (const int64_t digit : {1, 2, 5}) {
      if (digit * power >= width) return digit * power;
    }
  }
}

}  // namespace

void LengthCounts::add(int64_t length, int64_t line) {
  const auto index = static_cast<size_t>(length);
  if (index >= counts_.size()) {
    counts_.resize(index + 1);
    longest_line_ = line;
  }
  ++counts_[index];
  ++lines_;
  total_ += length;
}

int64_t LengthCounts::shortest() const {
  const auto first = std::find_if(counts_.begin(), counts_.end(), [](int64_t count) { return count > 0; });
  return first == counts_.end() ? 0 : first - counts_.begin();
}

double LengthCounts::mean() const {
  return lines_ == 0 ? 0 : static_cast<double>(total_) / static_cast<double>(lines_);
}

int64_t LengthCounts::percentile(double share) const {
  const auto wanted = static_cast<int64_t>(std::ceil(share * static_cast<double>(lines_)));
  int64_t seen = 0, length = 0;
  for (; length < longest(); ++length) {
    seen += counts_[static_cast<size_t>(length)];
    if (seen >= wanted) break;
  }
  return length;
}

int64_t LengthCounts::count_between(int64_t first, int64_t last) const {
  const auto begin = counts_.begin() + std::min<int64_t>(first, longest() + 1);
  const auto end = counts_.begin() + std::min(last, longest()) + 1;
  return begin < end ? std::accumulate(begin, end, int64_t{0}) : 0;
}

std::vector<LengthCounts::Bin> LengthCounts::histogram(int64_t most) const {
  std::vector<Bin> bins;
  if (lines_ == 0) return bins;
  if (counts_[0] > 0) bins.push_back({0, 0, counts_[0]});
  const int64_t usual = percentile(0.99), width = round_up((std::max<int64_t>(usual, 1) + most - 1) / most);
  int64_t next = 1;
  for (; next <= usual; next += width) bins.push_back({next, next + width - 1, count_between(next, next + width - 1)});
  if (next <= longest()) bins.push_back({next, longest(), count_between(next, longest())});
  return bins;
}

}  // namespace ventris::inspection
