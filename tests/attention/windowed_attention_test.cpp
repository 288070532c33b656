#include "attention/windowed_attention.h"

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "nn/masks.h"
#include "nn/random_scope.h"

namespace ventris::attention {
namespace {

using torch::Tensor;

WindowedAttention make_windowed(const Window& window, int64_t d_v = 0, double dropout = 0) {
  torch::manual_seed(1);
  return WindowedAttention(MultiHeadAttentionOptions(8, 2).dropout(dropout).d_v(d_v), window);
}

/// What attention with a mask over all positions computes.
Tensor masked(WindowedAttention& attention, const Tensor& x, const Tensor& mask) {
  return attention->MultiHeadAttentionImpl::forward(x, x, x,
                                                    mask.logical_and(window_mask(attention->window, x.size(1))));
}

struct Case {
  Window window;
  int64_t len, d_v;
};

class WindowedAttentionOfEachShape : public testing::TestWithParam<Case> {
 protected:
  WindowedAttention attention = make_windowed(GetParam().window, GetParam().d_v);
  const int64_t len = GetParam().len;
  /// The second sentence has 3 tokens less.
  const Tensor ids = torch::ones({2, len}, torch::kLong).index_put_({1, torch::indexing::Slice(len - 3)}, 0);
  const Tensor mask = GetParam().window.causal ? nn::target_mask(ids, 0) : nn::padding_mask(ids, 0);
};

TEST_P(WindowedAttentionOfEachShape, BlocksComputeWhatAMaskDoes) {
  const auto x = torch::randn({2, len, 8}, torch::requires_grad());
  const Tensor expected = masked(attention, x, mask), found = attention(x, x, x, mask);
  EXPECT_TRUE(torch::allclose(found, expected, 1e-4, 1e-5));
  const Tensor wanted = torch::autograd::grad({expected.square().sum()}, {x})[0];
  EXPECT_TRUE(torch::allclose(torch::autograd::grad({found.square().sum()}, {x})[0], wanted, 1e-4, 1e-5));
}

TEST_P(WindowedAttentionOfEachShape, WatchedWeightsAreThoseOfTheMask) {
  const auto x = torch::randn({2, len, 8});
  const nn::AttentionWatch watch({attention.get()});
  const Tensor found = attention(x, x, x, mask);
  const auto hidden = mask.logical_and(window_mask(attention->window, len)).logical_not().unsqueeze(1);
  EXPECT_EQ(watch.kept(0).sizes(), (std::vector<int64_t>{2, 2, len, len}));
  EXPECT_TRUE(watch.kept(0).masked_select(hidden.expand_as(watch.kept(0))).eq(0).all().item<bool>());
}

INSTANTIATE_TEST_SUITE_P(Shapes, WindowedAttentionOfEachShape,
                         testing::Values(Case{{1, 0, false}, 6, 0}, Case{{1, 0, true}, 6, 0},
                                         Case{{3, 2, false}, 12, 0}, Case{{3, 2, true}, 12, 0},
                                         Case{{4, 0, false}, 17, 5}, Case{{4, 1, true}, 17, 5},
                                         Case{{2, 9, false}, 7, 0}, Case{{2, 9, true}, 7, 0}));

TEST(WindowedAttention, ATextNoLongerThanTheWindowGetsExactlyFullAttention) {
  auto attention = make_windowed({5, 0, false});
  const auto x = torch::randn({2, 6, 8});
  EXPECT_TRUE(torch::equal(attention(x, x, x), attention->MultiHeadAttentionImpl::forward(x, x, x)));
  const auto longer = torch::randn({2, 7, 8});
  EXPECT_FALSE(torch::allclose(attention(longer, longer, longer),
                               attention->MultiHeadAttentionImpl::forward(longer, longer, longer)));
}

TEST(WindowedAttention, WithoutAMaskAllPositionsAreVisible) {
  auto attention = make_windowed({2, 1, false});
  const auto x = torch::randn({2, 9, 8});
  EXPECT_TRUE(torch::equal(attention(x, x, x), attention(x, x, x, torch::ones({1, 1, 9}, torch::kBool))));
}

TEST(WindowedAttention, PositionsBeyondTheWindowChangeNothing) {
  auto attention = make_windowed({2, 0, false});
  auto x = torch::randn({1, 9, 8});
  const Tensor before = attention(x, x, x);
  x.select(1, 8).fill_(9);
  const Tensor after = attention(x, x, x);
  EXPECT_TRUE(torch::equal(before.narrow(1, 0, 6), after.narrow(1, 0, 6)));
  EXPECT_FALSE(torch::allclose(before.select(1, 6), after.select(1, 6)));
}

TEST(WindowedAttention, GlobalPositionsSeeAllAndAreSeenByAll) {
  auto attention = make_windowed({1, 1, false});
  auto x = torch::randn({1, 9, 8});
  const Tensor before = attention(x, x, x);
  x.select(1, 8).fill_(9);
  EXPECT_FALSE(torch::allclose(before.select(1, 0), attention(x, x, x).select(1, 0)));
  x.select(1, 0).fill_(9);
  EXPECT_FALSE(torch::allclose(before.select(1, 4), attention(x, x, x).select(1, 4)));
}

TEST(WindowedAttention, OnlyPaddingGivesFiniteNumbersAndGradients) {
  auto attention = make_windowed({1, 1, false});
  const auto x = torch::randn({1, 5, 8}, torch::requires_grad());
  const Tensor found = attention(x, x, x, torch::zeros({1, 1, 5}, torch::kBool));
  found.square().sum().backward();
  EXPECT_TRUE(found.isfinite().all().item<bool>());
  EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
}

TEST(WindowedAttention, DropoutDrawsFromTheRandomScope) {
  auto attention = make_windowed({1, 1, false}, 0, 0.5);
  const auto x = torch::randn({2, 6, 8});
  const auto with_seed = [&](uint64_t seed) {
    const nn::RandomScope scope(at::detail::createCPUGenerator(seed));
    return attention(x, x, x);
  };
  EXPECT_TRUE(torch::equal(with_seed(5), with_seed(5)));
  EXPECT_FALSE(torch::allclose(with_seed(5), with_seed(6)));
}

TEST(WindowedAttention, ASlotKeepsTheKeyOfAPositionUntilNoLaterOneSeesIt) {
  const Window window{2, 1, true};
  std::vector<int64_t> kept(static_cast<size_t>(window.slots()), -1);
  for (int64_t position = 0; position < 20; ++position) {
    kept[static_cast<size_t>(window.slot(position))] = position;
    const Tensor seen = window_mask(window, 20)[0][position];
    for (int64_t other = 0; other < 20; ++other) {
      EXPECT_EQ(seen[other].item<bool>(), std::ranges::find(kept, other) != kept.end()) << position << " " << other;
    }
  }
}

TEST(WindowedAttention, RefusesWhatItCannotCompute) {
  EXPECT_THROW(make_windowed({0, 0, false}), std::invalid_argument);
  EXPECT_THROW(make_windowed({1, -1, false}), std::invalid_argument);
  auto attention = make_windowed({1, 0, false});
  const auto x = torch::randn({1, 5, 8}), y = torch::randn({1, 5, 8});
  EXPECT_THROW(attention(x, y, y), c10::Error);
  EXPECT_THROW(attention(x, x, x, torch::ones({1, 5, 5}, torch::kBool)), c10::Error);
  auto causal = make_windowed({1, 0, true});
  EXPECT_THROW(causal(x, x, x), c10::Error);
}

TEST(WindowedAttention, PrintsItsWindow) {
  std::ostringstream text;
  make_windowed({3, 2, false})->pretty_print(text);
  EXPECT_NE(text.str().find("window of 3 positions to each side, with 2 global ones"), std::string::npos);
}

}  // namespace
}  // namespace ventris::attention
