#pragma once
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "arithmetic/matrix.h"
#include "decoding/memory_needs.h"
#include "layers/reach.h"

namespace ventris::layers {

using arithmetic::Aligned;

/// The keys and values of target prefixes. A prefix (row) is a list of entries; rows with a common beginning share its
/// entries, so that reordering a beam copies numbers and no keys. What is out of reach of all later positions is not
/// kept. Entries that no row has any more are used again before memory for new ones is allocated. The rows of a
/// sentence have the same length.
class Prefixes {
 public:
  /// `width`: floats of an entry in each layer (keys and values of all heads).
  Prefixes(size_t layers, int64_t width, const Reach& reach = {}) : reach_(reach), width_(width), pools_(layers) {}

  /// Of such prefixes.
  static decoding::MemoryNeeds needs(int64_t layers, int64_t width, const Reach& reach);

  static constexpr int64_t kChunk = 64;        ///< entries that are allocated together
  static constexpr int64_t kLeastCapacity = 32;  ///< entries for which a row has room at least

  void clear();
  /// Frees all memory, too.
  void release();
  /// Appends an empty row that belongs to a sentence.
  void add(int32_t sentence);
  /// Replaces row i by the old row parents[i]. Sentences without rows are finished: their numbers are appended to
  /// `done`, and their entries become free.
  void follow(std::span<const int32_t> parents, std::vector<int32_t>& done);
  /// Appends a position to every row, with a new entry unless none are kept.
  void extend();

  size_t rows() const { return rows_.size(); }
  int64_t length(size_t row) const { return rows_[row].length; }
  int32_t sentence(size_t row) const { return rows_[row].sentence; }
  const Reach& reach() const { return reach_; }
  /// The newest entry of a row in a layer, [width].
  float* newest(size_t layer, size_t row) { return place(layer, entry(row, reach_.slot(rows_[row].length - 1))); }
  /// Writes to `places` where the entries that the newest position of a row sees are in a layer, oldest first.
  void find_places(size_t layer, size_t row, std::vector<const float*>& places);

 private:
  struct Row {
    int32_t sentence;
    int64_t length;
  };
  int32_t& entry(size_t row, int64_t slot) {
    return entries_[row * static_cast<size_t>(capacity_) + static_cast<size_t>(slot)];
  }
  float* place(size_t layer, int32_t entry) {
    return pools_[layer][static_cast<size_t>(entry / kChunk)].data() + entry % kChunk * width_;
  }
  bool keeps_all(std::span<const int32_t> parents) const;
  int64_t kept(const Row& row) const { return std::min(row.length, reach_.slots()); }
  std::vector<int32_t>& entries_of(int32_t sentence, int64_t slot);
  void release(std::vector<int32_t>& entries);
  int32_t new_entry(std::vector<int32_t>& entries);
  void free_unused();
  void reserve(size_t rows, int64_t length);

  Reach reach_;
  int64_t width_, capacity_ = 0;
  std::vector<std::deque<Aligned<float>>> pools_;  // of each layer: chunks of entries
  std::vector<int32_t> free_;
  std::vector<Row> rows_, next_rows_;
  std::vector<int32_t> entries_, next_entries_;  // [rows, capacity]: the entries of each row by slot
  std::vector<std::vector<std::vector<int32_t>>> of_sentences_;  // the entries of each sentence; by slot if they are
                                                                 // released one slot after the other
  std::vector<int64_t> rows_of_sentences_;
  std::vector<uint8_t> used_;  // of each entry: whether a row has it
};

}  // namespace ventris::layers
