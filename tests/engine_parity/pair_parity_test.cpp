#include <gtest/gtest.h>

#include "engine_parity/both_models.h"

namespace ventris::engine {
namespace {

using decoding::Pair;
using decoding::PairAnswer;

/// Pairs of random sentences. Some targets are empty, and some were cut.
struct RandomPairs {
  RandomPairs(const nn::TransformerOptions& options, test::RandomNumbers& random) {
    for (int i = 0; i < 7; ++i) {
      sources.push_back(test::random_ids(random, random.between(1, 48), options.src_vocab));
      targets.push_back(test::random_ids(random, i == 3 ? 0 : random.between(1, 47), options.tgt_vocab));
    }
    targets[5] = test::random_ids(random, 48, options.tgt_vocab);  // the maximum, without eos
    for (size_t i = 0; i < sources.size(); ++i) pairs.push_back({sources[i], targets[i], i != 2 && i != 5});
  }

  std::vector<std::vector<int32_t>> sources, targets;
  std::vector<Pair> pairs;
};

void expect_near(const std::vector<float>& found, const std::vector<float>& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-4) << what << ", place " << i;
}

class EnginePairParity : public testing::TestWithParam<uint32_t> {
 protected:
  EnginePairParity()
      : random_(GetParam()),
        models_(test::random_options(random_), GetParam()),
        pairs_(models_.module->options, random_),
        expected_(models_.backend()->make_pair_scorer()),
        found_(models_.engine()->make_pair_scorer()) {}

  /// Compares the answers of both scorers.
  void compare(const decoding::PairQuestion& question, const std::string& what) const {
    const auto expected = expected_->answer(pairs_.pairs, question), found = found_->answer(pairs_.pairs, question);
    ASSERT_EQ(found.size(), expected.size());
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_near(found[i].log_probs, expected[i].log_probs, what + model()));
      ASSERT_NO_FATAL_FAILURE(expect_near(found[i].attention, expected[i].attention, what + model()));
    }
  }
  std::string model() const { return test::described(models_.module->options); }

  test::RandomNumbers random_;
  test::BothModels models_;
  RandomPairs pairs_;
  std::unique_ptr<decoding::PairScorer> expected_, found_;
};
INSTANTIATE_TEST_SUITE_P(RandomModels, EnginePairParity, testing::Range(100U, 130U));

TEST_P(EnginePairParity, LogProbabilitiesAreThoseOfLibTorch) { compare({}, "log-probabilities of "); }

TEST_P(EnginePairParity, AttentionOfEachLayerAndHeadIsThatOfLibTorch) {
  const decoding::AttentionShape shape = found_->attention_shape();
  EXPECT_EQ(shape.layers, expected_->attention_shape().layers);
  EXPECT_EQ(shape.heads, expected_->attention_shape().heads);
  for (int64_t layer = 0; layer < shape.layers; ++layer) {
    for (int64_t head = -1; head < shape.heads; ++head) {
      compare({.log_probs = false, .attention = true, .layer = layer, .head = head},
              "layer " + std::to_string(layer) + ", head " + std::to_string(head) + " of ");
    }
  }
}

TEST_P(EnginePairParity, BothPartsOfAnAnswerComeTogether) {
  compare({.log_probs = true, .attention = true, .layer = 0, .head = -1}, "both parts of ");
}

}  // namespace
}  // namespace ventris::engine
