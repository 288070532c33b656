#include "documents/nesting.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace ventris::documents {
namespace {

using Kind = Mark::Kind;

PlacedObject object(size_t number, size_t at, bool found) { return {number, {at, found ? at + 3 : at}, found}; }

/// One pair around object 1 of three, in bytes [10, 20) of the target.
struct OnePair {
  std::vector<Mark> marks{{0, Kind::kOpen, "<b>"}, {5, Kind::kClose, "</b>"}};
  std::vector<size_t> before{1, 2};
  std::vector<PlacedMark> placed{{10, &marks[0], Kind::kOpen}, {20, &marks[1], Kind::kClose}};

  size_t place_of(size_t number, size_t at, bool found) const {
    std::vector<PlacedObject> objects{object(0, 0, true), object(1, 12, true), object(2, 30, true)};
    objects[number] = object(number, at, found);
    keep_nested(objects, marks, before, placed);
    return objects[number].place.begin;
  }
};

TEST(KeepNested, AnObjectComesBackIntoItsPair) {
  const OnePair pair;
  EXPECT_EQ(pair.place_of(1, 3, true), 10U);
  EXPECT_EQ(pair.place_of(1, 3, false), 10U);
  EXPECT_EQ(pair.place_of(1, 25, true), 20U);
  EXPECT_EQ(pair.place_of(1, 14, true), 14U);
}

TEST(KeepNested, OnlyAnObjectWhoseWordWasNotFoundLeavesAPairOfOthers) {
  const OnePair pair;
  EXPECT_EQ(pair.place_of(0, 14, false), 10U);
  EXPECT_EQ(pair.place_of(2, 14, false), 20U);
  EXPECT_EQ(pair.place_of(2, 14, true), 14U) << "its word is where it belongs in the sentence";
}

TEST(KeepNested, APairThatWasLeftOutDoesNotCount) {
  OnePair pair;
  pair.placed.clear();
  EXPECT_EQ(pair.place_of(1, 3, true), 3U);
}

TEST(KeepNested, DrawnObjectsAreInAllTheirPairs) {
  rc::check([] {
    const auto depth = *rc::gen::inRange<size_t>(1, 5);
    std::vector<Mark> marks;
    std::vector<size_t> before;
    for (size_t i = 0; i < depth; ++i) marks.push_back({i, Kind::kOpen, "<b>"});
    for (size_t i = 0; i < depth; ++i) marks.push_back({depth + i, Kind::kClose, "</b>"});
    const auto objects_inside = *rc::gen::inRange<size_t>(1, 4);
    for (size_t i = 0; i < 2 * depth; ++i) before.push_back(i < depth ? 0 : objects_inside);
    std::vector<PlacedMark> placed;
    for (size_t i = 0; i < depth; ++i) placed.push_back({10 + i, &marks[i], Kind::kOpen});
    for (size_t i = 0; i < depth; ++i) placed.push_back({30 + i, &marks[depth + i], Kind::kClose});
    std::vector<PlacedObject> objects;
    for (size_t i = 0; i < objects_inside; ++i) {
      objects.push_back(object(i, *rc::gen::inRange<size_t>(0, 50), *rc::gen::arbitrary<bool>()));
    }
    keep_nested(objects, marks, before, placed);
    for (const PlacedObject& one : objects) {
      RC_ASSERT(one.place.begin >= 9 + depth);
      RC_ASSERT(one.place.end <= 30U);
    }
  });
}

}  // namespace
}  // namespace ventris::documents
