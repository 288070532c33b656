#include "encoding/encoder_pool.h"

#include <gtest/gtest.h>

#include <future>

#include "core/error.h"
#include "encoding/table_pools.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::encoding {
namespace {

TEST(EncoderPool, LendsEachEncoderToOneAtATime) {
  const EncoderPool pool = test::bert_pool();  // two encoders
  auto first = pool.lend();
  std::future<const decoding::TextEncoder*> third;
  const decoding::TextEncoder* of_second = nullptr;
  {
    auto second = pool.lend();
    of_second = second->get();
    EXPECT_NE(first->get(), of_second);
    third = std::async(std::launch::async, [&pool]() -> const decoding::TextEncoder* {
      auto lent = pool.lend();
      return lent->get();
    });
  }
  EXPECT_EQ(third.get(), of_second) << "it waits until one is given back";
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
