#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "arithmetic/emulated_amx.h"
#include "arithmetic/kernels.h"
#include "arithmetic/plain_product.h"
#include "support/random_numbers.h"

/// Products in tiles, with the instructions of AMX or an emulator of them.
namespace ventris::arithmetic {
namespace {

#if defined(__x86_64__)
using test::at;
using test::RandomNumbers;

constexpr float kBehind = 12345.5F;
const std::vector<int64_t> kRowCounts{1, 7, 8, 15, 16, 17, 31, 32, 33, 47, 64, 70};

class AmxTest : public testing::Test {
 protected:
  void SetUp() override {
    if (amx_ == nullptr) GTEST_SKIP() << "this processor has no AVX-512 with bf16";
  }

  const Kernels* amx_ = test::amx_kernels();
  test::AmxIfNeeded emulator_{amx_ == nullptr ? available_kernels().front() : amx_};
};

/// The operands of a product of bf16 with `rows` rows.
struct Halves {
  Halves(int64_t row_count, int64_t inputs, int64_t columns, RandomNumbers& random)
      : rows(row_count), k(inputs), n(columns), plain_a(at(rows * k)), plain_b(at(k * n)) {
    for (uint16_t& half : plain_a) half = test::nearest_bf16(random.value());
    for (uint16_t& half : plain_b) half = test::nearest_bf16(random.value());
    a = test::spread<uint16_t>(plain_a, k, stride(), 0);
    b = test::packed(plain_b, k, n, 2);
  }
  int64_t stride() const { return (k + 1) / 2 * 2; }

  std::vector<float> product(const Kernels& kernels, int64_t first, int64_t count) const {
    std::vector<float> c(at(count * n + 1), kBehind);
    kernels.product_bf16({a.data() + first * stride(), count, b.data(), k, n, c.data(), n});
    return c;
  }

  int64_t rows, k, n;
  std::vector<uint16_t> plain_a, plain_b, a, b;
};

TEST_F(AmxTest, ProductsOfBytesAreThoseOfThePortableSet) {
  RandomNumbers random(1);
  for (const int64_t rows : kRowCounts) {
    for (const int64_t k : {1, 4, 61, 64, 68, 130, 256}) {
      const int64_t n = random.between(1, 90), bytes = (k + 3) / 4 * 4, columns = panels_of(n) * kPanel;
      std::vector<uint8_t> a(at(rows * bytes), 128);
      for (uint8_t& byte : a) byte = static_cast<uint8_t>(random.between(1, 255));
      std::vector<int8_t> weights(at(k * n));
      for (int8_t& weight : weights) weight = static_cast<int8_t>(random.between(-64, 64));
      const std::vector<int8_t> b = test::packed(weights, k, n, 4);
      const std::vector<float> row_scale(at(rows), 0.5F), column_scale(at(columns), 0.25F);
      std::vector<int32_t> column_sum(at(columns));
      for (int64_t i = 0; i < k * n; ++i) column_sum[at(i % n)] += 128 * weights[at(i)];
      const auto multiply = [&](const Kernels& kernels) {
        std::vector<float> c(at(rows * (n + 3)), kBehind);
        kernels.product_int8({a.data(), row_scale.data(), rows, b.data(), column_scale.data(), column_sum.data(), k, n,
                              c.data(), n + 3});
        return c;
      };
      ASSERT_EQ(multiply(*amx_), multiply(*available_kernels().back())) << rows << " x " << k << " x " << n;
    }
  }
}

TEST_F(AmxTest, ProductsOfBf16AreThoseOfAPlainLoop) {
  RandomNumbers random(2);
  for (const int64_t rows : kRowCounts) {
    for (const int64_t k : {1, 2, 31, 32, 33, 100, 128}) {
      const Halves halves(rows, k, random.between(1, 90), random);
      const std::vector<float> found = halves.product(*amx_, 0, rows);
      for (int64_t i = 0; i < rows * halves.n; ++i) {
        const test::Sum sum =
            test::plain_product(halves.plain_a, halves.plain_b, k, halves.n, i / halves.n, i % halves.n, test::widened);
        ASSERT_NEAR(found[at(i)], sum.value, 1e-6 * (1 + sum.size)) << rows << " x " << k << " x " << halves.n;
      }
      ASSERT_EQ(found.back(), kBehind);
    }
  }
}

TEST_F(AmxTest, ARowOfBf16DoesNotDependOnTheOthers) {
  RandomNumbers random(3);
  const Halves halves(70, 75, 83, random);
  const std::vector<float> whole = halves.product(*amx_, 0, halves.rows);
  for (const int64_t count : kRowCounts) {
    for (int64_t first = 0; first + count <= halves.rows; first += 9) {
      const std::vector<float> some = halves.product(*amx_, first, count);
      ASSERT_EQ(std::memcmp(some.data(), whole.data() + first * halves.n, at(count * halves.n) * sizeof(float)), 0)
          << count << " rows from " << first;
    }
  }
}

/// Behind the last row and panel may be anything, such as NaN, or no memory.
TEST_F(AmxTest, WhatFollowsTheOperandsIsNotRead) {
  RandomNumbers random(4);
  Halves halves(17, 35, 20, random);
  const std::vector<float> expected = halves.product(*amx_, 0, 17);
  halves.a.resize(halves.a.size() + 64, 0x7FC0);
  halves.b.resize(halves.b.size() + 2048, 0x7FC0);
  EXPECT_EQ(halves.product(*amx_, 0, 17), expected);
  const Halves exact(17, 35, 20, random);  // the address sanitizer notices reads behind these
  exact.product(*amx_, 0, 17);
}

TEST_F(AmxTest, EachThreadHasItsOwnTiles) {
  RandomNumbers random(5);
  const Halves first(40, 64, 50, random), second(20, 96, 70, random);
  const auto expected_first = first.product(*amx_, 0, 40), expected_second = second.product(*amx_, 0, 20);
  std::vector<float> found_first, found_second;
  std::thread one([&] {
    for (int i = 0; i < 20; ++i) found_first = first.product(*amx_, 0, 40);
  });
  std::thread two([&] {
    for (int i = 0; i < 20; ++i) found_second = second.product(*amx_, 0, 20);
  });
  one.join();
  two.join();
  EXPECT_EQ(found_first, expected_first);
  EXPECT_EQ(found_second, expected_second);
}

TEST_F(AmxTest, ManyRowsAreMultipliedInTiles) {
  if (!test::must_emulate(amx_)) GTEST_SKIP() << "this processor has AMX, so nothing counts its products";
  RandomNumbers random(6);
  const Halves halves(32, 64, 32, random);
  const long before = test::AmxEmulator::products();
  halves.product(*amx_, 0, 32);
  EXPECT_EQ(test::AmxEmulator::products() - before, 8);  // 2 blocks, 2 panels, 2 parts of the inputs
}

TEST(AmxChoice, IsNotMadeByDefault) { EXPECT_STRNE(available_kernels().front()->name, "amx"); }
#endif

}  // namespace
}  // namespace ventris::arithmetic
