#include "layers/prefixes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "support/random_numbers.h"

namespace ventris::layers {
namespace {

using test::RandomNumbers;
using Ids = std::vector<int32_t>;

constexpr size_t kLayers = 2;
constexpr int64_t kWidth = 3;

/// The same with copies of everything: an entry is a number, and its floats follow from it.
class PlainPrefixes {
 public:
  struct Row {
    int32_t sentence;
    std::vector<int> entries;
  };

  void add(int32_t sentence) { rows.push_back({sentence, {}}); }

  /// Returns the sentences that have no rows any more.
  std::set<int32_t> follow(const Ids& parents) {
    std::set<int32_t> done;
    std::vector<Row> next;
    for (const Row& row : rows) done.insert(row.sentence);
    for (const int32_t parent : parents) next.push_back(rows.at(static_cast<size_t>(parent)));
    for (const Row& row : next) done.erase(row.sentence);
    rows = next;
    return done;
  }

  std::vector<Row> rows;
};

float value_of(int entry, size_t layer, int64_t i) {
  return static_cast<float>(entry) + 0.25F * static_cast<float>(layer) + 0.0625F * static_cast<float>(i);
}

/// Both kinds of prefixes, which must agree.
class Pair {
 public:
  explicit Pair(const Reach& reach = {}) : prefixes(kLayers, kWidth, reach) {}

  void add() {
    if (free_.empty()) free_.push_back(sentences_++);
    prefixes.add(free_.back());
    plain.add(free_.back());
    free_.pop_back();
  }
  void follow(const Ids& parents) {
    Ids done;
    prefixes.follow(parents, done);
    const std::set<int32_t> expected = plain.follow(parents);
    EXPECT_EQ(done.size(), expected.size());
    EXPECT_EQ(std::set<int32_t>(done.begin(), done.end()), expected);
    free_.insert(free_.end(), done.begin(), done.end());
  }
  void extend() {
    prefixes.extend();
    for (size_t row = 0; row < plain.rows.size(); ++row) {
      plain.rows[row].entries.push_back(++entries_);
      if (prefixes.reach().slots() == 0) continue;
      for (size_t layer = 0; layer < kLayers; ++layer) {
        for (int64_t i = 0; i < kWidth; ++i) prefixes.newest(layer, row)[i] = value_of(entries_, layer, i);
      }
    }
  }
  void release() {
    prefixes.release();
    clear();
  }
  void clear() {
    prefixes.clear();
    plain.rows.clear();
    free_.resize(static_cast<size_t>(sentences_));
    std::iota(free_.begin(), free_.end(), 0);
  }
  /// The places of all entries are added to `places`.
  void compare(std::set<const float*>& places) {
    ASSERT_EQ(prefixes.rows(), plain.rows.size());
    for (size_t row = 0; row < plain.rows.size(); ++row) {
      const auto& expected = plain.rows[row];
      ASSERT_EQ(prefixes.sentence(row), expected.sentence);
      ASSERT_EQ(prefixes.length(row), static_cast<int64_t>(expected.entries.size()));
      for (size_t layer = 0; layer < kLayers; ++layer) {
        std::vector<const float*> found;
        prefixes.find_places(layer, row, found);
        const auto seen = seen_of(expected.entries);
        ASSERT_EQ(found.size(), seen.size());
        for (size_t t = 0; t < seen.size(); ++t) {
          for (int64_t i = 0; i < kWidth; ++i) ASSERT_EQ(found[t][i], value_of(seen[t], layer, i));
          if (layer == 0) places.insert(found[t]);
        }
      }
    }
  }

  Prefixes prefixes;
  PlainPrefixes plain;

 private:
  /// The entries that the newest position sees, by the definition of its reach.
  std::vector<int> seen_of(const std::vector<int>& entries) const {
    const Reach& reach = prefixes.reach();
    std::vector<int> seen;
    const auto newest = static_cast<int64_t>(entries.size()) - 1;
    const int64_t start = reach.segment > 0 ? newest / reach.segment * reach.segment - (reach.recent - reach.segment)
                          : reach.recent == Reach::kAll ? 0
                                                        : newest - reach.recent + 1;
    for (int64_t i = 0; i <= newest; ++i) {
      if (i >= start || i < reach.globals) seen.push_back(entries[static_cast<size_t>(i)]);
    }
    return seen;
  }

  int entries_ = 0;
  int32_t sentences_ = 0;
  Ids free_;
};

/// Rows to continue: as in a search, each sentence has at most `beam`; now and then one has none.
Ids random_parents(const PlainPrefixes& plain, int64_t beam, RandomNumbers& random) {
  Ids parents;
  for (size_t first = 0, end = 0; first < plain.rows.size(); first = end) {
    while (end < plain.rows.size() && plain.rows[end].sentence == plain.rows[first].sentence) ++end;
    const bool finished = random.between(0, 30) == 0;
    for (int64_t i = finished ? 0 : random.between(1, beam); i > 0; --i) {
      parents.push_back(
          static_cast<int32_t>(random.between(static_cast<int64_t>(first), static_cast<int64_t>(end) - 1)));
    }
  }
  return parents;
}

/// Adds, follows and extends rows at random, and compares both kinds after each step.
void compare_at_random(uint32_t seed, const Reach& reach) {
  RandomNumbers random(seed);
  Pair pair(reach);
  std::set<const float*> places;
  for (int step = 0; step < 150; ++step) {
    const bool keeps = random.between(0, 3) == 0;  // then every row stays where it is
    Ids all(pair.plain.rows.size());
    std::iota(all.begin(), all.end(), 0);
    pair.follow(keeps ? all : random_parents(pair.plain, 4, random));
    while (pair.plain.rows.size() < 12 && random.coin()) pair.add();
    if (random.between(0, 3) > 0) pair.extend();
    if (random.between(0, 99) == 0) pair.clear();
    if (random.between(0, 99) == 0) pair.release();
    ASSERT_NO_FATAL_FAILURE(pair.compare(places)) << "seed " << seed << ", step " << step;
  }
}

TEST(Prefixes, AreThoseOfCopiesWhateverRowsAreAddedFollowedAndExtended) {
  for (uint32_t seed = 0; seed < 20; ++seed) ASSERT_NO_FATAL_FAILURE(compare_at_random(seed, {}));
}

TEST(Prefixes, SeeWhatIsWithinReach) {
  const Reach all[] = {{0, 1}, {0, 4}, {3, 4}, {0, 5, 5}, {0, 9, 4}, {0, 5, 4}, {0, 40, 1}, {0, 0}};
  for (uint32_t seed = 0; seed < 32; ++seed) ASSERT_NO_FATAL_FAILURE(compare_at_random(seed, all[seed % 8]));
}

TEST(Prefixes, WhatIsOutOfReachIsUsedAgain) {
  for (const Reach reach : {Reach{0, 10}, Reach{4, 6}, Reach{0, 10, 5}}) {
    Pair pair(reach);
    std::set<const float*> places;
    pair.add();
    for (int step = 0; step < 2000; ++step) {
      pair.extend();
      pair.compare(places);
      pair.follow({0, 0, 0});
    }
    EXPECT_LE(places.size(), 256U) << "30 entries are needed at a time";
  }
}

TEST(Prefixes, MayBecomeLong) {
  Pair pair;
  std::set<const float*> places;
  pair.add();
  for (int step = 0; step < 300; ++step) {
    if (step == 40) pair.add();  // one that is behind
    if (step % 7 == 6) pair.follow(step < 40 ? Ids{0} : Ids{1, 0});
    pair.extend();
  }
  pair.compare(places);
  EXPECT_EQ(places.size(), 560U);
}

TEST(Prefixes, EntriesOfFinishedSentencesAreUsedAgain) {
  Pair pair;
  std::set<const float*> places;
  pair.add();
  for (int sentence = 0; sentence < 300; ++sentence) {
    pair.add();
    for (int step = 0; step < 20; ++step) {
      pair.extend();
      pair.follow(step == 0 ? Ids{0, 1, 1} : Ids{0, 2, 1});
      ASSERT_NO_FATAL_FAILURE(pair.compare(places));
    }
    pair.follow({1});  // the older sentence is finished
  }
  EXPECT_LE(places.size(), 256U) << "of some 18,000 entries, those of two sentences exist at a time";
}

TEST(Prefixes, EntriesOfDroppedRowsAreUsedAgainBeforeTheSentenceIsFinished) {
  Pair pair;
  std::set<const float*> places;
  pair.add();
  for (int step = 0; step < 200; ++step) {
    pair.extend();
    ASSERT_NO_FATAL_FAILURE(pair.compare(places));
    pair.follow(step == 0 ? Ids{0, 0, 0, 0, 0} : Ids{step % 5, step % 5, step % 5, step % 5, step % 5});
  }
  EXPECT_LE(places.size(), 256U) << "of 996 entries, one row has 200";
}

TEST(Prefixes, EntriesAreUsedAgainAfterClear) {
  Pair pair;
  std::set<const float*> places;
  for (int round = 0; round < 50; ++round) {
    for (int i = 0; i < 5; ++i) pair.add();
    for (int step = 0; step < 20; ++step) pair.extend();
    pair.compare(places);
    pair.clear();
    EXPECT_EQ(pair.prefixes.rows(), 0U);
  }
  EXPECT_LE(places.size(), 256U);
}

TEST(Prefixes, RowsShareTheirCommonBeginning) {
  Pair pair;
  pair.add();
  for (int step = 0; step < 5; ++step) pair.extend();
  pair.follow({0, 0});
  pair.extend();
  for (size_t layer = 0; layer < kLayers; ++layer) {
    std::vector<const float*> first, found;
    pair.prefixes.find_places(layer, 0, first);
    ASSERT_EQ(first.size(), 6U);
    pair.prefixes.find_places(layer, 1, found);
    EXPECT_TRUE(std::equal(first.begin(), first.end() - 1, found.begin()));
    EXPECT_NE(first.back(), found[5]);
  }
}

}  // namespace
}  // namespace ventris::layers
