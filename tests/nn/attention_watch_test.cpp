#include "nn/attention_watch.h"

#include <gtest/gtest.h>

#include <thread>

#include "attention/multi_head_attention.h"

namespace ventris::nn {
namespace {

using torch::Tensor;

attention::MultiHeadAttention small_attention() {
  torch::manual_seed(3);
  attention::MultiHeadAttention attention(attention::MultiHeadAttentionOptions(8, 2).dropout(0));
  return attention;
}

TEST(AttentionWatch, KeepsTheWeightsOfForwardAndLeavesItsResult) {
  auto attention = small_attention();
  const Tensor query = torch::randn({2, 3, 8}), memory = torch::randn({2, 4, 8});
  const Tensor plain = attention(query, memory, memory);
  const AttentionWatch watch({attention.get()});
  EXPECT_FALSE(watch.kept(0).defined());
  EXPECT_TRUE(torch::allclose(attention(query, memory, memory), plain, 1e-5, 1e-6));
  EXPECT_TRUE(torch::equal(watch.kept(0), attention->forward_with_weights(query, memory, memory).second));
}

TEST(AttentionWatch, LeavesOtherBlocksAlone) {
  auto watched = small_attention(), other = small_attention();
  const AttentionWatch watch({watched.get()});
  other(torch::randn({1, 3, 8}), torch::randn({1, 3, 8}), torch::randn({1, 3, 8}));
  EXPECT_FALSE(watch.kept(0).defined());
  EXPECT_EQ(AttentionWatch::place_for(*other), nullptr);
}

TEST(AttentionWatch, InnerScopesWatchForThemselvesAndEnd) {
  auto attention = small_attention(), second = small_attention();
  const Tensor x = torch::randn({1, 3, 8});
  const AttentionWatch outer({attention.get(), second.get()});
  {
    const AttentionWatch inner({attention.get()});
    attention(x, x, x);
    second(x, x, x);
    EXPECT_TRUE(inner.kept(0).defined());
  }
  EXPECT_FALSE(outer.kept(0).defined());
  EXPECT_TRUE(outer.kept(1).defined());
  attention(x, x, x);
  EXPECT_TRUE(outer.kept(0).defined());
}

TEST(AttentionWatch, BelongsToOneThread) {
  auto attention = small_attention();
  const Tensor x = torch::randn({1, 3, 8});
  const AttentionWatch watch({attention.get()});
  std::thread([&] { attention(x, x, x); }).join();
  EXPECT_FALSE(watch.kept(0).defined());
}

}  // namespace
}  // namespace ventris::nn
