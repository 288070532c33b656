#include "inspection/line_hashes.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace ventris::inspection {
namespace {

static_assert(std::endian::native == std::endian::little, "the words of a text are read in the byte order of memory");

/// Every bit of the value affects every bit of the result (the finaliser of splitmix64, Steele et al. 2014).
uint64_t mixed(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

}  // namespace

uint64_t hash_of(std::string_view text) {
  uint64_t hash = mixed(text.size() + 1);
  while (!text.empty()) {
    uint64_t word = 0;
    const size_t taken = std::min(sizeof word, text.size());
    std::memcpy(&word, text.data(), taken);
    hash = mixed(hash + 0x9e3779b97f4a7c15ULL + word);
    text.remove_prefix(taken);
  }
  return hash;
}

uint64_t hash_of(uint64_t source, uint64_t target) { return mixed(mixed(source) + target); }

int64_t Repetitions::count() {
  std::sort(hashes_.begin(), hashes_.end());
  const auto different = std::unique(hashes_.begin(), hashes_.end()) - hashes_.begin();
  return static_cast<int64_t>(hashes_.size()) - different;
}

bool Occurrences::look_up(uint64_t hash) {
  const auto line = found_.find(hash);
  if (line == found_.end()) return false;
  line->second.found = true;
  return true;
}

int64_t Occurrences::lines() const {
  int64_t sum = 0;
  for (const auto& [hash, line] : found_) sum += line.times;
  return sum;
}

int64_t Occurrences::found() const {
  int64_t sum = 0;
  for (const auto& [hash, line] : found_) sum += line.found ? line.times : 0;
  return sum;
}

}  // namespace ventris::inspection
