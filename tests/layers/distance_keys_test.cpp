#include "layers/distance_keys.h"

#include <gtest/gtest.h>

#include "architecture/sinusoids.h"
#include "arithmetic/every_kernel_set.h"
#include "support/random_numbers.h"

namespace ventris::layers {
namespace {

using architecture::TransformerOptions;
using test::RandomNumbers;

class DistanceKeysTest : public test::EveryKernelSet {
 protected:
  DistanceKeysTest() {
    options.heads = 2;
    options.d_k = 3;
    options.d_model = 8;
    options.segment = 40;
    options.segment_memory = 30;
    options.max_positions = 200;
    w = random.values(int64_t{6} * 8);
    matrix = Matrix(w.data(), nullptr, 6, 8, arithmetic::Precision::kF32);
  }
  /// The product of a query of a head with W R of a distance.
  double plain(int64_t head, const float* query, int64_t distance) const {
    std::vector<float> vector(8);
    architecture::sinusoids(distance, 8, vector.data());
    double sum = 0;
    for (size_t i = 0; i < 3; ++i) {
      for (size_t j = 0; j < 8; ++j) sum += query[i] * w[(static_cast<size_t>(head) * 3 + i) * 8 + j] * vector[j];
    }
    return sum;
  }
  /// Compares the products of all distances in a range.
  void expect_near(const DistanceKeys& keys, int64_t largest, int64_t smallest) {
    const std::vector<float> queries = random.values(int64_t{2} * 6);
    const int64_t width = DistanceKeys::most_columns(largest - smallest + 1);
    for (int64_t head = 0; head < 2; ++head) {
      std::vector<float> out(static_cast<size_t>(2 * width));
      const int64_t first = keys.multiply(head, queries.data() + 3 * head, 6, 2, largest, smallest, out.data(), width);
      for (int64_t row = 0; row < 2; ++row) {
        for (int64_t distance = largest; distance >= smallest; --distance) {
          const double found = out[static_cast<size_t>(row * width + first + largest - distance)];
          ASSERT_NEAR(found, plain(head, queries.data() + 6 * row + 3 * head, distance), 1e-4) << distance;
        }
      }
    }
  }

  RandomNumbers random{1};
  TransformerOptions options;
  std::vector<float> w;
  Matrix matrix;
};
INSTANTIATE_EVERY_KERNEL_SET(DistanceKeysTest);

TEST_P(DistanceKeysTest, ProductsAreThoseOfTheVectorsOfDistances) {
  DistanceKeys keys(kernels(), options, matrix, Side::kEncoder);
  keys.reserve(5, -3);
  expect_near(keys, 5, -3);
  expect_near(keys, 2, 2);
  expect_near(keys, 0, -3);
}

TEST_P(DistanceKeysTest, MoreDistancesAreAddedWhenTheyAreNeeded) {
  DistanceKeys keys(kernels(), options, matrix, Side::kEncoder);
  keys.reserve(1, 0);
  keys.reserve(69, -39);
  expect_near(keys, 69, -39);
  expect_near(keys, 31, -31);
}

TEST_P(DistanceKeysTest, ADecoderHasNoneUnder0) {
  DistanceKeys keys(kernels(), options, matrix, Side::kDecoder);
  for (const int64_t largest : {0, 20, 69}) {
    keys.reserve(largest, 0);
    expect_near(keys, largest, 0);
  }
}

TEST(DistanceKeys, ThereAreAsManyAsASegmentAndItsMemoryButNotMoreThanPositions) {
  TransformerOptions options;
  options.segment = 40;
  options.segment_memory = 30;
  options.max_positions = 200;
  EXPECT_EQ(DistanceKeys::most_of_decoder(options), 70 + kPanel);
  EXPECT_EQ(DistanceKeys::most_of_encoder(options), 70 + kPanel + 40);
  options.max_positions = 10;
  EXPECT_EQ(DistanceKeys::most_of_decoder(options), 10 + kPanel);
  EXPECT_EQ(DistanceKeys::most_of_encoder(options), 10 + kPanel + 10);
}

TEST(DistanceKeys, AQueryGetsBothBiases) {
  SelfAttentionWeights weights;
  weights.content_bias = {1, 2};
  weights.distance_bias = {10, 20};
  std::vector<float> query{3, 4}, of_distances(2);
  add_biases(weights, 2, query.data(), of_distances.data());
  EXPECT_EQ(query, (std::vector<float>{4, 6}));
  EXPECT_EQ(of_distances, (std::vector<float>{13, 24})) << "without the bias of the content";
}

}  // namespace
}  // namespace ventris::layers
