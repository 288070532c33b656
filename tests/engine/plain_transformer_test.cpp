#include "engine/plain_transformer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/special_ids.h"
#include "decoding/pair_scorer.h"
#include "engine/factory.h"
#include "engine/random_model.h"

/// The engine against plain loops in double.
namespace ventris::engine {
namespace {

using architecture::NatOptions;
using architecture::Positions;
using architecture::TransformerOptions;
using test::PlainTransformer;
using test::RandomModel;
using test::RandomNumbers;
using test::Rows;
using Ids = std::vector<int32_t>;

constexpr int32_t kBos = 2;

/// Any value of the settings that a PlainTransformer has. d_model is at least 8, because norms of very few values
/// amplify rounding errors.
TransformerOptions any_options(RandomNumbers& random) {
  TransformerOptions options;
  options.encoder_layers = random.between(1, 3);
  options.decoder_layers = random.between(1, 3);
  options.heads = random.between(1, 3);
  options.d_model = options.heads * random.between(8, 20);
  options.d_k = 2 * random.between(1, 20);
  options.d_v = random.between(1, 40);
  options.d_ff = random.between(1, 70);
  options.norm = random.coin() ? architecture::NormPlace::kPre : architecture::NormPlace::kPost;
  options.norm_kind = random.coin() ? architecture::NormKind::kLayer : architecture::NormKind::kRms;
  options.activation = static_cast<architecture::Activation>(random.between(0, 4));
  options.gated_feed_forward = random.coin();
  constexpr Positions kPositions[] = {Positions::kSinusoidal, Positions::kHalvedSinusoidal, Positions::kLearned,
                                      Positions::kRotary, Positions::kRelativeBias};
  options.positions = kPositions[random.between(0, 4)];
  const bool halves = options.positions == Positions::kHalvedSinusoidal;
  if (halves && options.d_model % 2 != 0) options.positions = Positions::kSinusoidal;
  if (options.has_relative_bias()) {
    options.relative_buckets = 2 * random.between(2, 16);
    options.relative_max_distance = options.relative_buckets / 2 + random.between(1, 60);
  }
  options.max_positions = 90;
  options.tying = static_cast<architecture::Tying>(random.between(0, 2));
  options.tgt_vocab = random.between(6, 60);
  options.src_vocab = options.tying == architecture::Tying::kAll ? options.tgt_vocab : random.between(6, 60);
  options.attention_bias = random.coin();
  options.embedding_norm = random.coin();
  options.norm_epsilon = random.coin() ? 1e-5 : 1e-2;
  options.scale_embeddings = random.coin();
  options.final_norm = options.norm == architecture::NormPlace::kPost && random.coin();
  const bool added = options.positions != Positions::kRotary && !options.has_relative_bias();
  if (added && random.coin()) {
    options.self_attention = architecture::SelfAttention::kSsru;
  }
  if (random.between(0, 2) == 0) {
    options.experts_per_token = random.between(1, 2);
    options.experts = options.experts_per_token + random.between(1, 20);
    options.expert_interval = random.between(1, 2);
  }
  options.decoder_heads = random.between(0, 4);
  options.decoder_d_ff = random.coin() ? random.between(1, 90) : 0;
  return options;
}

Ids random_ids(RandomNumbers& random, int64_t count, int64_t vocab) {
  Ids ids;
  for (int64_t i = 0; i < count; ++i) ids.push_back(static_cast<int32_t>(random.between(4, vocab - 1)));
  return ids;
}

/// How far log-probabilities are from those of the plain loops.
struct Difference {
  void add(double expected, double found) {
    const double size = std::abs(expected - found);
    if (!std::isnan(most) && !(size <= most)) most = size;  // NaN stays
    mean += (size - mean) / static_cast<double>(++count);
  }
  double most = 0, mean = 0;
  int64_t count = 0;
};

class EnginePlain : public testing::TestWithParam<uint32_t> {
 protected:
  EnginePlain() : random_(GetParam()), options_(any_options(random_)) {
    for (int i = 0; i < 5; ++i) {
      sources_.push_back(random_ids(random_, random_.between(1, i == 0 ? 90 : 20), options_.src_vocab));
      targets_.push_back(random_ids(random_, random_.between(1, i == 1 ? 89 : 20), options_.tgt_vocab));
    }
  }

  /// Of a model that writes token by token.
  Difference of_pairs(Precision precision) const {
    const RandomModel model = test::random_model(options_, GetParam());
    const auto answers = answers_of(model, precision);
    const model::Safetensors file = model.file();
    Difference difference;
    for (size_t i = 0; i < targets_.size(); ++i) {
      Ids read{kBos}, wanted = targets_[i];
      read.insert(read.end(), targets_[i].begin(), targets_[i].end());
      wanted.push_back(core::SpecialIds{}.eos);
      add(PlainTransformer(options_, file).log_probs(sources_[i], read), wanted, answers[i].log_probs, difference);
    }
    return difference;
  }

  /// Of one that writes all tokens at once, from mask tokens. The last value of an answer is that of the length.
  Difference of_whole_pairs(Precision precision) const {
    NatOptions nat;
    nat.transformer = options_;
    nat.transformer.self_attention = architecture::SelfAttention::kFull;
    nat.objective = architecture::NatLoss::kPlain;
    if (options_.positions != Positions::kLearned) nat.transformer.positions = Positions::kSinusoidal;
    const RandomModel model = test::random_model(nat, GetParam());
    const auto answers = answers_of(model, precision);
    const model::Safetensors file = model.file();
    Difference difference;
    for (size_t i = 0; i < targets_.size(); ++i) {
      const Ids masks(targets_[i].size(), kBos);
      const PlainTransformer plain(nat.transformer, file);
      add(plain.log_probs(sources_[i], masks, /*causal=*/false), targets_[i], answers[i].log_probs, difference);
    }
    return difference;
  }

  std::string model() const { return architecture::TransformerArchitecture(options_).to_json().dump(); }

 private:
  std::vector<decoding::PairAnswer> answers_of(const RandomModel& model, Precision precision) const {
    std::vector<decoding::Pair> pairs;
    for (size_t i = 0; i < sources_.size(); ++i) pairs.push_back({sources_[i], targets_[i]});
    return make_factory(model.config, model.file(), {precision})->make_pair_scorer()->answer(pairs, {});
  }
  static void add(const Rows& expected, const Ids& wanted, const std::vector<float>& found, Difference& difference) {
    for (size_t i = 0; i < wanted.size(); ++i) difference.add(expected[i][static_cast<size_t>(wanted[i])], found[i]);
  }

  RandomNumbers random_;
  TransformerOptions options_;
  std::vector<Ids> sources_, targets_;
};
INSTANTIATE_TEST_SUITE_P(RandomModels, EnginePlain, testing::Range(0U, 40U));

TEST_P(EnginePlain, InF32TheLogProbabilitiesAreThoseOfPlainLoops) {
  EXPECT_LE(of_pairs(Precision::kF32).most, 1e-4) << model();
}

TEST_P(EnginePlain, InBfloat16TheLogProbabilitiesAreNearThoseOfPlainLoops) {
  EXPECT_LE(of_pairs(Precision::kBf16).mean, 0.02) << model();
}

TEST_P(EnginePlain, InInt8TheLogProbabilitiesAreNearThoseOfPlainLoops) {
  EXPECT_LE(of_pairs(Precision::kInt8).mean, 0.08) << model();
}

TEST_P(EnginePlain, WholeTranslationsHaveTheLogProbabilitiesOfPlainLoops) {
  EXPECT_LE(of_whole_pairs(Precision::kF32).most, 1e-4) << model();
  EXPECT_LE(of_whole_pairs(Precision::kBf16).mean, 0.02) << model();
  EXPECT_LE(of_whole_pairs(Precision::kInt8).mean, 0.08) << model();
}

}  // namespace
}  // namespace ventris::engine
