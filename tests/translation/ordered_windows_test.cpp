#include "translation/ordered_windows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::translation {
namespace {

struct Item {
  int value = 0;
  ItemBytes bytes;
};

/// Hands out the numbers from 0 to 9; each item is its number squared.
OrderedWork<int, Item> squares(std::vector<int>& out) {
  OrderedWork<int, Item> work;
  work.noun = "number";
  work.source = [next = 0](int& request) mutable { return request = next, next++ < 10; };
  work.ready = [] { return true; };
  work.encode = [](const int& request) -> Item { return {request, {10 * int64_t{request}, 1}}; };
  work.size = [](const Item& item) -> BatchItem { return {1 + item.value % 3}; };
  work.lane = [](std::vector<Item>& items, WindowQueue& queue, int /*worker*/) {
    queue.each_batch([&](const std::vector<size_t>& batch) {
      for (const size_t i : batch) items[i].value *= items[i].value;
    });
  };
  work.hand_out = [&](const Item& item) { out.push_back(item.value); };
  return work;
}

bool fail_at(int request) { fail<DataError>("request ", request, " is bad"); }

const std::vector<int> kSquares{0, 1, 4, 9, 16, 25, 36, 49, 64, 81};

TEST(OrderedWindows, ItemsComeOutInTheOrderOfTheRequests) {
  for (const int64_t window : {1, 4, 100}) {
    for (const int64_t batch : {1, 2, 64}) {
      for (const int workers : {1, 3}) {
        std::vector<int> out;
        run_in_order({{batch, 100}, window, 1, workers}, squares(out));
        EXPECT_EQ(out, kSquares);
      }
    }
  }
}

TEST(OrderedWindows, WhatEachRequestWeighsIsToldOnce) {
  std::vector<int> out;
  std::vector<int64_t> told;
  auto work = squares(out);
  work.watch = [&](const Item& item) { told.push_back(item.bytes.told); };
  run_in_order({{2, 100}, 5, 1, 2}, work);
  std::sort(told.begin(), told.end());
  EXPECT_EQ(told, (std::vector<int64_t>{0, 10, 20, 30, 40, 50, 60, 70, 80, 90}));
}

TEST(OrderedWindows, AnItemWithoutLengthIsHandedOutWithoutWork) {
  std::vector<int> out;
  auto work = squares(out);
  work.size = [](const Item& item) -> BatchItem { return {item.value == 3 ? 0 : 1}; };
  run_in_order({{2, 100}, 5, 1, 2}, work);
  EXPECT_EQ(out, (std::vector<int>{0, 1, 4, 3, 16, 25, 36, 49, 64, 81}));
}

/// The item 3 cannot be moved into a list, because there is no memory for it.
struct HeavyItem : Item {
  HeavyItem() = default;
  explicit HeavyItem(int number) : Item{number, {10, 1}} {}
  HeavyItem(HeavyItem&& other) : Item(other) {  // NOLINT(*-noexcept-move*): that is what is tried
    if (value == 3) throw std::bad_alloc();
  }
  HeavyItem& operator=(HeavyItem&& other) = default;
};

TEST(OrderedWindows, WithoutMemoryForAnItemTheEarlierOnesAreHandedOut) {
  std::vector<int> out;
  OrderedWork<int, HeavyItem> work;
  work.source = [next = 0](int& request) mutable { return request = next, next++ < 10; };
  work.ready = [] { return true; };
  work.encode = [](const int& request) { return HeavyItem(request); };
  work.size = [](const HeavyItem&) -> BatchItem { return {1}; };
  work.lane = [](std::vector<HeavyItem>& items, WindowQueue& queue, int /*worker*/) {
    queue.each_batch([&](const std::vector<size_t>& batch) {
      for (const size_t i : batch) EXPECT_LT(i, items.size());
    });
  };
  work.hand_out = [&](const HeavyItem& item) { out.push_back(item.value); };
  EXPECT_THROW(run_in_order({{2, 100}, 100, 1, 1}, work), std::bad_alloc);
  EXPECT_EQ(out, (std::vector<int>{0, 1, 2}));
}

TEST(OrderedWindows, WhatAFunctionThrowsReachesTheCaller) {
  std::vector<int> out;
  auto work = squares(out);
  work.lane = [](std::vector<Item>&, WindowQueue&, int) { fail<ModelError>("broken weights"); };
  EXPECT_FAILS(run_in_order({{2, 100}, 5, 1, 2}, work), ModelError, "broken weights");
}

TEST(OrderedWindows, IfARequestCannotBeReadThoseBeforeItAreHandedOutFirst) {
  for (const int64_t window : {1, 3, 100}) {
    std::vector<int> out;
    auto work = squares(out);
    const auto source = work.source;
    work.source = [&](int& request) { return source(request) && (request < 7 || fail_at(request)); };
    EXPECT_FAILS(run_in_order({{2, 100}, window, 1, 2}, work), DataError, "request 7 is bad");
    EXPECT_EQ(out, std::vector<int>(kSquares.begin(), kSquares.begin() + 7));
    out.clear();
    work = squares(out);
    work.encode = [](const int& request) -> Item { return {static_cast<int>(fail_at(request)), {}}; };
    EXPECT_FAILS(run_in_order({{2, 100}, window, 1, 2}, work), DataError, "request 0 is bad");
    out.clear();
    work = squares(out);
    int asked = 0;
    work.ready = [&] { return ++asked < 3 || fail_at(asked); };
    EXPECT_FAILS(run_in_order({{2, 100}, 100, 1, 2}, work), DataError, "request 3 is bad");
    EXPECT_EQ(out, std::vector<int>(kSquares.begin(), kSquares.begin() + 3));
  }
}

}  // namespace
}  // namespace ventris::translation
