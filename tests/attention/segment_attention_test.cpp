#include "attention/segment_attention.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "nn/masks.h"
#include "nn/random_scope.h"

namespace ventris::attention {
namespace {

using torch::Tensor;
using torch::indexing::Slice;

/// Its u and v are not 0.
SegmentAttention make_segments(const Segments& segments, int64_t d_v = 0, double dropout = 0) {
  torch::manual_seed(1);
  SegmentAttention attention(MultiHeadAttentionOptions(8, 2).dropout(dropout).d_v(d_v), segments);
  const torch::NoGradGuard no_grad;
  attention->r_w_bias.normal_();
  attention->r_r_bias.normal_();
  return attention;
}

/// The formula with all positions, a mask and the distance of every pair: [batch, len, d_model].
Tensor pair_by_pair(SegmentAttention& attention, const Tensor& x, const Tensor& mask) {
  const int64_t len = x.size(1), heads = attention->options.heads(), width = attention->options.key_width();
  const Tensor q = attention->project(0, x), k = attention->project(1, x), v = attention->project(2, x);
  const Tensor places = torch::arange(len), distances = (places.unsqueeze(1) - places).flatten();
  const Tensor far = attention->distance_keys(distances).view({heads, width, len, len});
  const auto with = [&](const Tensor& bias) { return q + bias.view({heads, 1, width}); };
  const Tensor scores = torch::einsum("bhid,bhjd->bhij", {with(attention->r_w_bias), k}) +
                        torch::einsum("bhid,hdij->bhij", {with(attention->r_r_bias), far});
  const Tensor seen = mask.logical_and(segment_mask(attention->segments, len)).unsqueeze(1);
  const Tensor weights = (scores / std::sqrt(static_cast<double>(width))).masked_fill(seen.logical_not(), -1e9);
  const Tensor mixed = torch::matmul(weights.softmax(-1).masked_fill(seen.logical_not(), 0), v);
  return attention->linears->ptr<nn::LinearImpl>(3)->forward(mixed.transpose(1, 2).flatten(2));
}

struct SegmentCase {
  Segments segments;
  int64_t len, d_v;
};

class SegmentAttentionOfEachShape : public testing::TestWithParam<SegmentCase> {
 protected:
  SegmentAttention attention = make_segments(GetParam().segments, GetParam().d_v);
  const int64_t len = GetParam().len;
  const bool causal = GetParam().segments.causal;
  /// The second sentence has 3 tokens less.
  const Tensor ids = torch::ones({2, len}, torch::kLong).index_put_({1, Slice(len - 3)}, 0);
  const Tensor mask = causal ? nn::target_mask(ids, 0) : nn::padding_mask(ids, 0);
};

TEST_P(SegmentAttentionOfEachShape, BlocksComputeTheFormulaOfEveryPair) {
  const auto x = torch::randn({2, len, 8});
  EXPECT_TRUE(torch::allclose(attention(x, x, x, mask), pair_by_pair(attention, x, mask), 1e-4, 1e-5));
  const torch::NoGradGuard no_grad;
  EXPECT_TRUE(torch::allclose(attention(x, x, x, mask), pair_by_pair(attention, x, mask), 1e-4, 1e-5));
}

TEST_P(SegmentAttentionOfEachShape, ParametersLearnFromTheMemory) {
  const auto x = torch::randn({2, len, 8}), target = torch::randn({2, len, 8});
  const auto parameters = attention->parameters();
  const auto wanted = torch::autograd::grad({(pair_by_pair(attention, x, mask) * target).sum()}, parameters);
  const auto found = torch::autograd::grad({(attention(x, x, x, mask) * target).sum()}, parameters);
  for (size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_TRUE(torch::allclose(found[i], wanted[i], 1e-4, 1e-4)) << attention->named_parameters().keys()[i];
  }
}

TEST_P(SegmentAttentionOfEachShape, NoGradientFlowsIntoEarlierSegments) {
  const int64_t size = GetParam().segments.size;
  for (int64_t start = 0; start < len; start += size) {
    const auto x = torch::randn({2, len, 8}, torch::requires_grad());
    const Tensor of_segment = attention(x, x, x, mask).slice(1, start, start + size).square().sum();
    const Tensor found = torch::autograd::grad({of_segment}, {x})[0];
    EXPECT_TRUE(found.slice(1, 0, start).eq(0).all().item<bool>()) << start;
    EXPECT_TRUE(found.slice(1, start + size).eq(0).all().item<bool>()) << start;
    EXPECT_TRUE(found[0].slice(0, start, start + size).ne(0).any().item<bool>()) << start;
  }
}

TEST_P(SegmentAttentionOfEachShape, WatchedWeightsAreThoseOfTheResult) {
  const auto x = torch::randn({2, len, 8});
  const Tensor expected = attention(x, x, x, mask);
  const nn::AttentionWatch watch({attention.get()});
  EXPECT_TRUE(torch::equal(attention(x, x, x, mask), expected));
  const Tensor weights = watch.kept(0), v = attention->project(2, x);
  EXPECT_EQ(weights.sizes(), (std::vector<int64_t>{2, 2, len, len}));
  const auto hidden = mask.logical_and(segment_mask(attention->segments, len)).logical_not().unsqueeze(1);
  EXPECT_TRUE(weights.masked_select(hidden.expand_as(weights)).eq(0).all().item<bool>());
  const Tensor mixed = torch::matmul(weights, v).transpose(1, 2).flatten(2);
  EXPECT_TRUE(torch::allclose(attention->linears->ptr<nn::LinearImpl>(3)->forward(mixed), expected, 1e-4, 1e-5));
}

INSTANTIATE_TEST_SUITE_P(Shapes, SegmentAttentionOfEachShape,
                         testing::Values(SegmentCase{{3, 0, false}, 8, 0}, SegmentCase{{3, 0, true}, 8, 0},
                                         SegmentCase{{3, 3, false}, 9, 0}, SegmentCase{{3, 3, true}, 9, 0},
                                         SegmentCase{{4, 2, false}, 17, 5}, SegmentCase{{4, 1, true}, 17, 5},
                                         SegmentCase{{2, 5, false}, 11, 0}, SegmentCase{{2, 5, true}, 11, 3},
                                         SegmentCase{{1, 2, false}, 6, 0}, SegmentCase{{1, 2, true}, 6, 0},
                                         SegmentCase{{1, 0, true}, 5, 0}, SegmentCase{{20, 20, false}, 7, 0},
                                         SegmentCase{{20, 20, true}, 7, 0}, SegmentCase{{2, 90, true}, 9, 0}));

TEST(SegmentAttention, ATextNoLongerThanASegmentGetsFullAttentionByDistance) {
  for (const bool causal : {false, true}) {
    auto exact = make_segments({6, 3, causal}), longer = make_segments({50, 0, causal});
    const auto x = torch::randn({2, 6, 8});
    const Tensor all = causal ? nn::subsequent_mask(6) : torch::ones({1, 1, 6}, torch::kBool);
    EXPECT_TRUE(torch::equal(exact(x, x, x, all), longer(x, x, x, all)));
    auto two = make_segments({3, 3, causal});
    EXPECT_EQ(torch::allclose(two(x, x, x, all), longer(x, x, x, all), 1e-4, 1e-5), causal);  // all see the same
  }
}

TEST(SegmentAttention, AMemoryEndsWhereItShould) {
  auto attention = make_segments({3, 2, false});
  auto x = torch::randn({1, 12, 8});
  const Tensor before = attention(x, x, x);
  x.select(1, 4).fill_(9);  // in the memory of positions 6 to 8
  const Tensor after = attention(x, x, x);
  EXPECT_TRUE(torch::equal(before.narrow(1, 0, 3), after.narrow(1, 0, 3)));
  for (int64_t i = 3; i < 9; ++i) EXPECT_FALSE(torch::allclose(before.select(1, i), after.select(1, i))) << i;
  EXPECT_TRUE(torch::equal(before.narrow(1, 9, 3), after.narrow(1, 9, 3)));
  x.select(1, 3).fill_(9);  // in no memory
  EXPECT_TRUE(torch::equal(after.narrow(1, 6, 6), attention(x, x, x).narrow(1, 6, 6)));
}

TEST(SegmentAttention, LaterPositionsChangeNothingInADecoder) {
  auto attention = make_segments({4, 3, true});
  auto x = torch::randn({1, 11, 8});
  const Tensor before = attention(x, x, x);
  x.select(1, 5).fill_(9);
  const Tensor after = attention(x, x, x);
  EXPECT_TRUE(torch::equal(before.narrow(1, 0, 5), after.narrow(1, 0, 5)));
  for (int64_t i = 5; i < 11; ++i) EXPECT_FALSE(torch::allclose(before.select(1, i), after.select(1, i))) << i;
}

TEST(SegmentAttention, PaddingChangesNothing) {
  for (const bool causal : {false, true}) {
    auto attention = make_segments({3, 4, causal});
    const auto x = torch::randn({1, 7, 8});
    const auto padded = torch::cat({x, torch::full({1, 9, 8}, 7.0)}, 1);
    const auto visible = torch::arange(16).lt(7).view({1, 1, 16});
    const Tensor mask = causal ? visible.logical_and(nn::subsequent_mask(16)) : visible;
    EXPECT_TRUE(
        torch::allclose(attention(padded, padded, padded, mask).narrow(1, 0, 7), attention(x, x, x), 1e-4, 1e-5));
  }
}

TEST(SegmentAttention, OnlyDistancesMatter) {
  auto attention = make_segments({2, 2, false});
  const auto x = torch::randn({1, 2, 8}).repeat({1, 4, 1});
  const Tensor found = attention(x, x, x);
  EXPECT_TRUE(torch::allclose(found.narrow(1, 2, 2), found.narrow(1, 6, 2), 1e-4, 1e-5));
  EXPECT_FALSE(torch::allclose(found.narrow(1, 0, 2), found.narrow(1, 2, 2)));  // the first has no memory
  const auto same = torch::randn({1, 1, 8}).repeat({1, 2, 1});
  const nn::AttentionWatch watch({attention.get()});
  attention(same, same, same);
  EXPECT_FALSE(torch::allclose(watch.kept(0).select(3, 0), watch.kept(0).select(3, 1)));
}

TEST(SegmentAttention, OnlyPaddingGivesFiniteNumbersAndGradients) {
  auto attention = make_segments({2, 2, false});
  const auto x = torch::randn({1, 5, 8}, torch::requires_grad());
  const Tensor found = attention(x, x, x, torch::zeros({1, 1, 5}, torch::kBool));
  found.square().sum().backward();
  EXPECT_TRUE(found.isfinite().all().item<bool>());
  for (const Tensor& parameter : attention->parameters()) EXPECT_TRUE(parameter.grad().isfinite().all().item<bool>());
}

TEST(SegmentAttention, DropoutDrawsFromTheRandomScope) {
  auto attention = make_segments({2, 1, false}, 0, 0.5);
  const auto x = torch::randn({2, 6, 8});
  const auto with_seed = [&](uint64_t seed) {
    const nn::RandomScope scope(at::detail::createCPUGenerator(seed));
    return attention(x, x, x);
  };
  EXPECT_TRUE(torch::equal(with_seed(5), with_seed(5)));
  EXPECT_FALSE(torch::allclose(with_seed(5), with_seed(6)));
}

TEST(SegmentAttention, AutocastRoundsOnlyTheProjections) {
  auto attention = make_segments({4, 4, true});
  const auto x = torch::randn({2, 9, 8});
  const Tensor plain = attention(x, x, x);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, torch::kBFloat16);
  const nn::AttentionWatch watch({attention.get()});
  const Tensor rounded = attention(x, x, x);
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, false);
  EXPECT_EQ(watch.kept(0).scalar_type(), torch::kFloat);
  EXPECT_TRUE(torch::allclose(rounded.to(torch::kFloat), plain, 0.05, 0.05));
}

TEST(SegmentAttention, ASlotKeepsTheKeyOfAPositionUntilNoLaterOneSeesIt) {
  for (const Segments& segments : {Segments{3, 2, true}, Segments{1, 4, true}, Segments{4, 0, true}}) {
    std::vector<int64_t> kept(static_cast<size_t>(segments.slots()), -1);
    for (int64_t position = 0; position < 20; ++position) {
      kept[static_cast<size_t>(segments.slot(position))] = position;
      const Tensor seen = segment_mask(segments, 20)[0][position];
      const int64_t reach = segments.reach(torch::tensor(position)).item<int64_t>();
      for (int64_t other = 0; other < 20; ++other) {
        const bool near = other <= position && position - other <= reach;
        EXPECT_EQ(seen[other].item<bool>(), near) << position << " " << other;
        EXPECT_TRUE(!near || std::ranges::find(kept, other) != kept.end()) << position << " " << other;
      }
    }
  }
}

TEST(SegmentAttention, StartsWithoutBiases) {
  SegmentAttention attention(MultiHeadAttentionOptions(8, 2).d_k(3), Segments{2, 2, true});
  EXPECT_EQ(attention->r_net->weight.sizes(), (std::vector<int64_t>{6, 8}));
  EXPECT_TRUE(torch::equal(attention->r_w_bias, torch::zeros({6})));
  EXPECT_TRUE(torch::equal(attention->r_r_bias, torch::zeros({6})));
}

TEST(SegmentAttention, RefusesWhatItCannotCompute) {
  EXPECT_THROW(make_segments({0, 0, false}), std::invalid_argument);
  EXPECT_THROW(make_segments({1, -1, false}), std::invalid_argument);
  EXPECT_THROW(SegmentAttention(MultiHeadAttentionOptions(8, 2).score(nn::AttentionScore::kDot), Segments{1}),
               std::invalid_argument);
  auto attention = make_segments({2, 0, false});
  const auto x = torch::randn({1, 5, 8}), y = torch::randn({1, 5, 8});
  EXPECT_THROW(attention(x, y, y), c10::Error);
  EXPECT_THROW(attention(x, x, x, torch::ones({1, 5, 5}, torch::kBool)), c10::Error);
}

TEST(SegmentAttention, PrintsItsSegments) {
  std::ostringstream text;
  make_segments({3, 2, false})->pretty_print(text);
  EXPECT_NE(text.str().find("within segments of 3 positions, with a memory of 2"), std::string::npos);
}

}  // namespace
}  // namespace ventris::attention
