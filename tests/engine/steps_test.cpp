#include "engine/steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "engine/random_model.h"
#include "support/errors.h"

namespace ventris::engine {
namespace {

using Rows = std::vector<std::vector<int32_t>>;
using States = std::vector<float>;

/// The decoder of a small random model.
class EngineDecodingSteps : public testing::Test {
 protected:
  void admit(const Rows& sources) {
    const std::vector<std::span<const int32_t>> views(sources.begin(), sources.end());
    steps.admit(views);
  }
  /// The states of all rows after one more token of each.
  States run(const std::vector<int32_t>& ids) {
    const float* states = steps.run(ids);
    return {states, states + 8 * ids.size()};
  }
  /// The state after these tokens, with nothing else in the decoder.
  States alone(const std::vector<int32_t>& source, const std::vector<int32_t>& tokens) {
    Steps other(arithmetic::kernels(), weights);
    const std::vector<std::span<const int32_t>> views{source};
    other.admit(views);
    const float* state = nullptr;
    for (const int32_t token : tokens) state = other.run(std::vector<int32_t>{token});
    return {state, state + 8};
  }
  static void expect_near(const States& found, size_t row, const States& expected) {
    for (size_t i = 0; i < 8; ++i) EXPECT_NEAR(found[8 * row + i], expected[i], 1e-5) << "row " << row;
  }

  TransformerWeights weights = layers::pack_weights(test::smallest_transformer(1, 10),
                                                    test::random_model(test::smallest_transformer(1, 10), 1).file(),
                                                    arithmetic::Precision::kF32);
  Steps steps{arithmetic::kernels(), weights};
};

TEST_F(EngineDecodingSteps, RowsHaveTheStatesOfTheirTokensWhateverTheyFollow) {
  const std::vector<int32_t> first{4, 5, 6}, second{7, 8};
  admit({first, second});
  run({2, 2});
  steps.follow(std::vector<int32_t>{0, 0, 1});
  run({4, 5, 6});
  steps.follow(std::vector<int32_t>{1, 0, 2});
  const States found = run({9, 10, 11});
  expect_near(found, 0, alone(first, {2, 5, 9}));
  expect_near(found, 1, alone(first, {2, 4, 10}));
  expect_near(found, 2, alone(second, {2, 6, 11}));
}

TEST_F(EngineDecodingSteps, SentencesMayComeWhileOthersAreUnderWayAndTakeThePlacesOfFinishedOnes) {
  admit({{4, 5, 6}, {7, 8}});
  run({2, 2});
  steps.follow(std::vector<int32_t>{1});  // the first sentence is finished
  admit({{9, 9, 9, 9}});
  const States found = run({4, 2});
  expect_near(found, 0, alone({7, 8}, {2, 4}));
  expect_near(found, 1, alone({9, 9, 9, 9}, {2}));
}

TEST_F(EngineDecodingSteps, NothingIsLeftAfterResetAndRelease) {
  for (const bool release : {false, true}) {
    admit({{4, 5, 6}});
    run({2});
    if (release) {
      steps.release();
    } else {
      steps.reset();
    }
    admit({{7, 8}});
    expect_near(run({2}), 0, alone({7, 8}, {2}));
    steps.reset();
  }
}

TEST_F(EngineDecodingSteps, MoreSentencesThanAGroupHasTokensAreEncodedInParts) {
  Rows sources;
  for (int32_t i = 0; i < 60; ++i) sources.push_back(std::vector<int32_t>(10, 4 + i % 8));  // 600 tokens
  ASSERT_GT(600, 2 * Steps::kGroup);
  admit(sources);
  const States found = run(std::vector<int32_t>(60, 2));
  for (const size_t row : {0, 25, 26, 59}) expect_near(found, row, alone(sources[row], {2}));
}

TEST_F(EngineDecodingSteps, TheAttentionOfALayerIsShownForEachRow) {
  std::vector<int64_t> lengths;
  steps.watch(1, [&](size_t row, const float* attention, int64_t length) {
    EXPECT_EQ(row, lengths.size());
    lengths.push_back(length);
    for (int64_t head = 0; head < 2; ++head) {
      float sum = 0;
      for (int64_t i = 0; i < length; ++i) sum += attention[head * length + i];
      EXPECT_NEAR(sum, 1, 1e-5);
    }
  });
  admit({{4, 5, 6}, {7, 8}});
  run({2, 2});
  EXPECT_THAT(lengths, testing::ElementsAre(3, 2));
  steps.watch(-1, nullptr);
  run({4, 4});
  EXPECT_EQ(lengths.size(), 2U);
}

TEST_F(EngineDecodingSteps, WhatDoesNotFitIsRefused) {
  EXPECT_FAILS(admit({{}}), std::invalid_argument, "engine: a sentence is empty, or longer than the model allows");
  EXPECT_FAILS(admit({std::vector<int32_t>(11, 4)}), std::invalid_argument, "longer than the model allows");
  EXPECT_THROW(admit({{12}}), std::invalid_argument);
  admit({{4, 5}});
  EXPECT_FAILS(run({2, 2}), std::invalid_argument, "engine: expected one id for each row");
  EXPECT_THROW(run({12}), std::invalid_argument);
  for (int i = 0; i < 10; ++i) run({2});
  EXPECT_FAILS(run({2}), std::invalid_argument, "engine: a translation is longer than the model allows");
}

TEST(EngineStepsNeeds, AreThoseOfTheEncoderTheSourcesAndThePrefixes) {
  const auto options = test::smallest_transformer(1, 10);
  const auto needs = Steps::needs(options);
  EXPECT_EQ(needs.encoded_token, Encoder::needs(options).encoded_token);
  EXPECT_EQ(needs.source_token, layers::source_needs(options).source_token);
  EXPECT_EQ(needs.place, layers::decoder_attention_needs(options).place);
  EXPECT_EQ(needs.source_place, 6) << "a score, half as much again";
}

}  // namespace
}  // namespace ventris::engine
