#include "arithmetic/matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "arithmetic/every_precision.h"
#include "support/random_numbers.h"

namespace ventris::arithmetic {
namespace {

using test::at;
using test::Layer;
using test::RandomNumbers;

class MatrixTest : public test::EveryPrecision {};

INSTANTIATE_EVERY_PRECISION(MatrixTest);

TEST_P(MatrixTest, MultipliesAsAPlainLoop) {
  RandomNumbers random(1);
  Inputs inputs;
  for (int round = 0; round < 60; ++round) {
    const Layer layer(random.between(1, 13), random.between(1, 70), random.between(1, 70), random);
    const bool has_bias = random.coin();
    const Matrix matrix(layer.weight.data(), has_bias ? layer.bias.data() : nullptr, layer.n, layer.k, precision());
    EXPECT_EQ(matrix.n(), layer.n);
    EXPECT_EQ(matrix.k(), layer.k);
    const int64_t ldo = layer.n + random.between(0, 3);
    std::vector<float> out(at(layer.rows * ldo), 7);
    matrix.multiply(kernels(), {layer.x.data(), layer.ldx, layer.rows}, {out.data(), ldo}, inputs);
    for (int64_t i = 0; i < layer.rows * ldo; ++i) {
      const int64_t row = i / ldo, column = i % ldo;
      if (column >= layer.n) {
        ASSERT_EQ(out[at(i)], 7);
      } else {
        ASSERT_NEAR(out[at(i)], layer.plain(row, column, has_bias), layer.bound(row, column, precision()));
      }
    }
  }
}

TEST_P(MatrixTest, AddsToWhatIsThereAndAppliesActivations) {
  RandomNumbers random(2);
  Inputs inputs;
  const Layer layer(5, 37, 29, random);
  const Matrix matrix(layer.weight.data(), layer.bias.data(), layer.n, layer.k, precision());
  std::vector<float> plain(185), relu(plain.size()), added(plain.size(), 3);
  matrix.multiply(kernels(), {layer.x.data(), layer.ldx, 5}, {plain.data(), 37}, inputs);
  matrix.multiply(kernels(), {layer.x.data(), layer.ldx, 5}, {relu.data(), 37}, inputs,
                  {.activation = Activation::kRelu});
  matrix.multiply(kernels(), {layer.x.data(), layer.ldx, 5}, {added.data(), 37}, inputs, {.update = Update::kAdd});
  for (size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(relu[i], std::max(plain[i], 0.0F));
    EXPECT_FLOAT_EQ(added[i], 3 + plain[i]);
  }
}

TEST_P(MatrixTest, PanelsAreTheColumnsOfTheWholeProduct) {
  RandomNumbers random(3);
  Inputs inputs;
  for (const int64_t n : {5, 16, 100}) {
    const Layer layer(7, n, 23, random);
    const Matrix matrix(layer.weight.data(), layer.bias.data(), n, layer.k, precision());
    std::vector<float> whole(at(7 * n));
    matrix.multiply(kernels(), {layer.x.data(), layer.ldx, 7}, {whole.data(), n}, inputs);
    for (int64_t first = 0; first < panels_of(n); ++first) {
      for (int64_t count = 1; first + count <= panels_of(n); ++count) {
        const int64_t width = count * kPanel, start = first * kPanel;
        std::vector<float> part(at(7 * width));
        matrix.prepare(kernels(), {layer.x.data(), layer.ldx, 7}, inputs);
        matrix.multiply_panels(kernels(), {layer.x.data(), layer.ldx, 7}, {first, count}, {part.data(), width}, inputs);
        for (int64_t i = 0; i < 7 * width; ++i) {
          if (start + i % width >= n) continue;
          ASSERT_EQ(part[at(i)], whole[at(i / width * n + start + i % width)]);
        }
      }
    }
  }
}

TEST_P(MatrixTest, ARowIsWhatAProductWithOneInputGives) {
  RandomNumbers random(5);
  Inputs inputs;
  for (const auto& [n, k] : {std::pair<int64_t, int64_t>{1, 1}, {16, 8}, {37, 23}}) {
    const Layer layer(1, n, k, random);
    const Matrix matrix(layer.weight.data(), nullptr, n, k, precision());
    std::vector<float> row(at(k)), x(at(k)), out(at(n));
    for (int64_t j = 0; j < k; ++j) {
      std::fill(x.begin(), x.end(), 0.0F);
      x[at(j)] = 1;
      matrix.multiply(kernels(), {x.data(), k, 1}, {out.data(), n}, inputs);
      for (int64_t i = 0; i < n; ++i) {
        matrix.row(i, 1, row.data());
        ASSERT_NEAR(row[at(j)], out[at(i)], 1e-6);
        matrix.row(i, 3, row.data());
        ASSERT_NEAR(row[at(j)], 3 * out[at(i)], 3e-6);
      }
    }
  }
}

TEST_P(MatrixTest, MatricesMayShareWeightsAndHaveTheirOwnBias) {
  RandomNumbers random(6);
  Inputs inputs;
  const Layer layer(3, 21, 10, random);
  const Matrix plain(layer.weight.data(), nullptr, 21, 10, precision());
  const Matrix shared(plain, padded_bias(layer.bias.data(), 21));
  const Matrix expected(layer.weight.data(), layer.bias.data(), 21, 10, precision());
  std::vector<float> out(63), wanted(63);
  shared.multiply(kernels(), {layer.x.data(), layer.ldx, 3}, {out.data(), 21}, inputs);
  expected.multiply(kernels(), {layer.x.data(), layer.ldx, 3}, {wanted.data(), 21}, inputs);
  EXPECT_EQ(out, wanted);
  EXPECT_TRUE(plain.bias().empty());
}

TEST_P(MatrixTest, AColumnOfZerosIsItsBias) {
  Inputs inputs;
  const std::vector<float> weight(8, 0.0F), bias{3, -4}, x{1, 2, 3, 4};
  const Matrix matrix(weight.data(), bias.data(), 2, 4, precision());
  std::vector<float> out(2);
  matrix.multiply(kernels(), {x.data(), 4, 1}, {out.data(), 2}, inputs);
  EXPECT_EQ(out, bias);
}

TEST_P(MatrixTest, ASingleNaNAmongTheWeightsOrInputsIsSeen) {
  RandomNumbers random(4);
  Inputs inputs;
  for (const uint32_t bits : {0x7fc00000U, 0xffffffffU}) {
    for (size_t place = 0; place < 19; ++place) {
      Layer layer(1, 1, 19, random);
      Layer other = layer;
      layer.weight[place] = other.x[place] = std::bit_cast<float>(bits);
      for (const Layer& one : {layer, other}) {
        float out = 0;
        Matrix(one.weight.data(), nullptr, 1, 19, precision())
            .multiply(kernels(), {one.x.data(), one.ldx, 1}, {&out, 1}, inputs);
        EXPECT_TRUE(std::isnan(out)) << "element " << place;
      }
    }
  }
}

TEST(MatrixOfBytes, NeighboursKeepToTheLargestPair) {
  RandomNumbers random(9);
  for (int round = 0; round < 200; ++round) {
    const int64_t n = random.between(1, 40), k = random.between(1, 60);
    std::vector<float> weight = random.values(n * k);
    if (round % 2 == 0) {  // many neighbours with the largest sum
      for (float& one : weight) one = random.coin() ? 0.7F : random.coin() ? 0.699F : -0.7F;
    }
    const Matrix matrix(weight.data(), nullptr, n, k, Precision::kInt8);
    Matrix::visit(matrix, [&](const std::string& name, const auto& elements, const std::vector<int64_t>&) {
      if (name != "weight") return;
      for (int64_t i = 0; i < elements.size(); i += 2) {
        const auto first = static_cast<double>(elements.data()[i]),
                   second = static_cast<double>(elements.data()[i + 1]);
        ASSERT_LE(std::max({std::abs(first), std::abs(second), std::abs(first + second)}), kLargestPair);
      }
    });
  }
}

TEST(MatrixOfBytes, NeighboursWhoseSumOverflowsAreMultiplied) {
  const std::vector<float> weight{3e38F, 3e38F}, x{1e-20F, 2e-20F};
  const Matrix matrix(weight.data(), nullptr, 1, 2, Precision::kInt8);
  for (const Kernels* kernels : available_kernels()) {
    Inputs inputs;
    float out = 0;
    matrix.multiply(*kernels, {x.data(), 2, 1}, {&out, 1}, inputs);
    EXPECT_NEAR(out / 9e18, 1, 0.01) << kernels->name;
  }
}

TEST(FastestPrecision, IsInt8WhereItHasInstructions) {
  for (const Kernels* kernels : available_kernels()) {
    const bool portable = std::string(kernels->name) == "portable";
    EXPECT_EQ(fastest_precision(*kernels), portable ? Precision::kF32 : Precision::kInt8) << kernels->name;
  }
}

}  // namespace
}  // namespace ventris::arithmetic
