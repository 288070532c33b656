#include "arithmetic/chosen_columns.h"

#include <gtest/gtest.h>

#include "arithmetic/every_precision.h"

namespace ventris::arithmetic {
namespace {

using test::at;
using test::Layer;
using test::RandomNumbers;

class ChosenColumnsTest : public test::EveryPrecision {};
INSTANTIATE_EVERY_PRECISION(ChosenColumnsTest);

TEST_P(ChosenColumnsTest, GiveWhatTheyGiveInTheWholeMatrix) {
  RandomNumbers random(8);
  Inputs inputs;
  ChosenColumns chosen;
  for (int round = 0; round < 20; ++round) {
    const Layer layer(random.between(1, 9), random.between(20, 90), random.between(1, 50), random);
    const bool has_bias = round >= 10;
    const Matrix matrix(layer.weight.data(), has_bias ? layer.bias.data() : nullptr, layer.n, layer.k, precision());
    std::vector<float> whole(at(layer.rows * layer.n));
    matrix.multiply(kernels(), {layer.x.data(), layer.ldx, layer.rows}, {whole.data(), layer.n}, inputs);
    chosen.clear();
    std::vector<int32_t> columns;
    for (int part = 0; part < 4; ++part) {
      std::vector<int32_t> more;
      for (int64_t i = random.between(0, 20); i > 0; --i) {
        more.push_back(static_cast<int32_t>(random.between(0, layer.n - 1)));
      }
      chosen.add(matrix, more);
      columns.insert(columns.end(), more.begin(), more.end());
      ASSERT_EQ(chosen.matrix().n(), static_cast<int64_t>(columns.size()));
      std::vector<float> found(at(layer.rows * chosen.matrix().n()));
      chosen.matrix().multiply(kernels(), {layer.x.data(), layer.ldx, layer.rows}, {found.data(), chosen.matrix().n()},
                               inputs);
      for (int64_t i = 0; i < layer.rows * chosen.matrix().n(); ++i) {
        ASSERT_EQ(found[at(i)], whole[at(i / chosen.matrix().n() * layer.n + columns[at(i % chosen.matrix().n())])]);
      }
    }
  }
}

TEST_P(ChosenColumnsTest, MayBeMovedAndComeTwice) {
  RandomNumbers random(9);
  Inputs inputs;
  const Layer layer(1, 20, 7, random);
  const Matrix matrix(layer.weight.data(), layer.bias.data(), 20, 7, precision());
  ChosenColumns first;
  EXPECT_EQ(first.matrix().n(), 0);
  first.add(matrix, std::vector<int32_t>{19, 3, 19});
  const ChosenColumns chosen = std::move(first);
  ASSERT_EQ(chosen.matrix().n(), 3);
  EXPECT_EQ(chosen.matrix().k(), 7);
  EXPECT_EQ(chosen.matrix().precision(), precision());
  std::vector<float> whole(20), found(3);
  matrix.multiply(kernels(), {layer.x.data(), layer.ldx, 1}, {whole.data(), 20}, inputs);
  chosen.matrix().multiply(kernels(), {layer.x.data(), layer.ldx, 1}, {found.data(), 3}, inputs);
  EXPECT_EQ(found, (std::vector<float>{whole[19], whole[3], whole[19]}));
}

}  // namespace
}  // namespace ventris::arithmetic
