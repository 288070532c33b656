#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "alignment/likeness.h"

namespace ventris::alignment {

/// Expected counts are whole numbers of this part of a link. Sums of whole numbers have no rounding errors, so they do
/// not depend on the order in which threads add.
inline constexpr int64_t kLink = 8192;

/// How often pairs of numbers were linked: a hash table with open addressing. Pairs that were not inserted have no
/// count. Memory: 16 bytes for each place; from half to three quarters of the places are empty.
class PairCounts {
 public:
  /// A place in the table.
  struct Entry {
    uint64_t key = kFree;
    uint64_t value = 0;  // count * 16 + likeness

    int32_t source() const { return static_cast<int32_t>(key >> 32); }
    int32_t target() const { return static_cast<int32_t>(key & 0xFFFFFFFF); }
    bool is_free() const { return key == kFree; }
    uint64_t count() const { return value >> 4; }
    Likeness likeness() const { return static_cast<Likeness>(value & 15); }
  };

  /// An empty table for this many pairs.
  explicit PairCounts(size_t pairs = 0);

  /// Inserts a pair that is not there yet. There must be room for it.
  void insert(int32_t source, int32_t target, Likeness likeness, uint64_t count = 0);

  /// The entry of a pair; null if it was not inserted.
  const Entry* find(int32_t source, int32_t target) const {
    const uint64_t key = key_of(source, target);
    for (size_t place = place_of(key);; place = (place + 1) & mask_) {
      const Entry& entry = entries_[place];
      if (entry.key == key) return &entry;
      if (entry.is_free()) return nullptr;
    }
  }
  Entry* find(int32_t source, int32_t target) {
    return const_cast<Entry*>(static_cast<const PairCounts*>(this)->find(source, target));
  }

  /// Loads the place of a pair into the processor's cache.
  void prefetch(int32_t source, int32_t target) const {
    __builtin_prefetch(&entries_[place_of(key_of(source, target))]);
  }

  /// Several threads may add at the same time, if none reads. Returns the likeness of the pair.
  static Likeness add(Entry& entry, uint64_t count) {
    return static_cast<Likeness>(std::atomic_ref(entry.value).fetch_add(count << 4, std::memory_order_relaxed) & 15);
  }

  void set_counts_to_zero();

  /// Removes the pairs whose count is 0, except those whose spelling is alike. Such a pair has no count from then on.
  void remove_zeros();

  size_t size() const { return size_; }
  const std::vector<Entry>& entries() const { return entries_; }  ///< some of them free

 private:
  static constexpr uint64_t kFree = ~uint64_t{0};

  static uint64_t key_of(int32_t source, int32_t target) {
    return static_cast<uint64_t>(static_cast<uint32_t>(source)) << 32 | static_cast<uint32_t>(target);
  }
  size_t place_of(uint64_t key) const { return (key * 0x9E3779B97F4A7C15) >> shift_; }

  std::vector<Entry> entries_;
  size_t mask_ = 0, size_ = 0;
  int shift_ = 63;
};

}  // namespace ventris::alignment
