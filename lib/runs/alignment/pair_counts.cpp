#include "alignment/pair_counts.h"

#include <algorithm>
#include <bit>

namespace ventris::alignment {

PairCounts::PairCounts(size_t pairs) {
  const size_t places = std::bit_ceil(std::max<size_t>(2 * pairs, 2));
  entries_.resize(places);
  mask_ = places - 1;
  shift_ = 64 - std::countr_zero(places);
}

void PairCounts::insert(int32_t source, int32_t target, Likeness likeness, uint64_t count) {
  const uint64_t key = key_of(source, target);
  size_t place = place_of(key);
  while (!entries_[place].is_free()) place = (place + 1) & mask_;
  entries_[place] = {key, count << 4 | static_cast<uint64_t>(likeness)};
  ++size_;
}

void PairCounts::set_counts_to_zero() {
  for (Entry& entry : entries_) entry.value &= 15;
}

void PairCounts::remove_zeros() {
  const auto stays = [](const Entry& entry) {
    const Likeness likeness = entry.likeness();
    return !entry.is_free() && (entry.count() > 0 || likeness == Likeness::kAlike || likeness == Likeness::kVeryAlike);
  };
  PairCounts kept(static_cast<size_t>(std::ranges::count_if(entries_, stays)));
  for (const Entry& entry : entries_) {
    if (stays(entry)) kept.insert(entry.source(), entry.target(), entry.likeness(), entry.count());
  }
  *this = std::move(kept);
}

}  // namespace ventris::alignment
