#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <utility>

#include "arithmetic/emulated_amx.h"
#include "arithmetic/kernels.h"
#include "arithmetic/plain_product.h"
#include "support/random_numbers.h"

namespace ventris::arithmetic {
namespace {

using test::at;
using test::RandomNumbers;
using test::Sum;

constexpr float kUntouched = 12345.5F;

struct Shape {
  int64_t rows, k, n, ldc;
};

/// Shapes with 1 to 13 and 32 rows.
std::vector<Shape> random_shapes(RandomNumbers& random) {
  std::vector<Shape> shapes;
  const auto add = [&](int64_t rows, int64_t k, int64_t n) {
    shapes.push_back({rows, k, n, n + random.between(0, 9)});
  };
  for (int64_t rows = 1; rows <= 14; ++rows) {
    const int64_t count = rows == 14 ? 32 : rows;
    for (int i = 0; i < 6; ++i) add(count, random.between(1, 70), random.between(1, 70));
    add(count, 256, random.between(1, 70));
    add(count, random.between(1, 70), 300);
  }
  return shapes;
}

/// The result of a product: an epilogue with memory for its bias, and c with one row more than the product has.
struct Result {
  Result(const Shape& of_product, RandomNumbers& random) : shape(of_product), bias(at(panels_of(shape.n) * kPanel)) {
    for (int64_t i = 0; i < shape.n; ++i) bias[at(i)] = random.value();
    epilogue.bias = random.coin() ? bias.data() : nullptr;
    epilogue.activation = static_cast<Activation>(random.between(0, 3));
    epilogue.update = static_cast<Update>(random.between(0, 2));
    before = test::spread(random.values(shape.rows * shape.n), shape.n, shape.ldc, kUntouched);
    before.resize(before.size() + at(shape.ldc), kUntouched);
    c = before;
  }

  /// Compares c with a product without its epilogue. `tolerance` is a share of the size of what is added up.
  void expect(const std::function<Sum(int64_t row, int64_t column)>& product, double tolerance) const {
    for (int64_t place = 0; place < static_cast<int64_t>(c.size()); ++place) {
      const int64_t row = place / shape.ldc, column = place % shape.ldc;
      if (row == shape.rows || column >= shape.n) {
        ASSERT_EQ(c[at(place)], kUntouched) << "row " << row << ", column " << column << " is outside";
        continue;
      }
      Sum sum = product(row, column);
      if (epilogue.bias != nullptr) sum.add(static_cast<double>(bias[at(column)]));
      double expected = test::activated(sum.value, epilogue.activation);
      const auto old = static_cast<double>(before[at(place)]);  // at most 2 in size
      if (epilogue.update == Update::kAdd) expected += old;
      if (epilogue.update == Update::kMultiply) expected *= old;
      ASSERT_NEAR(c[at(place)], expected, 2 * tolerance * (4 + sum.size))
          << shape.rows << " x " << shape.k << " x " << shape.n << ", row " << row << ", column " << column;
    }
  }

  Shape shape;
  std::vector<float> bias, before, c;
  Epilogue epilogue;
};

std::vector<uint8_t> random_bytes(RandomNumbers& random, int64_t count) {
  std::vector<uint8_t> bytes(at(count));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.between(1, 255));
  return bytes;
}

/// Weights [k, n] that keep to kLargestPair, often only just.
std::vector<int8_t> random_weights(RandomNumbers& random, int64_t k, int64_t n) {
  std::vector<int8_t> weights(at(k * n));
  for (int64_t i = 0; i < k * n; ++i) {
    const int64_t before = i / n % 2 == 0 ? 0 : weights[at(i - n)];
    const int64_t drawn = random.between(-160, 160), least = std::max<int64_t>(-127, -kLargestPair - before);
    weights[at(i)] = static_cast<int8_t>(std::clamp(drawn, least, std::min<int64_t>(127, kLargestPair - before)));
  }
  return weights;
}

std::vector<uint16_t> random_halves(RandomNumbers& random, int64_t count) {
  std::vector<uint16_t> halves(at(count));
  for (uint16_t& half : halves) half = test::nearest_bf16(random.value());
  return halves;
}

std::vector<float> random_scales(RandomNumbers& random, int64_t count) {
  std::vector<float> scales(at(count));
  for (float& scale : scales) scale = 0.001F * static_cast<float>(random.between(1, 20));
  return scales;
}

/// The operands of a product of bytes, a [rows, k] and b [k, n].
struct Bytes {
  Bytes(const Shape& of_product, std::vector<uint8_t> a_bytes, std::vector<int8_t> b_bytes, RandomNumbers& random)
      : shape(of_product), a(std::move(a_bytes)), b(std::move(b_bytes)) {
    spread_a = test::spread<uint8_t>(a, shape.k, (shape.k + 3) / 4 * 4, 128);
    packed_b = test::packed(b, shape.k, shape.n, 4);
    row_scale = random_scales(random, shape.rows);
    column_scale = random_scales(random, panels_of(shape.n) * kPanel);
    column_sum.resize(column_scale.size());
    for (int64_t i = 0; i < shape.k * shape.n; ++i) column_sum[at(i % shape.n)] += 128 * b[at(i)];
  }
  Bytes(const Shape& of_product, RandomNumbers& random)
      : Bytes(of_product, random_bytes(random, of_product.rows * of_product.k),
              random_weights(random, of_product.k, of_product.n), random) {}

  /// The product of rows [first, first + count).
  ProductInt8 product(float* c, int64_t first, int64_t count, const Epilogue& epilogue = {}) const {
    const int64_t stride = (shape.k + 3) / 4 * 4;
    return {spread_a.data() + first * stride,
            row_scale.data() + first,
            count,
            packed_b.data(),
            column_scale.data(),
            column_sum.data(),
            shape.k,
            shape.n,
            c + first * shape.ldc,
            shape.ldc,
            epilogue};
  }
  int64_t exact(int64_t row, int64_t column) const {
    int64_t sum = 0;
    for (int64_t i = 0; i < shape.k; ++i) sum += int64_t{a[at(row * shape.k + i)] - 128} * b[at(i * shape.n + column)];
    return sum;
  }

  Shape shape;
  std::vector<uint8_t> a, spread_a;
  std::vector<int8_t> b, packed_b;
  std::vector<float> row_scale, column_scale;
  std::vector<int32_t> column_sum;
};

class Products : public test::EveryKernelSetAndAmx {};
INSTANTIATE_TEST_SUITE_P(Sets, Products, testing::ValuesIn(test::kernel_sets_and_amx()), test::set_name);

TEST_P(Products, OfFloatsAreThoseOfAPlainLoop) {
  RandomNumbers random(1);
  for (const Shape& shape : random_shapes(random)) {
    const std::vector<float> a = random.values(shape.rows * shape.k), b = random.values(shape.k * shape.n);
    const int64_t lda = shape.k + random.between(0, 5);
    const auto spread_a = test::spread(a, shape.k, lda, kUntouched), packed_b = test::packed(b, shape.k, shape.n, 1);
    Result result(shape, random);
    kernels().product_f32({spread_a.data(), lda, shape.rows, packed_b.data(), shape.k, shape.n, result.c.data(),
                           shape.ldc, result.epilogue});
    const auto product = [&](int64_t row, int64_t column) {
      return test::plain_product(a, b, shape.k, shape.n, row, column, [](float x) { return x; });
    };
    ASSERT_NO_FATAL_FAILURE(result.expect(product, 1e-6));
  }
}

TEST_P(Products, OfFloatsWithAPartOfTheRowsOfBAreThoseOfAPlainLoop) {
  RandomNumbers random(21);
  for (const Shape& shape : random_shapes(random)) {
    const int64_t first = random.between(0, 9), all_rows = first + shape.k + random.between(0, 9);
    const auto a = random.values(shape.rows * shape.k), b = random.values(all_rows * shape.n);
    const auto packed = test::packed(b, all_rows, shape.n, 1);
    const std::vector<float> part(b.begin() + first * shape.n, b.begin() + (first + shape.k) * shape.n);
    Result result(shape, random);
    kernels().product_f32({a.data(), shape.k, shape.rows, packed.data() + first * kPanel, shape.k, shape.n,
                           result.c.data(), shape.ldc, result.epilogue, all_rows * kPanel});
    result.expect(
        [&](int64_t row, int64_t column) {
          return test::plain_product(a, part, shape.k, shape.n, row, column, [](float x) { return x; });
        },
        1e-6);
  }
}

TEST_P(Products, OfBfloat16AreThoseOfAPlainLoop) {
  RandomNumbers random(2);
  for (const Shape& shape : random_shapes(random)) {
    const auto a = random_halves(random, shape.rows * shape.k), b = random_halves(random, shape.k * shape.n);
    const auto spread_a = test::spread<uint16_t>(a, shape.k, (shape.k + 1) / 2 * 2, 0);
    const auto packed_b = test::packed(b, shape.k, shape.n, 2);
    Result result(shape, random);
    kernels().product_bf16(
        {spread_a.data(), shape.rows, packed_b.data(), shape.k, shape.n, result.c.data(), shape.ldc, result.epilogue});
    const auto product = [&](int64_t row, int64_t column) {
      return test::plain_product(a, b, shape.k, shape.n, row, column, test::widened);
    };
    ASSERT_NO_FATAL_FAILURE(result.expect(product, 1e-6));
  }
}

TEST_P(Products, OfBytesAreThoseOfAPlainLoop) {
  RandomNumbers random(3);
  for (const Shape& shape : random_shapes(random)) {
    const Bytes bytes(shape, random);
    Result result(shape, random);
    kernels().product_int8(bytes.product(result.c.data(), 0, shape.rows, result.epilogue));
    const auto product = [&](int64_t row, int64_t column) {
      const auto scale = static_cast<double>(bytes.row_scale[at(row)]) * bytes.column_scale[at(column)];
      Sum sum;
      sum.add(static_cast<double>(bytes.exact(row, column)) * scale);
      return sum;
    };
    ASSERT_NO_FATAL_FAILURE(result.expect(product, 1e-6));
  }
}

TEST_P(Products, SumsOfBytesAreExactAtTheExtremes) {
  RandomNumbers random(4);
  for (const auto& [first, second] : {std::pair{0, 0}, {1, 1}, {255, 255}, {255, 0}, {0, 255}}) {
    for (const auto& [even, odd] : {std::pair{127, 1},
                                    {1, 127},
                                    {64, 64},
                                    {-127, -1},
                                    {-64, -64},
                                    {127, -127},
                                    {-127, 127},
                                    {-128, 0},
                                    {0, -128}}) {
      for (const int64_t k : {1, 2, 7, 64, 509}) {
        const Shape shape{3, k, 33, 33};
        std::vector<int8_t> b(at(k * shape.n));
        for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<int8_t>(i / at(shape.n) % 2 == 0 ? even : odd);
        std::vector<uint8_t> a(at(3 * k));
        for (int64_t i = 0; i < 3 * k; ++i) a[at(i)] = static_cast<uint8_t>(i % k % 2 == 0 ? first : second);
        Bytes bytes(shape, a, b, random);
        std::fill(bytes.row_scale.begin(), bytes.row_scale.end(), 1.0F);
        std::fill(bytes.column_scale.begin(), bytes.column_scale.end(), 1.0F);
        std::vector<float> c(at(3 * shape.n));
        kernels().product_int8(bytes.product(c.data(), 0, 3));
        for (int64_t i = 0; i < 3 * shape.n; ++i) {
          ASSERT_EQ(c[at(i)], static_cast<float>(bytes.exact(i / shape.n, i % shape.n)))
              << first << " " << second << " " << even << " " << odd;
        }
      }
    }
  }
}

TEST_P(Products, OfNoRowsWriteNothing) {
  RandomNumbers random(22);
  const Shape shape{1, 5, 20, 20};
  const Bytes bytes(shape, random);
  const std::vector<float> a(5), b(160), untouched(20, kUntouched);
  const std::vector<uint16_t> halves_a(6), halves_b(192);
  std::vector<float> c = untouched;
  kernels().product_f32({a.data(), 5, 0, b.data(), 5, 20, c.data(), 20});
  kernels().product_bf16({halves_a.data(), 0, halves_b.data(), 5, 20, c.data(), 20});
  kernels().product_int8(bytes.product(c.data(), 0, 0));
  EXPECT_EQ(c, untouched);
}

TEST_P(Products, OfBytesAreTheSameInAllSets) {
  RandomNumbers random(5);
  for (const Shape& shape : random_shapes(random)) {
    const Bytes bytes(shape, random);
    Result result(shape, random);
    if (result.epilogue.activation > Activation::kRelu) result.epilogue.activation = Activation::kRelu;
    std::vector<float> expected = result.c, found = result.c;
    available_kernels().back()->product_int8(bytes.product(expected.data(), 0, shape.rows, result.epilogue));
    kernels().product_int8(bytes.product(found.data(), 0, shape.rows, result.epilogue));
    ASSERT_EQ(found, expected);
  }
}

/// Calls multiply(c, first row, rows) for all 32 rows at once and for 1 to 13 of them; c is always that of row 0.
void expect_rows_do_not_matter(const Shape& shape, const std::function<void(float*, int64_t, int64_t)>& multiply) {
  std::vector<float> whole(at(shape.rows * shape.ldc), kUntouched);
  multiply(whole.data(), 0, shape.rows);
  for (int64_t rows = 1; rows <= 13; ++rows) {
    std::vector<float> parts(whole.size(), kUntouched);
    for (int64_t first = 0; first < shape.rows; first += rows) {
      multiply(parts.data(), first, std::min(rows, shape.rows - first));
    }
    ASSERT_EQ(std::memcmp(parts.data(), whole.data(), sizeof(float) * whole.size()), 0) << rows << " rows at once";
  }
}

const std::vector<Shape> kShapesOfManyRows{{32, 67, 91, 95}, {32, 1, 16, 16}, {32, 130, 37, 40}};
/// Its inputs and rows are taken in parts.
constexpr Shape kDeepShape{200, 1030, 91, 95};

Epilogue some_epilogue(const std::vector<float>& bias) { return {bias.data(), Activation::kGelu}; }

TEST_P(Products, ARowOfFloatsDoesNotDependOnTheOthers) {
  RandomNumbers random(6);
  for (const Shape& shape : kShapesOfManyRows) {
    const auto a = random.values(shape.rows * shape.k), bias = random.values(panels_of(shape.n) * kPanel);
    const auto b = test::packed(random.values(shape.k * shape.n), shape.k, shape.n, 1);
    expect_rows_do_not_matter(shape, [&](float* c, int64_t first, int64_t rows) {
      kernels().product_f32({a.data() + first * shape.k, shape.k, rows, b.data(), shape.k, shape.n,
                             c + first * shape.ldc, shape.ldc, some_epilogue(bias)});
    });
  }
}

TEST_P(Products, ARowWithManyInputsDoesNotDependOnTheOthers) {
  RandomNumbers random(9);
  const Shape shape = kDeepShape;
  const auto a = random.values(shape.rows * shape.k), bias = random.values(panels_of(shape.n) * kPanel);
  const auto b = test::packed(random.values(shape.k * shape.n), shape.k, shape.n, 1);
  const auto before = random.values(shape.rows * shape.ldc);
  auto whole = before, alone = before;
  const auto multiply = [&](std::vector<float>& c, int64_t first, int64_t rows) {
    Epilogue epilogue = some_epilogue(bias);
    epilogue.update = Update::kAdd;
    kernels().product_f32({a.data() + first * shape.k, shape.k, rows, b.data(), shape.k, shape.n,
                           c.data() + first * shape.ldc, shape.ldc, epilogue});
  };
  multiply(whole, 0, shape.rows);
  for (int64_t row = 0; row < shape.rows; ++row) multiply(alone, row, 1);
  EXPECT_EQ(whole, alone);
}

TEST_P(Products, ARowOfBfloat16DoesNotDependOnTheOthers) {
  RandomNumbers random(7);
  for (const Shape& shape : kShapesOfManyRows) {
    const int64_t stride = (shape.k + 1) / 2 * 2;
    const auto a = test::spread<uint16_t>(random_halves(random, shape.rows * shape.k), shape.k, stride, 0);
    const auto b = test::packed(random_halves(random, shape.k * shape.n), shape.k, shape.n, 2);
    const auto bias = random.values(panels_of(shape.n) * kPanel);
    expect_rows_do_not_matter(shape, [&](float* c, int64_t first, int64_t rows) {
      kernels().product_bf16({a.data() + first * stride, rows, b.data(), shape.k, shape.n, c + first * shape.ldc,
                              shape.ldc, some_epilogue(bias)});
    });
  }
}

TEST_P(Products, ARowOfBytesDoesNotDependOnTheOthers) {
  RandomNumbers random(8);
  for (const Shape& shape : kShapesOfManyRows) {
    const Bytes bytes(shape, random);
    const auto bias = random.values(panels_of(shape.n) * kPanel);
    expect_rows_do_not_matter(shape, [&](float* c, int64_t first, int64_t rows) {
      kernels().product_int8(bytes.product(c, first, rows, some_epilogue(bias)));
    });
  }
}

/// activation(x), computed by a product of one column and the number 1.
float activated_by(const Kernels& kernels, float x, Activation activation) {
  std::vector<float> one(at(kPanel));
  one[0] = 1;
  float result = 0;
  kernels.product_f32({&x, 1, 1, one.data(), 1, 1, &result, 1, {.activation = activation}});
  return result;
}

TEST_P(Products, GeluIsTheExactOne) {
  for (int i = -12000; i <= 12000; ++i) {
    const float x = static_cast<float>(i) * 1e-3F;
    const double expected = test::activated(static_cast<double>(x), Activation::kGelu);
    ASSERT_NEAR(activated_by(kernels(), x, Activation::kGelu), expected, 1e-6 * std::max(1.0F, std::abs(x))) << x;
  }
  for (const float x : {-1e4F, -100.0F}) EXPECT_NEAR(activated_by(kernels(), x, Activation::kGelu), 0, 1e-30);
  for (const float x : {100.0F, 1e4F}) EXPECT_EQ(activated_by(kernels(), x, Activation::kGelu), x);
}

TEST_P(Products, SiluIsTheExactOneAlsoOfLargeNumbers) {
  for (int i = -20000; i <= 20000; ++i) {
    const float x = static_cast<float>(i) * 5e-3F;  // down to -100
    const double expected = test::activated(static_cast<double>(x), Activation::kSilu);
    const double share = 1e-6 + 2e-7 * std::abs(static_cast<double>(x));
    ASSERT_NEAR(activated_by(kernels(), x, Activation::kSilu), expected, share * std::abs(expected) + 1e-30) << x;
  }
  for (const float x : {-1e30F, -1e4F}) EXPECT_NEAR(activated_by(kernels(), x, Activation::kSilu), 0, 1e-30);
  for (const float x : {100.0F, 1e4F, 1e30F}) EXPECT_EQ(activated_by(kernels(), x, Activation::kSilu), x);
}

TEST_P(Products, ApproximationsOfGeluAreThoseOfTheirFormulas) {
  for (const Activation activation : {Activation::kGeluTanh, Activation::kGeluSigmoid}) {
    for (int i = -12000; i <= 12000; ++i) {
      const float x = static_cast<float>(i) * 1e-3F;
      const double expected = test::activated(static_cast<double>(x), activation);
      ASSERT_NEAR(activated_by(kernels(), x, activation), expected, 1e-6 * std::max(1.0F, std::abs(x))) << x;
    }
    for (const float x : {-1e30F, -1e4F, -100.0F}) EXPECT_NEAR(activated_by(kernels(), x, activation), 0, 1e-7);
    for (const float x : {100.0F, 1e4F, 1e30F}) EXPECT_EQ(activated_by(kernels(), x, activation), x);
  }
}

TEST_P(Products, ActivationsKeepNaN) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(activated_by(kernels(), nan, Activation::kNone)));
  EXPECT_TRUE(std::isnan(activated_by(kernels(), nan, Activation::kRelu)));
  EXPECT_TRUE(std::isnan(activated_by(kernels(), nan, Activation::kGelu)));
  EXPECT_TRUE(std::isnan(activated_by(kernels(), nan, Activation::kSilu)));
  EXPECT_TRUE(std::isnan(activated_by(kernels(), nan, Activation::kGeluTanh)));
  EXPECT_TRUE(std::isnan(activated_by(kernels(), nan, Activation::kGeluSigmoid)));
}

}  // namespace
}  // namespace ventris::arithmetic
