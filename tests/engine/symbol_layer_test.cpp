#include "engine/symbol_layer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/output_layer.h"
#include "support/random_numbers.h"

namespace ventris::engine {
namespace {

using arithmetic::kernels;
using arithmetic::Precision;

constexpr int64_t kWidth = 24, kSymbols = 300, kRows = 150;

struct Layer {
  Layer() {
    test::RandomNumbers random(1);
    weight = random.values(kSymbols * kWidth);
    bias = random.values(kSymbols);
    states = random.values(kRows * kWidth);
  }
  Matrix matrix(Precision precision = Precision::kF32) const {
    return {weight.data(), bias.data(), kSymbols, kWidth, precision};
  }

  std::vector<float> weight, bias, states;
};

TEST(EngineSymbolLayer, FindsWhatTheOutputOfASearchFinds) {
  const Layer layer;
  for (const Precision precision : {Precision::kF32, Precision::kBf16, Precision::kInt8}) {
    const Matrix matrix = layer.matrix(precision);
    SymbolLayer symbols(kernels(), matrix, {0, 7, 299});
    symbols.find(layer.states.data(), kRows);
    Output output(kernels(), matrix, {0, 7}, 299);
    const std::vector<int32_t> rows(kRows, 0);
    const std::vector<uint8_t> forbidden(kRows, 1);
    decoding::StepRequest request;
    request.parents = request.last_ids = rows;
    request.forbid_eos = forbidden;
    const auto expected = output.best(layer.states.data(), request);
    for (size_t row = 0; row < kRows; ++row) {
      ASSERT_EQ(symbols.ids()[row], expected.ids[row]);
      ASSERT_EQ(symbols.log_probs()[row], expected.log_probs[row]);
    }
  }
}

TEST(EngineSymbolLayer, OtherSymbolsHaveTheSameLogProbabilitiesInAnyOrder) {
  const Layer layer;
  for (const Precision precision : {Precision::kF32, Precision::kBf16, Precision::kInt8}) {
    const Matrix matrix = layer.matrix(precision);
    SymbolLayer symbols(kernels(), matrix, {});
    symbols.find(layer.states.data(), kRows);
    const std::vector<int32_t> wanted{299, 0, 17, 16, 0, symbols.ids()[140]};
    const auto found = symbols.log_probs_of(139, 2, wanted);
    ASSERT_EQ(found.size(), 12U);
    EXPECT_EQ(found[11], symbols.log_probs()[140]);
    Output output(kernels(), matrix, {}, 3);
    for (size_t i = 0; i < wanted.size(); ++i) {
      const std::vector<int32_t> ids(2, wanted[i]);
      const auto expected = output.log_probs_of(layer.states.data() + 139 * kWidth, ids);
      EXPECT_EQ(found[i], expected[0]);
      EXPECT_EQ(found[6 + i], expected[1]);
    }
  }
}

TEST(EngineSymbolLayer, ATieGoesToTheLowerId) {
  Layer layer;
  for (const int64_t id : {40, 200}) {
    std::fill_n(layer.weight.begin() + id * kWidth, kWidth, 0.0F);
    layer.bias[static_cast<size_t>(id)] = 1e4F;
  }
  const Matrix matrix = layer.matrix();
  SymbolLayer symbols(kernels(), matrix, {});
  symbols.find(layer.states.data(), 3);
  EXPECT_EQ(symbols.ids()[2], 40);
}

TEST(EngineSymbolLayer, FindsTheBestSymbolsOfEachRowInOrder) {
  const Layer layer;
  const Matrix matrix = layer.matrix();
  std::vector<int32_t> all(kSymbols);
  std::iota(all.begin(), all.end(), 0);
  for (const size_t count : {1, 2, 7, 300}) {
    SymbolLayer symbols(kernels(), matrix, {3, 9});
    symbols.find(layer.states.data(), kRows, static_cast<int64_t>(count));
    for (size_t row = 0; row < kRows; row += 49) {
      const auto log_probs = symbols.log_probs_of(row, 1, all);
      std::vector<int32_t> order(all);
      std::erase_if(order, [](int32_t id) { return id == 3 || id == 9; });
      std::ranges::stable_sort(order, [&](int32_t a, int32_t b) {
        return log_probs[static_cast<size_t>(a)] > log_probs[static_cast<size_t>(b)];
      });
      for (size_t i = 0; i < std::min(count, order.size()); ++i) {
        ASSERT_EQ(symbols.ids()[row * count + i], order[i]);
        ASSERT_EQ(symbols.log_probs()[row * count + i], log_probs[static_cast<size_t>(order[i])]);
      }
    }
  }
  SymbolLayer symbols(kernels(), matrix, {3, 9});
  symbols.find(layer.states.data(), kRows, kSymbols);
  EXPECT_EQ(symbols.log_probs()[kSymbols - 2], -std::numeric_limits<float>::infinity());
}

TEST(EngineSymbolLayer, LogitsThatAreNotNumbersAreSeen) {
  for (const float wrong : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    Layer layer;
    layer.bias[250] = wrong;
    const Matrix matrix = layer.matrix();
    SymbolLayer symbols(kernels(), matrix, {});
    symbols.find(layer.states.data(), 2);
    EXPECT_TRUE(std::isnan(symbols.log_probs()[1]));
    EXPECT_GE(symbols.ids()[1], 0);
  }
}

}  // namespace
}  // namespace ventris::engine
