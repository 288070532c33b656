#include "alignment/cooccurrences.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/parallel.h"
#include "core/process.h"

namespace ventris::alignment {
namespace {

constexpr size_t kRows = 32;         // source numbers that a thread takes at a time
constexpr uint32_t kMostNeeded = 1023;  // sentence pairs

int32_t number_of(const WordTable& words, int32_t word, Unit unit) {
  return unit == Unit::kWords ? word : words[word].prefix;
}

size_t numbers_in(const WordTable& words, Unit unit) {
  return static_cast<size_t>(unit == Unit::kWords ? words.size() : words.classes());
}

struct Found {
  int32_t source, target;
  Likeness likeness;
};

/// Counts of one source number after the other. Of one thread.
struct Row {
  explicit Row(size_t targets) : counts(targets), last(targets, kNone) {}

  static constexpr uint32_t kNone = ~uint32_t{0};
  std::vector<uint32_t> counts, last;  // of each target number: sentence pairs, and the last of them
  std::vector<int32_t> found;          // target numbers with a count
  Comparison comparison;
};

class Search {
 public:
  Search(const SentencePairs& pairs, const std::vector<uint32_t>& chosen, Unit unit, int threads)
      : pairs_(pairs), unit_(unit), threads_(threads), ends_(numbers_in(pairs.source_words(), unit) + 1) {
    for (const uint32_t pair : chosen) {
      for (const int32_t word : pairs.source(pair)) ++ends_[source_number(word) + 1];
    }
    for (size_t number = 1; number < ends_.size(); ++number) ends_[number] += ends_[number - 1];
    occurrences_.resize(ends_.back());
    std::vector<uint64_t> next = ends_;
    for (const uint32_t pair : chosen) {
      for (const int32_t word : pairs.source(pair)) occurrences_[next[source_number(word)]++] = pair;
    }
  }

  /// How many sentence pairs are needed, at least 2, so that find() finds at most `most` pairs.
  uint32_t needed(size_t most) const {
    std::vector<std::array<uint64_t, kMostNeeded + 1>> histograms(parts());
    each_part([&](size_t part, Row& row) {
      each_pair(part, row, [&](int32_t /*source*/, int32_t /*target*/, uint32_t count, Likeness /*likeness*/) {
        ++histograms[part][std::min(count, kMostNeeded)];
      });
    });
    uint64_t pairs = 0;
    for (uint32_t count = kMostNeeded; count >= 2; --count) {
      for (const auto& histogram : histograms) pairs += histogram[count];
      if (pairs > most) return count + 1;
    }
    return 2;
  }

  PairCounts find(uint32_t needed) const {
    std::vector<std::vector<Found>> found(parts());
    each_part([&](size_t part, Row& row) {
      each_pair(part, row, [&](int32_t source, int32_t target, uint32_t count, Likeness likeness) {
        if (count >= needed) found[part].push_back({source, target, likeness});
      });
    });
    size_t size = 0;
    for (const auto& part : found) size += part.size();
    PairCounts table(size);
    for (const auto& part : found) {
      for (const Found& pair : part) table.insert(pair.source, pair.target, pair.likeness);
    }
    return table;
  }

 private:
  size_t source_number(int32_t word) const {
    return static_cast<size_t>(number_of(pairs_.source_words(), word, unit_));
  }
  size_t parts() const { return (ends_.size() - 1 + kRows - 1) / kRows; }

  Likeness likeness_of(int32_t source, int32_t target, Comparison& comparison) const {
    if (unit_ == Unit::kClasses) return Likeness::kUnlike;
    return comparison.likeness(pairs_.source_words()[source], pairs_.target_words()[target]);
  }

  template <typename Each>
  void each_part(const Each& each) const {
    std::vector<Row> rows(static_cast<size_t>(std::max(threads_, 1)), Row(numbers_in(pairs_.target_words(), unit_)));
    core::parallel_for(parts(), threads_, [&](size_t part, int worker) {
      core::throw_if_stopped("aligning words");
      each(part, rows[static_cast<size_t>(worker)]);
    });
  }

  /// Calls each(source, target, sentence pairs, likeness) for each pair that cooccurs. Pairs that are alike count as in
  /// one sentence pair more.
  template <typename Each>
  void each_pair(size_t part, Row& row, const Each& each) const {
    const size_t end = std::min((part + 1) * kRows, ends_.size() - 1);
    for (size_t source = part * kRows; source < end; ++source) {
      count(source, row);
      for (const int32_t target : row.found) {
        const Likeness likeness = likeness_of(static_cast<int32_t>(source), target, row.comparison);
        const bool alike = likeness == Likeness::kAlike || likeness == Likeness::kVeryAlike;
        each(static_cast<int32_t>(source), target, row.counts[static_cast<size_t>(target)] + (alike ? 1 : 0), likeness);
        row.counts[static_cast<size_t>(target)] = 0;
        row.last[static_cast<size_t>(target)] = Row::kNone;
      }
      row.found.clear();
    }
  }

  void count(size_t source, Row& row) const {
    const auto occurrences = std::span(occurrences_).subspan(ends_[source], ends_[source + 1] - ends_[source]);
    for (const uint32_t pair : occurrences) {
      for (const int32_t word : pairs_.target(pair)) {
        const int32_t target = number_of(pairs_.target_words(), word, unit_);
        const auto at = static_cast<size_t>(target);
        if (row.last[at] == pair) continue;
        row.last[at] = pair;
        if (row.counts[at]++ == 0) row.found.push_back(target);
      }
    }
  }

  const SentencePairs& pairs_;
  Unit unit_;
  int threads_;
  std::vector<uint64_t> ends_;         // of each source number, in occurrences_
  std::vector<uint32_t> occurrences_;  // the sentence pairs of each source number
};

}  // namespace

Cooccurrences cooccurring_pairs(const SentencePairs& pairs, const std::vector<uint32_t>& chosen, Unit unit, size_t most,
                                int threads) {
  uint64_t cells = 0;
  for (const uint32_t pair : chosen) cells += pairs.source(pair).size() * pairs.target(pair).size();
  const Search search(pairs, chosen, unit, threads);
  const uint32_t needed = cells <= most ? 2 : search.needed(most);
  return {search.find(needed), needed == 2};
}

}  // namespace ventris::alignment
