#include "arithmetic/matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "arithmetic/chosen_columns.h"
#include "arithmetic/plain_product.h"
#include "support/random_numbers.h"

namespace ventris::arithmetic {
namespace {

using test::at;
using test::RandomNumbers;

std::string name_of(Precision precision) {
  return precision == Precision::kF32 ? "f32" : precision == Precision::kBf16 ? "bf16" : "int8";
}

/// Every set of kernels with every precision.
class MatrixTest : public testing::TestWithParam<std::tuple<const Kernels*, Precision>> {
 protected:
  const Kernels& kernels() const { return *std::get<0>(GetParam()); }
  Precision precision() const { return std::get<1>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Sets, MatrixTest,
                         testing::Combine(testing::ValuesIn(available_kernels()),
                                          testing::Values(Precision::kF32, Precision::kBf16, Precision::kInt8)),
                         [](const auto& both) {
                           return std::string(std::get<0>(both.param)->name) + "_" + name_of(std::get<1>(both.param));
                         });

/// A linear layer and inputs for it.
struct Layer {
  Layer(int64_t rows_of_x, int64_t outputs, int64_t width, RandomNumbers& random)
      : rows(rows_of_x),
        n(outputs),
        k(width),
        ldx(k + random.between(0, 3)),
        weight(random.values(n * k)),
        bias(random.values(n)),
        x(random.values(rows * ldx)) {}

  /// x weight^T + bias.
  double plain(int64_t row, int64_t column, bool has_bias) const {
    double sum = has_bias ? static_cast<double>(bias[at(column)]) : 0.0;
    for (int64_t i = 0; i < k; ++i) {
      sum += static_cast<double>(x[at(row * ldx + i)]) * static_cast<double>(weight[at(column * k + i)]);
    }
    return sum;
  }

  /// The largest error of an element: of each input and weight, the relative rounding error in bf16 is
  /// 2^-8, and the absolute one in int8 is half a step.
  double bound(int64_t row, int64_t column, Precision precision) const {
    double sizes = 0, inputs = 0, weights = 0, largest_input = 0;
    for (int64_t i = 0; i < k; ++i) {
      const double input = std::abs(x[at(row * ldx + i)]), one = std::abs(weight[at(column * k + i)]);
      sizes += input * one;
      inputs += input;
      weights += one;
      largest_input = std::max(largest_input, input);
    }
    const double f32 = 1e-5 * (1 + sizes * 0.1);
    if (precision == Precision::kF32) return f32;
    if (precision == Precision::kBf16) return f32 + sizes * (2 + 1.0 / 256) / 256;
    const double half_input = largest_input / 254, half_weight = largest_pair(column) / 254;
    return f32 + inputs * half_weight + weights * half_input + static_cast<double>(k) * half_input * half_weight;
  }

  /// The largest size of a weight of an output, and of the sum of two neighbours.
  double largest_pair(int64_t column) const {
    double largest = 0;
    for (int64_t i = 0; i < k; i += 2) {
      const double first = weight[at(column * k + i)], second = i + 1 < k ? weight[at(column * k + i + 1)] : 0.0F;
      largest = std::max({largest, std::abs(first), std::abs(second), std::abs(first + second)});
    }
    return largest;
  }

  int64_t rows, n, k, ldx;
  std::vector<float> weight, bias, x;
};

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

TEST_P(MatrixTest, ChosenColumnsGiveWhatTheyGiveInTheWholeMatrix) {
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
