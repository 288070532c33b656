#include "engine/prefixes.h"

#include <algorithm>

namespace ventris::engine {

void Prefixes::clear() {
  rows_.clear();
  for (std::vector<int32_t>& entries : of_sentences_) {
    free_.insert(free_.end(), entries.begin(), entries.end());
    entries.clear();
  }
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
    const int64_t capacity = std::max<int64_t>({length, 2 * capacity_, 32});
    std::vector<int32_t> grown(rows_.size() * static_cast<size_t>(capacity));
    for (size_t row = 0; row < rows_.size(); ++row) {
      std::copy_n(entries_.begin() + static_cast<std::ptrdiff_t>(row) * capacity_, rows_[row].length,
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
  reserve(rows_.size() + 1, 1);
  rows_.push_back({sentence, 0});
  const auto sentences = static_cast<size_t>(sentence) + 1;
  if (of_sentences_.size() < sentences) of_sentences_.resize(sentences);
}

void Prefixes::follow(std::span<const int32_t> parents, std::vector<int32_t>& done) {
  if (keeps_all(parents)) return;
  reserve(parents.size(), 1);
  rows_of_sentences_.assign(of_sentences_.size(), 0);
  next_rows_.clear();
  for (size_t row = 0; row < parents.size(); ++row) {
    const auto parent = static_cast<size_t>(parents[row]);
    next_rows_.push_back(rows_.at(parent));
    ++rows_of_sentences_[static_cast<size_t>(rows_[parent].sentence)];
    std::copy_n(entries_.begin() + static_cast<std::ptrdiff_t>(parent) * capacity_, rows_[parent].length,
                next_entries_.begin() + static_cast<std::ptrdiff_t>(row) * capacity_);
  }
  for (const Row& row : rows_) {
    int64_t& count = rows_of_sentences_[static_cast<size_t>(row.sentence)];
    if (count != 0) continue;
    count = -1;  // once
    std::vector<int32_t>& entries = of_sentences_[static_cast<size_t>(row.sentence)];
    free_.insert(free_.end(), entries.begin(), entries.end());
    entries.clear();
    done.push_back(row.sentence);
  }
  rows_.swap(next_rows_);
  entries_.swap(next_entries_);
}

/// Frees the entries of hypotheses that were dropped.
void Prefixes::free_unused() {
  used_.assign(pools_.front().size() * static_cast<size_t>(kChunk), 0);
  for (size_t row = 0; row < rows_.size(); ++row) {
    for (int64_t i = 0; i < rows_[row].length; ++i) used_[static_cast<size_t>(entry(row, i))] = 1;
  }
  for (std::vector<int32_t>& entries : of_sentences_) {
    std::erase_if(entries, [&](int32_t one) {
      const bool unused = used_[static_cast<size_t>(one)] == 0;
      if (unused) free_.push_back(one);
      return unused;
    });
  }
}

int32_t Prefixes::new_entry(int32_t sentence) {
  if (free_.empty()) free_unused();
  if (free_.empty()) {
    const auto first = static_cast<int32_t>(pools_.front().size() * kChunk);
    for (auto& pool : pools_) pool.emplace_back().room(kChunk * width_);
    for (int32_t i = static_cast<int32_t>(kChunk) - 1; i >= 0; --i) free_.push_back(first + i);
  }
  const int32_t found = free_.back();
  free_.pop_back();
  of_sentences_[static_cast<size_t>(sentence)].push_back(found);
  return found;
}

void Prefixes::extend() {
  int64_t longest = 0;
  for (const Row& row : rows_) longest = std::max(longest, row.length + 1);
  reserve(rows_.size(), longest);
  for (size_t row = 0; row < rows_.size(); ++row) {
    entry(row, rows_[row].length) = new_entry(rows_[row].sentence);
    ++rows_[row].length;
  }
}

const float* const* Prefixes::places(size_t layer, size_t row) {
  places_.resize(static_cast<size_t>(rows_[row].length));
  for (int64_t i = 0; i < rows_[row].length; ++i) places_[static_cast<size_t>(i)] = place(layer, entry(row, i));
  return places_.data();
}

}  // namespace ventris::engine
