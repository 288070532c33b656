#include "data/length_survey.h"

#include <algorithm>
#include <numeric>

namespace ventris::data {
namespace {

constexpr uint64_t kStretch = 1024;

void count(std::vector<uint64_t>& counts, uint32_t length) {
  if (counts.size() <= length) counts.resize(length + 1, 0);
  ++counts[length];
}

}  // namespace

LengthSurvey survey_lengths(const PairStore& pairs, uint64_t most) {
  LengthSurvey counts;
  const uint64_t size = pairs.size(), stretches = (size + kStretch - 1) / kStretch;
  const uint64_t wanted = std::clamp<uint64_t>(most / kStretch, 1, std::max<uint64_t>(stretches, 1));
  for (uint64_t i = 0; i < std::min(wanted, stretches); ++i) {
    const uint64_t first = i * stretches / wanted * kStretch;
    std::vector<uint32_t> numbers(std::min(kStretch, size - first));
    std::iota(numbers.begin(), numbers.end(), static_cast<uint32_t>(first));
    std::vector<PairLengths> lengths(numbers.size());
    pairs.lengths(numbers, lengths);
    for (const PairLengths& one : lengths) {
      count(counts.source, one.source);
      count(counts.target, one.target);
    }
    counts.pairs += lengths.size();
  }
  return counts;
}

}  // namespace ventris::data
