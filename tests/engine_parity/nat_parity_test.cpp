#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "backend/module_nat_scorer.h"
#include "decoding/decoder.h"
#include "engine_parity/both_models.h"
#include "families/transformer_nat.h"

/// Models that write all tokens at once: the engine against LibTorch.
namespace ventris::engine {
namespace {

using architecture::DecoderInput;
using architecture::NatLoss;
using architecture::NatOptions;
using architecture::Stop;
using decoding::Hypothesis;
using decoding::Pair;
using decoding::PairAnswer;
using test::RandomNumbers;
using Ids = std::vector<int32_t>;

/// Every objective, decoder input and way to stop that fit together.
NatOptions random_nat_options(RandomNumbers& random) {
  NatOptions options;
  options.transformer = test::random_options(random);
  options.transformer.experts = 0;  // the family has none
  if (options.transformer.self_attention != architecture::SelfAttention::kLowRank) {
    options.transformer.self_attention = architecture::SelfAttention::kFull;
  }
  if (options.transformer.positions == architecture::Positions::kRelative ||
      options.transformer.positions == architecture::Positions::kRotary || options.transformer.has_relative_bias()) {
    options.transformer.positions = architecture::Positions::kSinusoidal;
  }
  options.objective = static_cast<NatLoss>(random.between(0, 4));
  if (options.objective != NatLoss::kMaskPredict) {
    options.decoder_input = static_cast<DecoderInput>(random.between(0, 2));
    options.stop = random.coin() ? Stop::kLength : Stop::kEos;
  }
  options.length_range = random.between(1, 20);
  options.length_factor = static_cast<double>(random.between(2, 5)) / 2;
  options.copy_width = static_cast<double>(random.between(1, 40)) / 10;
  options.upsampling = random.between(1, 3);
  return options;
}

families::NonAutoregressive random_module(const NatOptions& options, uint32_t seed) {
  at::set_num_threads(1);
  torch::manual_seed(seed);
  families::NonAutoregressive module(options);
  module->initialise();
  module->eval();
  const torch::NoGradGuard no_grad;
  for (auto& item : module->named_parameters()) {
    if (item.value().dim() == 1) item.value().add_(torch::randn_like(item.value()), 0.2);
  }
  return module;
}

class EngineNatParity : public testing::TestWithParam<uint32_t> {
 protected:
  EngineNatParity()
      : random_(GetParam()), options_(random_nat_options(random_)), module_(random_module(options_, GetParam())) {
    backend::ScorerOptions torch_options;
    torch_options.max_length = options_.transformer.max_positions;
    torch_options.never = {0, 1, 2};  // as in the engine
    torch_ = backend::make_nat_factory(module_.ptr(), options_, torch_options);
    for (int i = 0; i < 9; ++i) {
      sources_.push_back(test::random_ids(random_, random_.between(1, 48), options_.transformer.src_vocab));
    }
  }

  std::unique_ptr<decoding::ScorerFactory> engine(Precision precision = Precision::kF32) const {
    model::ModelConfig config;
    config.architecture = std::make_shared<architecture::NatArchitecture>(options_);
    return make_factory(config, model::Safetensors::parse(backend::save_weights(*module_), "weights"), {precision});
  }
  std::string model() const { return architecture::NatArchitecture(options_).to_json().dump(); }

  std::vector<decoding::Sentence> sentences() const {
    std::vector<decoding::Sentence> all;
    for (const Ids& source : sources_) all.push_back({source, {}, all.size()});
    return all;
  }
  void compare_translations(const decoding::SearchOptions& search) const;
  void compare_pairs(const decoding::PairQuestion& question) const;

  RandomNumbers random_;
  NatOptions options_;
  families::NonAutoregressive module_;
  std::unique_ptr<decoding::ScorerFactory> torch_;
  std::vector<Ids> sources_;
};
INSTANTIATE_TEST_SUITE_P(RandomModels, EngineNatParity, testing::Range(0U, 120U));

void EngineNatParity::compare_translations(const decoding::SearchOptions& search) const {
  const auto expected = torch_->make_decoder()->decode(sentences(), search);
  const auto found = engine()->make_decoder()->decode(sentences(), search);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].size(), expected[i].size()) << model();
    for (size_t j = 0; j < found[i].size(); ++j) {
      const Hypothesis &mine = found[i][j], &theirs = expected[i][j];
      ASSERT_EQ(mine.ids, theirs.ids) << "sentence " << i << ", result " << j << " of " << model();
      ASSERT_EQ(mine.truncated, theirs.truncated) << model();
      ASSERT_NEAR(mine.score, theirs.score, 1e-4) << model();
      ASSERT_EQ(mine.token_log_probs.size(), theirs.token_log_probs.size());
      for (size_t t = 0; t < mine.token_log_probs.size(); ++t) {
        ASSERT_NEAR(mine.token_log_probs[t], theirs.token_log_probs[t], 1e-4) << "token " << t << " of " << model();
      }
    }
  }
}

TEST_P(EngineNatParity, TranslationsAreThoseOfLibTorch) {
  decoding::SearchOptions search;
  if (options_.predicts_length()) search.length_candidates = search.n_best = 4;
  compare_translations(search);
  if (!options_.ctc()) return;
  search.beam_size = 64;  // wide enough for equally good prefixes
  compare_translations(search);
}

TEST_P(EngineNatParity, RefinedTranslationsAreThoseOfLibTorch) {
  if (options_.objective != NatLoss::kMaskPredict) return;
  for (const int32_t iterations : {2, 4, 10}) {
    decoding::SearchOptions search;
    search.iterations = iterations;
    search.length_candidates = search.n_best = 3;
    compare_translations(search);
  }
}

void EngineNatParity::compare_pairs(const decoding::PairQuestion& question) const {
  RandomNumbers random(GetParam());
  std::vector<Ids> targets;
  for (size_t i = 0; i < sources_.size(); ++i) {
    targets.push_back(test::random_ids(random, i == 3 ? 0 : random.between(1, 47), options_.transformer.tgt_vocab));
  }
  std::vector<Pair> pairs;
  for (size_t i = 0; i < sources_.size(); ++i) pairs.push_back({sources_[i], targets[i], i != 2});
  const auto expected = torch_->make_pair_scorer()->answer(pairs, question);
  const auto found = engine()->make_pair_scorer()->answer(pairs, question);
  const double share = test::share_of_rounding(options_.transformer);
  const auto expect_near = [&](const std::vector<float>& mine, const std::vector<float>& theirs) {
    ASSERT_EQ(mine.size(), theirs.size()) << model();
    for (size_t i = 0; i < mine.size(); ++i) {
      if (std::isinf(theirs[i])) {
        ASSERT_EQ(mine[i], theirs[i]) << model();
      } else {
        ASSERT_NEAR(mine[i], theirs[i], share * (1e-4 + 1e-5 * std::abs(theirs[i])))
            << "place " << i << " of " << model();
      }
    }
  };
  for (size_t i = 0; i < pairs.size(); ++i) {
    ASSERT_NO_FATAL_FAILURE(expect_near(found[i].log_probs, expected[i].log_probs));
    ASSERT_NO_FATAL_FAILURE(expect_near(found[i].attention, expected[i].attention));
  }
}

TEST_P(EngineNatParity, LogProbabilitiesOfPairsAreThoseOfLibTorch) { compare_pairs({}); }

TEST_P(EngineNatParity, AttentionOfEachLayerAndHeadIsThatOfLibTorch) {
  const auto mine = engine()->make_pair_scorer()->attention_shape(),
             theirs = torch_->make_pair_scorer()->attention_shape();
  ASSERT_EQ(mine.layers, theirs.layers);
  ASSERT_EQ(mine.heads, theirs.heads);
  for (int64_t layer = 0; layer < mine.layers; ++layer) {
    for (int64_t head = -1; head < mine.heads; ++head) {
      compare_pairs({.log_probs = layer == 0, .attention = true, .layer = layer, .head = head});
    }
  }
}

/// The mean difference of the log-probabilities of pairs.
double mean_difference(const std::vector<PairAnswer>& found, const std::vector<PairAnswer>& expected) {
  double sum = 0, count = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    for (size_t t = 0; t < found[i].log_probs.size(); ++t) {
      if (std::isinf(expected[i].log_probs[t])) continue;
      sum += std::abs(static_cast<double>(found[i].log_probs[t] - expected[i].log_probs[t]));
      ++count;
    }
  }
  return sum / std::max(count, 1.0);
}

TEST_P(EngineNatParity, LowerPrecisionsAreNearLibTorch) {
  std::vector<Pair> pairs;
  const Ids target = test::random_ids(random_, 6, options_.transformer.tgt_vocab);
  for (const Ids& source : sources_) pairs.push_back({source, target});
  const auto expected = torch_->make_pair_scorer()->answer(pairs, {});
  // The value of a CTC token is a sum over all positions, and so is its error.
  const double share = test::share_of_rounding(options_.transformer);
  const double bf16 = share * (options_.ctc() ? 0.1 : 0.03), int8 = share * (options_.ctc() ? 0.35 : 0.1);
  EXPECT_LE(mean_difference(engine(Precision::kBf16)->make_pair_scorer()->answer(pairs, {}), expected), bf16)
      << model();
  EXPECT_LE(mean_difference(engine(Precision::kInt8)->make_pair_scorer()->answer(pairs, {}), expected), int8)
      << model();
}

}  // namespace
}  // namespace ventris::engine
