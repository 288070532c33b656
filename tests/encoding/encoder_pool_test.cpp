#include "encoding/encoder_pool.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "core/error.h"
#include "encoding/table_pools.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::encoding {
namespace {

TEST(EncoderPool, LendsEachEncoderToOneAtATime) {
  const EncoderPool pool = test::bert_pool();  // two encoders
  std::array<const decoding::TextEncoder*, 2> encoders{};
  {
    const auto first = pool.lend(), second = pool.lend();
    encoders = {first->get(), second->get()};
    EXPECT_NE(encoders[0], encoders[1]);
  }
  std::array<std::atomic<int>, 2> users{}, uses{};
  std::atomic<bool> shared = false;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 5; ++i) {
      threads.emplace_back([&] {
        for (int use = 0; use < 200; ++use) {
          const auto lent = pool.lend();
          const size_t number = lent->get() == encoders[0] ? 0 : 1;
          if (++users[number] != 1 || lent->get() != encoders[number]) shared = true;
          std::this_thread::yield();
          ++uses[number];
          --users[number];
        }
      });
    }
  }
  EXPECT_FALSE(shared);
  EXPECT_EQ(uses[0] + uses[1], 5 * 200) << "whoever finds none waits until one is given back";
}

TEST(EncoderPool, SaysWhatTheModelIs) {
  const EncoderPool pool = test::classifier_pool({1, 0, 0});
  EXPECT_EQ(pool.info().labels, 3);
  EXPECT_EQ(pool.info().width, 4);
  EXPECT_EQ(pool.package().path, "classifier");
}

TEST(EncoderPool, OpensTheModelOfAFolder) {
  const test::TempFolder folder;
  test::write_tiny_bert(folder.path("bert"));
  const EncoderPool pool(folder.path("bert"), LineOptions{});
  EXPECT_EQ(pool.info().last_layer, 1);
  EXPECT_TRUE(pool.info().predicts_tokens);
  EXPECT_FAILS(EncoderPool(folder.path("none"), LineOptions{}), ModelError, "none");
}

}  // namespace
}  // namespace ventris::encoding
