#include "engine/nat_scorer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>

#include "core/error.h"
#include "decoding/decoder.h"
#include "engine/factory.h"
#include "engine/random_model.h"
#include "support/changed_weights.h"
#include "support/errors.h"

namespace ventris::engine {
namespace {

using layers::pack_weights;

using architecture::DecoderInput;
using architecture::NatLoss;
using architecture::NatOptions;
using architecture::Stop;
using decoding::Hypothesis;
using decoding::Pair;
using decoding::Sentence;
using test::RandomModel;
using test::RandomNumbers;
using Ids = std::vector<int32_t>;

constexpr int32_t kVocab = 41;

NatOptions small_nat(NatLoss objective, DecoderInput input, Stop stop) {
  NatOptions options;
  options.transformer = {.src_vocab = 37,
                         .tgt_vocab = kVocab,
                         .encoder_layers = 2,
                         .decoder_layers = 2,
                         .d_model = 20,
                         .d_ff = 33,
                         .heads = 2,
                         .max_positions = 320,
                         .tying = architecture::Tying::kDecoder};
  options.objective = objective;
  options.decoder_input = input;
  options.stop = stop;
  options.length_range = 9;
  return options;
}

NatOptions with_rms_norms_and_gates() {
  NatOptions options = small_nat(NatLoss::kGlancing, DecoderInput::kMask, Stop::kLength);
  options.transformer.norm_kind = architecture::NormKind::kRms;
  options.transformer.gated_feed_forward = true;
  options.transformer.activation = architecture::Activation::kSilu;
  return options;
}

/// Models by name.
const std::vector<std::pair<std::string, NatOptions>>& kinds() {
  static const std::vector<std::pair<std::string, NatOptions>> all{
      {"mask_predict", small_nat(NatLoss::kMaskPredict, DecoderInput::kMask, Stop::kLength)},
      {"uniform", small_nat(NatLoss::kPlain, DecoderInput::kUniform, Stop::kLength)},
      {"soft_eos", small_nat(NatLoss::kGlancing, DecoderInput::kSoft, Stop::kEos)},
      {"ctc", small_nat(NatLoss::kCtc, DecoderInput::kUniform, Stop::kLength)},
      {"ctc_soft", small_nat(NatLoss::kCtcGlancing, DecoderInput::kSoft, Stop::kLength)},
      {"rms_gated", with_rms_norms_and_gates()}};
  return all;
}

Ids random_ids(RandomNumbers& random, int64_t count, int64_t vocab) {
  Ids ids;
  for (int64_t i = 0; i < count; ++i) ids.push_back(static_cast<int32_t>(random.between(4, vocab - 1)));
  return ids;
}

/// Sentences of different lengths. One is longer than what is computed together.
std::vector<Sentence> random_sentences(uint32_t seed) {
  RandomNumbers random(seed);
  std::vector<Sentence> all;
  for (int64_t i = 0; i < 40; ++i) {
    all.push_back({random_ids(random, i == 5 ? 300 : random.between(1, 40), 37), {}, static_cast<uint64_t>(i)});
  }
  return all;
}

std::unique_ptr<decoding::ScorerFactory> factory_of(const RandomModel& model, Precision precision = Precision::kF32) {
  return make_factory(model.config, model.file(), {precision});
}

/// Token ids and log-probabilities of all results.
std::vector<std::pair<Ids, std::vector<float>>> listed(const std::vector<std::vector<Hypothesis>>& results) {
  std::vector<std::pair<Ids, std::vector<float>>> all;
  for (const auto& found : results) {
    for (const Hypothesis& hypothesis : found) all.emplace_back(hypothesis.ids, hypothesis.token_log_probs);
  }
  return all;
}

class EngineNat : public testing::TestWithParam<std::tuple<size_t, Precision>> {
 protected:
  EngineNat() {
    if (options.objective == NatLoss::kMaskPredict) search.iterations = 4;
    if (options.predicts_length()) search.length_candidates = search.n_best = 3;
    if (options.ctc()) search.beam_size = search.n_best = 4;
  }

  const NatOptions options = kinds()[std::get<0>(GetParam())].second;
  std::unique_ptr<decoding::ScorerFactory> factory =
      factory_of(test::random_model(options, 1), std::get<1>(GetParam()));
  decoding::SearchOptions search;
};
INSTANTIATE_TEST_SUITE_P(Kinds, EngineNat,
                         testing::Combine(testing::Range(size_t{0}, kinds().size()),
                                          testing::Values(Precision::kF32, Precision::kBf16, Precision::kInt8)),
                         [](const auto& kind) {
                           const Precision precision = std::get<1>(kind.param);
                           return kinds()[std::get<0>(kind.param)].first + (precision == Precision::kF32    ? "_f32"
                                                                            : precision == Precision::kBf16 ? "_bf16"
                                                                                                            : "_int8");
                         });

TEST_P(EngineNat, ASentenceHasTheSameResultsAloneAndAmongOthers) {
  const auto sentences = random_sentences(1);
  const auto together = factory->make_decoder()->decode(sentences, search);
  ASSERT_EQ(together.size(), sentences.size());
  const auto decoder = factory->make_decoder();
  for (size_t i = 0; i < sentences.size(); ++i) {
    EXPECT_EQ(listed({together[i]}), listed(decoder->decode(std::span(sentences).subspan(i, 1), search))) << i;
  }
}

TEST_P(EngineNat, TwoThreadsGetTheSame) {
  const auto sentences = random_sentences(2);
  const auto expected = listed(factory->make_decoder()->decode(sentences, search));
  std::vector<std::vector<Hypothesis>> found[2];
  std::vector<std::thread> threads;
  for (auto& own : found) {
    threads.emplace_back(
        [&own, &sentences, this, decoder = std::shared_ptr<decoding::Decoder>(factory->make_decoder())] {
          for (int round = 0; round < 2; ++round) own = decoder->decode(sentences, search);
        });
  }
  factory.reset();  // the decoders outlive it
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(listed(found[0]), expected);
  EXPECT_EQ(listed(found[1]), expected);
}

TEST_P(EngineNat, OnePassHasTheValuesOfThePairScorer) {
  search.iterations = 1;
  const auto sentences = random_sentences(3);
  const auto found = factory->make_decoder()->decode(sentences, search);
  const auto scorer = factory->make_pair_scorer();
  for (size_t i = 0; i < sentences.size(); ++i) {
    const Hypothesis& best = found[i].front();
    const std::vector<Pair> pair{{sentences[i].source, best.ids, !best.truncated}};
    EXPECT_EQ(scorer->answer(pair, {}).front().log_probs, best.token_log_probs) << i;
  }
}

TEST_P(EngineNat, PairsHaveTheSameAnswersInLargeGroupsAndAlone) {
  RandomNumbers random(4);
  const auto sentences = random_sentences(4);
  std::vector<Ids> targets;
  std::vector<Pair> pairs;
  for (size_t i = 0; i < sentences.size(); ++i) targets.push_back(random_ids(random, random.between(0, 50), kVocab));
  for (size_t i = 0; i < sentences.size(); ++i) pairs.push_back({sentences[i].source, targets[i], i % 3 > 0});
  const auto scorer = factory->make_pair_scorer();
  const decoding::PairQuestion question{.log_probs = true, .attention = !options.ctc(), .layer = 1, .head = -1};
  const auto all = scorer->answer(pairs, question);
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto alone = scorer->answer(std::span(pairs).subspan(i, 1), question).front();
    EXPECT_EQ(all[i].log_probs, alone.log_probs);
    EXPECT_EQ(all[i].attention, alone.attention);
    EXPECT_EQ(alone.log_probs.size(), pairs[i].tokens());
    if (!options.ctc()) {
      EXPECT_EQ(alone.attention.size(), pairs[i].tokens() * sentences[i].source.size());
    }
  }
}

TEST_P(EngineNat, SpecialTokensAreNeverWritten) {
  for (const auto& found : factory->make_decoder()->decode(random_sentences(5), search)) {
    for (const int32_t id : found.front().ids) EXPECT_TRUE(id > 3 && id < kVocab);
  }
}

const NatOptions& kind(const std::string& name) {
  for (const auto& [known, options] : kinds()) {
    if (known == name) return options;
  }
  throw std::out_of_range(name);
}

/// Names of the tensors whose NaN a decoder does not report.
std::vector<std::string> unreported(NatOptions options, Precision precision) {
  options.transformer.positions = architecture::Positions::kLearned;
  options.transformer.cross_attention = architecture::CrossAttention::kWeighted;
  options.transformer.tying = architecture::Tying::kNone;
  options.transformer.embedding_norm = true;
  const RandomModel model = test::random_model(options, 2);
  const model::Safetensors file = model.file();  // keeps the names
  const std::vector<Sentence> one{{{5, 6, 7}, {}, 0}};
  std::vector<std::string> names;
  for (const model::TensorView& tensor : file.tensors()) {
    if (tensor.name.ends_with("lut.weight")) continue;  // only the token of its row would show it
    RandomModel changed = model;
    changed.weights = test::with_value(model.weights, tensor.name, std::numeric_limits<float>::quiet_NaN());
    const auto decoder = factory_of(changed, precision)->make_decoder();
    try {
      decoder->decode(one, {});
      names.push_back(tensor.name);
    } catch (const ModelError&) {
    }
  }
  return names;
}

TEST(EngineNatFactory, ANaNInAnyTensorIsReported) {
  for (const char* name : {"mask_predict", "soft_eos", "ctc", "rms_gated"}) {
    for (const Precision precision : {Precision::kF32, Precision::kInt8}) {
      EXPECT_EQ(unreported(kind(name), precision), std::vector<std::string>()) << name;
    }
  }
}

std::unique_ptr<nat::NatScorer> scorer_of(const std::string& name) {
  const RandomModel random = test::random_model(kind(name), 1);
  auto model = std::make_shared<NatModel>();
  model->weights = pack_weights(kind(name), random.file(), Precision::kF32);
  model->info.options = kind(name);
  model->info.never = {0, 2};
  model->info.max_length = 320;
  return make_nat_scorer(model);
}

TEST(EngineNatScorer, OnlyWantedPositionsHaveSymbols) {
  const auto scorer = scorer_of("mask_predict");
  const Ids first{5, 6, 7}, second{8, 9};
  scorer->encode(std::vector<std::span<const int32_t>>{first, second});
  const std::vector<nat::NatRow> rows{{0, 3}, {1, 2}, {1, 4}};
  const Ids ids{2, 10, 2, 11, 2, 12, 13, 2, 2};
  const std::vector<uint8_t> wanted{1, 0, 1, 0, 1, 0, 0, 1, 1};
  std::vector<nat::Symbols> all, some;
  scorer->run({.rows = rows, .ids = ids}, [&](size_t, auto& output) { all.push_back(output.best(1)); });
  scorer->run({.rows = rows, .ids = ids, .wanted = wanted},
              [&](size_t, auto& output) { some.push_back(output.best(1)); });
  ASSERT_EQ(some.size(), 3U);
  EXPECT_EQ(some[0].ids, (Ids{all[0].ids[0], all[0].ids[2]}));
  EXPECT_EQ(some[1].log_probs, (std::vector<float>{all[1].log_probs[1]}));
  EXPECT_EQ(some[2].ids, (Ids{all[2].ids[2], all[2].ids[3]}));
}

TEST(EngineNatScorer, LogProbabilitiesOfLengthsAddUpToOne) {
  const auto scorer = scorer_of("uniform");
  const Ids first{5, 6, 7}, second{8, 9};
  scorer->encode(std::vector<std::span<const int32_t>>{first, second});
  const auto found = scorer->length_log_probs();
  ASSERT_EQ(found.size(), 38U);
  for (const size_t start : {0, 19}) {
    double sum = 0;
    for (size_t i = start; i < start + 19; ++i) sum += std::exp(static_cast<double>(found[i]));
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  EXPECT_THROW(scorer_of("ctc")->length_log_probs(), std::logic_error);
}

TEST(EngineNatScorer, RefusesWhatDoesNotFitTheModel) {
  const auto scorer = scorer_of("mask_predict");
  const auto encode = [&](const Ids& source) { scorer->encode(std::vector<std::span<const int32_t>>{source}); };
  EXPECT_FAILS(encode({}), std::invalid_argument, "a sentence is empty, or longer than the model allows");
  EXPECT_FAILS(encode(Ids(321, 5)), std::invalid_argument, "a sentence is empty, or longer than the model allows");
  EXPECT_FAILS(encode({37}), std::invalid_argument, "an id is outside the vocabulary");
  encode({5});
  const auto run = [&](const nat::NatRow& row, const Ids& ids) {
    scorer->run({.rows = std::span(&row, 1), .ids = ids}, [](size_t, auto&) {});
  };
  EXPECT_FAILS(run({1, 1}, {}), std::invalid_argument, "there is no such sentence");
  EXPECT_FAILS(run({0, 0}, {}), std::invalid_argument, "too many positions");
  EXPECT_FAILS(run({0, 321}, {}), std::invalid_argument, "too many positions");
  EXPECT_FAILS(run({0, 1}, {kVocab}), std::invalid_argument, "an id is outside the vocabulary");
  EXPECT_FAILS(run({0, 2}, {5}), std::invalid_argument, "one id for each position");
}

TEST(EngineNatFactory, HasDecodersAndPairScorersButNoSteps) {
  const auto factory = factory_of(test::random_model(kind("ctc"), 1));
  EXPECT_EQ(unsupported(test::random_model(kind("ctc"), 1).config), "");
  EXPECT_THROW(factory->make(), std::logic_error);
  EXPECT_EQ(factory->make_decoder()->max_length(), 320);
  EXPECT_TRUE(factory->make_decoder()->writing().all_at_once);
  EXPECT_EQ(factory->make_pair_scorer()->attention_shape().layers, 0);
  EXPECT_EQ(factory_of(test::random_model(kind("uniform"), 1))->make_pair_scorer()->attention_shape().heads, 2);
}

TEST(EngineNatFactory, UnkIsWrittenOnlyIfItIsAllowed) {
  RandomModel model = test::random_model(kind("uniform"), 1);
  model.weights = test::with_value(model.weights, "generator.proj.bias", 1e3F);  // that of unk
  const std::vector<Sentence> one{{{5, 6, 7}, {}, 0}};
  for (const bool allow : {false, true}) {
    const auto factory = make_factory(model.config, model.file(), {Precision::kF32, allow});
    const Hypothesis found = factory->make_decoder()->decode(one, {}).front().front();
    for (const int32_t id : found.ids) EXPECT_EQ(id == 1, allow);
  }
}

}  // namespace
}  // namespace ventris::engine
