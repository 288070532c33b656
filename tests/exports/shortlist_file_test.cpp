#include "exports/shortlist_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace ventris::exports {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Rows = std::vector<uint32_t>;

/// The numbers of a file, in the order of its format.
struct ReadShortlist {
  explicit ReadShortlist(const std::string& bytes) {
    size_t at = 16;  // magic and checksum, which tests/imports checks
    const auto next = [&](auto& number) {
      std::memcpy(&number, bytes.data() + at, sizeof number);
      at += sizeof number;
    };
    uint64_t count = 0, pieces = 0;
    next(first);
    next(best);
    next(count);
    next(pieces);
    std::vector<uint64_t> begins(count);
    for (uint64_t& begin : begins) next(begin);
    Rows all(pieces);
    for (uint32_t& row : all) next(row);
    EXPECT_EQ(at, bytes.size());
    EXPECT_EQ(begins.back(), pieces);
    for (size_t i = 0; i + 1 < count; ++i) {
      lists.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(begins[i]),
                         all.begin() + static_cast<std::ptrdiff_t>(begins[i + 1]));
    }
  }
  uint64_t first = 0, best = 0;
  std::vector<Rows> lists;  // of each row of the source
};

/// A lexicon of 6 source ids and 9 target ids; 0 to 3 are padding, unknown, start and end.
model::Lexicon lexicon(std::vector<int32_t> frequent) {
  return {{6, 9, 1, 2}, std::move(frequent), {{}, {5}, {4}, {3}, {8, 4, 2}, {7, 8, 6}}};
}

TEST(MarianShortlist, HasTheRowsOfMarianInAscendingOrder) {
  const ReadShortlist found(marian_shortlist(lexicon({3, 1, 4}), {}, 1));
  EXPECT_EQ(found.first, 3U) << "the frequent ids are the first rows: </s>, <unk>, 4";
  EXPECT_EQ(found.best, 50U);
  EXPECT_THAT(found.lists, ElementsAre(Rows{0}, Rows{3}, Rows{2, 6}, Rows{4, 5, 6})) << "start has no row";
}

TEST(MarianShortlist, OtherFrequentIdsAreTranslationsOfTheEnd) {
  const ReadShortlist found(marian_shortlist(lexicon({8, 2, 4}), {}, 1));
  EXPECT_EQ(found.first, 2U);
  EXPECT_THAT(found.lists.at(0), ElementsAre(2, 6)) << "without its own";
  const ReadShortlist one(marian_shortlist(lexicon({8, 1, 4}), {.first = 2}, 1));
  EXPECT_THAT(one.lists.at(0), ElementsAre(6)) << "the first rows are in every shortlist";
  const ReadShortlist none(marian_shortlist(lexicon({3, 1, 4}), {.first = 0}, 1));
  EXPECT_EQ(none.first, 2U) << "the end can always be written";
}

TEST(MarianShortlist, HasTheBestOfEachList) {
  const ReadShortlist found(marian_shortlist(lexicon({}), {.best = 2}, 1));
  EXPECT_THAT(found.lists.at(3), ElementsAre(5, 6)) << "7 and 8";
}

TEST(MarianShortlist, FillersHaveNoTranslations) {
  const ReadShortlist found(marian_shortlist(lexicon({}), {}, 8));
  ASSERT_EQ(found.lists.size(), 8U);
  EXPECT_THAT(found.lists.at(7), IsEmpty());
}

TEST(MarianShortlist, NoListHasMoreThanALexiconMayHave) {
  constexpr int32_t kIds = 1500;
  std::vector<int32_t> frequent;
  for (int32_t id = kIds; id > 4; --id) frequent.push_back(id - 1);
  std::vector<std::vector<int32_t>> pieces(4);
  const ReadShortlist found(marian_shortlist({{4, kIds, 1, 2}, frequent, pieces}, {.first = kIds}, 1));
  EXPECT_EQ(found.lists.at(0).size(), model::Lexicon::kMostPieces);
  EXPECT_EQ(found.lists.at(0).back(), kIds - 3U) << "the most frequent ones";
}

}  // namespace
}  // namespace ventris::exports
