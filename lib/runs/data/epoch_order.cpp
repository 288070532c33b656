#include "data/epoch_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/random.h"

namespace ventris::data {
namespace {

constexpr uint64_t kPassStream = 2;  // of the run's seed; BatchPlan uses 0 and 1
constexpr uint64_t kNeighbours = 1024;

uint64_t sum_of(const std::vector<uint64_t>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), uint64_t{0});
}

}  // namespace

std::vector<double> mixing_shares(const std::vector<uint64_t>& sizes, const std::vector<double>& weights,
                                  double temperature) {
  std::vector<double> shares;
  if (!weights.empty()) {
    const int exponent = std::ilogb(*std::max_element(weights.begin(), weights.end()));  // their sum may overflow
    for (const double weight : weights) shares.push_back(std::scalbn(weight, -exponent));
  } else {
    const auto largest = static_cast<double>(*std::max_element(sizes.begin(), sizes.end()));
    for (const uint64_t size : sizes) shares.push_back(std::pow(static_cast<double>(size) / largest, 1 / temperature));
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

EpochOrder::EpochOrder(std::vector<uint64_t> sizes, const std::vector<double>& shares, uint64_t seed, uint64_t window)
    : sizes_(std::move(sizes)), counts_(sizes_), seed_(seed), window_(window) {
  const uint64_t all = sum_of(sizes_);
  if (all == 0 || window == 0 || (!shares.empty() && shares.size() != sizes_.size())) {
    throw std::invalid_argument("EpochOrder: no pairs, an empty window, or not one share per corpus");
  }
  for (size_t i = 0; i < shares.size(); ++i) {
    const auto wanted = static_cast<uint64_t>(std::llround(shares[i] * static_cast<double>(all)));
    counts_[i] = sizes_[i] == 0 ? 0 : std::max<uint64_t>(wanted, 1);
  }
}

uint64_t EpochOrder::pairs() const { return sum_of(counts_); }

uint32_t EpochOrder::windows() const { return static_cast<uint32_t>((pairs() + window_ - 1) / window_); }

std::vector<uint32_t> EpochOrder::window(uint64_t epoch, uint32_t number) const {
  std::vector<uint32_t> pairs;
  for (size_t corpus = 0; corpus < sizes_.size(); ++corpus) {
    const uint64_t count = counts_[corpus], begin = epoch * count;
    append(corpus, begin + count * number / windows(), begin + count * (number + 1) / windows(), pairs);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Appends the part [from, to) of the endless sequence of passes.
void EpochOrder::append(size_t corpus, uint64_t from, uint64_t to, std::vector<uint32_t>& pairs) const {
  const uint64_t size = sizes_[corpus];
  while (from < to) {
    const uint64_t pass = from / size, end = std::min(to, (pass + 1) * size);
    append_of_pass(corpus, pass, from - pass * size, end - pass * size, pairs);
    from = end;
  }
}

void EpochOrder::append_of_pass(size_t corpus, uint64_t pass, uint64_t from, uint64_t to,
                                std::vector<uint32_t>& pairs) const {
  const uint64_t size = sizes_[corpus], chunk = size > window_ ? kNeighbours : 1;
  const auto first = static_cast<uint32_t>(
      std::accumulate(sizes_.begin(), sizes_.begin() + static_cast<std::ptrdiff_t>(corpus), uint64_t{0}));
  const auto chunks = static_cast<uint32_t>((size + chunk - 1) / chunk);
  uint64_t place = 0;  // number of the pair in the pass
  for (const uint32_t i : core::shuffled_indices(chunks, core::derive_seed(seed_, pass, corpus), kPassStream)) {
    const uint64_t begin = i * chunk, end = std::min(size, begin + chunk);
    for (uint64_t pair = begin; pair < end; ++pair, ++place) {
      if (place >= from && place < to) pairs.push_back(first + static_cast<uint32_t>(pair));
    }
    if (place >= to) break;
  }
}

}  // namespace ventris::data
