#include "translation/lending_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace ventris::translation {
namespace {

TEST(LendingPool, AThingServesOneThreadAtATime) {
  struct Thing {
    int users = 0, uses = 0;
  };
  LendingPool<Thing> pool;
  pool.add({});
  pool.add({});
  std::atomic<bool> shared = false;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 5; ++i) {
      threads.emplace_back([&] {
        for (int use = 0; use < 200; ++use) {
          const auto thing = pool.lend();
          if (++thing->users != 1) shared = true;
          std::this_thread::yield();
          ++thing->uses;
          --(*thing).users;
        }
      });
    }
  }
  EXPECT_FALSE(shared);
  const auto first = pool.lend(), second = pool.lend();
  EXPECT_EQ(first->uses + second->uses, 5 * 200);
}

TEST(LendingPool, WhatWasGivenBackLastIsLentFirst) {
  LendingPool<int> pool;
  for (const int number : {1, 2, 3}) pool.add(number);
  EXPECT_EQ(pool.first(), 1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(*pool.lend(), 3);
}

TEST(LendingPool, AThreadThatDoesNotWaitGetsNothingIfAllAreLent) {
  LendingPool<int> pool;
  pool.add(1);
  EXPECT_FALSE(pool.held_here());
  {
    const auto lent = pool.lend();
    EXPECT_TRUE(pool.held_here());
    EXPECT_EQ(pool.lend_if_free(), nullptr);
    bool elsewhere = true;
    std::jthread([&] { elsewhere = pool.held_here(); }).join();
    EXPECT_FALSE(elsewhere);
  }
  EXPECT_FALSE(pool.held_here());
  EXPECT_EQ(*pool.lend_if_free(), 1);
}

}  // namespace
}  // namespace ventris::translation
