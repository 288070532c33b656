#include "layers/prefixes.h"

#include <algorithm>

#include "layers/widths.h"

namespace ventris::layers {
namespace {

constexpr int64_t kBytesOfSlot = 96;  // of a list of entries that are released together

}  // namespace

decoding::MemoryNeeds Prefixes::needs(int64_t layers, int64_t width, const Reach& reach) {
  const bool releases = reach.recent > 0 && reach.recent != Reach::kAll;
  decoding::MemoryNeeds needs;
  needs.place = kFloat * layers * width + 4 * kFloat + (releases ? kBytesOfSlot : 0);
  needs.table = 10 * kFloat;  // two tables of entries, each of which may have grown twice too large
  needs.row = needs.table * kLeastCapacity;
  needs.fixed = layers * kFloat * kChunk * width;  // the last chunk may be used by one entry only
  return needs;
}

void Prefixes::clear() {
  rows_.clear();
  for (auto& slots : of_sentences_) {
    for (std::vector<int32_t>& entries : slots) release(entries);
  }
}

void Prefixes::release() { *this = Prefixes(pools_.size(), width_, reach_); }

void Prefixes::release(std::vector<int32_t>& entries) {
  free_.insert(free_.end(), entries.begin(), entries.end());
  entries.clear();
}

std::vector<int32_t>& Prefixes::entries_of(int32_t sentence, int64_t slot) {
  auto& slots = of_sentences_[static_cast<size_t>(sentence)];
  const auto place = static_cast<size_t>(reach_.recent == Reach::kAll ? 0 : slot);
  if (slots.size() <= place) slots.resize(place + 1);
  return slots[place];
}

bool Prefixes::keeps_all(std::span<const int32_t> parents) const {
  if (parents.size() != rows_.size()) return false;
  for (size_t row = 0; row < parents.size(); ++row) {
    if (static_cast<size_t>(parents[row]) != row) return false;
  }
  return true;
}

void Prefixes::reserve(size_t rows, int64_t length) {
  if (length > capacity_) {
    const int64_t capacity = std::min(reach_.slots(), std::max<int64_t>({length, 2 * capacity_, kLeastCapacity}));
    std::vector<int32_t> grown(rows_.size() * static_cast<size_t>(capacity));
    for (size_t row = 0; row < rows_.size(); ++row) {
      std::copy_n(entries_.begin() + static_cast<std::ptrdiff_t>(row) * capacity_, kept(rows_[row]),
                  grown.begin() + static_cast<std::ptrdiff_t>(row) * capacity);
    }
    entries_ = std::move(grown);
    capacity_ = capacity;
  }
  const size_t needed = rows * static_cast<size_t>(capacity_);
  if (entries_.size() < needed) entries_.resize(needed);
  if (next_entries_.size() < needed) next_entries_.resize(needed);
}

void Prefixes::add(int32_t sentence) {
  reserve(rows_.size() + 1, std::min<int64_t>(1, reach_.slots()));
  rows_.push_back({sentence, 0});
  const auto sentences = static_cast<size_t>(sentence) + 1;
  if (of_sentences_.size() < sentences) of_sentences_.resize(sentences);
}

void Prefixes::follow(std::span<const int32_t> parents, std::vector<int32_t>& done) {
  if (keeps_all(parents)) return;
  reserve(parents.size(), std::min<int64_t>(1, reach_.slots()));
  rows_of_sentences_.assign(of_sentences_.size(), 0);
  next_rows_.clear();
  for (size_t row = 0; row < parents.size(); ++row) {
    const auto parent = static_cast<size_t>(parents[row]);
    next_rows_.push_back(rows_.at(parent));
    ++rows_of_sentences_[static_cast<size_t>(rows_[parent].sentence)];
    std::copy_n(entries_.begin() + static_cast<std::ptrdiff_t>(parent) * capacity_, kept(rows_[parent]),
                next_entries_.begin() + static_cast<std::ptrdiff_t>(row) * capacity_);
  }
  for (const Row& row : rows_) {
    int64_t& count = rows_of_sentences_[static_cast<size_t>(row.sentence)];
    if (count != 0) continue;
    count = -1;  // once
    for (std::vector<int32_t>& entries : of_sentences_[static_cast<size_t>(row.sentence)]) release(entries);
    done.push_back(row.sentence);
  }
  rows_.swap(next_rows_);
  entries_.swap(next_entries_);
}

/// Frees the entries of hypotheses that were dropped.
void Prefixes::free_unused() {
  used_.assign(pools_.front().size() * static_cast<size_t>(kChunk), 0);
  for (size_t row = 0; row < rows_.size(); ++row) {
    for (int64_t slot = 0; slot < kept(rows_[row]); ++slot) used_[static_cast<size_t>(entry(row, slot))] = 1;
  }
  const auto unused = [&](int32_t one) {
    if (used_[static_cast<size_t>(one)] != 0) return false;
    free_.push_back(one);
    return true;
  };
  for (auto& slots : of_sentences_) {
    for (std::vector<int32_t>& entries : slots) std::erase_if(entries, unused);
  }
}

int32_t Prefixes::new_entry(std::vector<int32_t>& entries) {
  if (free_.empty()) free_unused();
  if (free_.empty()) {
    const auto first = static_cast<int32_t>(pools_.front().size() * kChunk);
    for (auto& pool : pools_) pool.emplace_back().room(kChunk * width_);
    for (int32_t i = static_cast<int32_t>(kChunk) - 1; i >= 0; --i) free_.push_back(first + i);
  }
  const int32_t found = free_.back();
  free_.pop_back();
  entries.push_back(found);
  return found;
}

void Prefixes::extend() {
  if (reach_.slots() == 0) {
    for (Row& row : rows_) ++row.length;
    return;
  }
  int64_t longest = 0;
  for (const Row& row : rows_) {
    if (row.length >= reach_.slots()) release(entries_of(row.sentence, reach_.slot(row.length)));
    longest = std::max(longest, row.length + 1);
  }
  reserve(rows_.size(), std::min(longest, reach_.slots()));
  for (size_t row = 0; row < rows_.size(); ++row) {
    const int64_t slot = reach_.slot(rows_[row].length);
    entry(row, slot) = new_entry(entries_of(rows_[row].sentence, slot));
    ++rows_[row].length;
  }
}

void Prefixes::find_places(size_t layer, size_t row, std::vector<const float*>& places) {
  const int64_t length = rows_[row].length, oldest = reach_.oldest(length - 1);
  const int64_t globals = std::min(reach_.globals, length);
  places.resize(static_cast<size_t>(globals + std::max<int64_t>(0, length - oldest)));
  const float** next = places.data();
  for (int64_t i = 0; i < globals; ++i) *next++ = place(layer, entry(row, i));
  for (int64_t i = oldest; i < length; ++i) *next++ = place(layer, entry(row, reach_.slot(i)));
}

}  // namespace ventris::layers
