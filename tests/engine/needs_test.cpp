#include "engine/needs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "decoding/decoder.h"
#include "decoding/pair_scorer.h"
#include "decoding/search.h"
#include "decoding/stream_search.h"
#include "engine/counted_memory.h"
#include "engine/factory.h"
#include "engine/output_layer.h"
#include "engine/random_model.h"

namespace ventris::engine {
namespace {

using architecture::NatLoss;
using architecture::NatOptions;
using architecture::SelfAttention;
using architecture::TransformerOptions;
using test::RandomNumbers;
using Ids = std::vector<int32_t>;

constexpr SelfAttention kSelfAttentions[] = {SelfAttention::kFull,    SelfAttention::kWindow,  SelfAttention::kLinear,
                                             SelfAttention::kLowRank, SelfAttention::kSegment, SelfAttention::kSsru};

/// The settings of a kind of self-attention, and a score that goes with it.
void choose_attention(TransformerOptions& options, SelfAttention kind, RandomNumbers& random) {
  options.self_attention = kind;
  if (kind == SelfAttention::kWindow) {
    options.window = random.between(1, random.coin() ? 10 : 300);
    options.global_positions = random.between(0, 9);
  }
  if (kind == SelfAttention::kLowRank) options.low_rank_size = random.between(1, random.coin() ? 30 : 400);
  if (kind == SelfAttention::kSegment) {
    options.positions = architecture::Positions::kRelative;
    options.segment = random.between(1, random.coin() ? 20 : 200);
    options.segment_memory = random.between(0, random.coin() ? 20 : 200);
  }
  const bool own_score = kind == SelfAttention::kLinear || kind == SelfAttention::kSegment;
  if (!own_score && random.coin())
    options.attention_score = static_cast<architecture::AttentionScore>(random.between(0, 5));
}

/// Norms, feed-forward parts and, where they are possible, rotary positions and buckets of distances.
void choose_layers(TransformerOptions& options, RandomNumbers& random) {
  if (random.coin()) options.norm_kind = architecture::NormKind::kRms;
  options.gated_feed_forward = random.coin();
  if (random.between(0, 2) == 0) {
    options.experts_per_token = random.between(1, 2);
    options.experts = options.experts_per_token + random.between(1, random.coin() ? 8 : 300);
  }
  options.activation = static_cast<architecture::Activation>(random.between(0, 4));
  const bool rotates = options.self_attention == SelfAttention::kFull && options.key_width() % 2 == 0 &&
                       options.attention_score == architecture::AttentionScore::kScaledDot;
  if (rotates && random.coin()) options.positions = architecture::Positions::kRotary;
  const bool plain = options.self_attention == SelfAttention::kFull &&
                     options.attention_score == architecture::AttentionScore::kScaledDot;
  if (plain && random.between(0, 2) == 0) options.positions = architecture::Positions::kRelativeBias;
}

TransformerOptions options_of(RandomNumbers& random, SelfAttention kind) {
  TransformerOptions options;
  options.src_vocab = 50;
  options.tgt_vocab = random.coin() ? 60 : 3000;
  options.encoder_layers = random.between(1, 3);
  options.decoder_layers = random.between(1, 4);
  options.heads = random.between(1, 4);
  options.d_model = options.heads * random.between(4, 40);
  options.d_ff = random.between(8, 400);
  options.max_positions = 400;
  options.tying = architecture::Tying::kNone;
  if (random.coin()) options.cross_attention = architecture::CrossAttention::kMean;
  choose_attention(options, kind, random);
  choose_layers(options, random);
  return options;
}

/// What a search may use of its limit. Whole rows of logits are only stored to draw from them.
int64_t usable(int64_t limit, const decoding::SearchOptions& search) {
  return search.sampling.enabled ? limit : limit - Output::kLogits * static_cast<int64_t>(sizeof(float));
}

/// Sentences of a number of tokens.
std::vector<decoding::Sentence> sentences_of(RandomNumbers& random, size_t count, int64_t longest) {
  std::vector<decoding::Sentence> sentences(count);
  for (size_t i = 0; i < count; ++i) {
    for (int64_t length = random.between(1, longest); length > 0; --length) {
      sentences[i].source.push_back(static_cast<int32_t>(random.between(4, 49)));
    }
    sentences[i].number = i;
  }
  return sentences;
}

/// Passes sentences on, and forgets the results.
class Discarding : public decoding::SentenceStream {
 public:
  explicit Discarding(const std::vector<decoding::Sentence>& sentences) : sentences_(sentences) {}
  const decoding::Sentence* take(const std::function<bool(const decoding::Sentence&)>& accept) override {
    return next_ < sentences_.size() && accept(sentences_[next_]) ? &sentences_[next_++] : nullptr;
  }
  void done(const decoding::Sentence&, std::vector<decoding::Hypothesis>) override { ++finished; }
  size_t finished = 0;

 private:
  const std::vector<decoding::Sentence>& sentences_;
  size_t next_ = 0;
};

class EngineNeeds : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(RandomModels, EngineNeeds, testing::Range(0U, 20U));

/// Short sentences in one batch, then long ones, then short ones again: a scorer keeps its memory.
TEST_P(EngineNeeds, NoSearchTakesMoreMemoryThanItsLimit) {
  if (!test::kCountsMemory) GTEST_SKIP() << "memory is not counted under a sanitizer";
  RandomNumbers random(GetParam());
  const TransformerOptions options = options_of(random, kSelfAttentions[GetParam() % std::size(kSelfAttentions)]);
  const auto precision = static_cast<Precision>(random.between(0, 2));
  const auto model = test::random_model(options, GetParam());
  const auto factory = make_factory(model.config, model.file(), {precision});
  decoding::SearchOptions search;
  search.sampling.enabled = random.between(0, 3) == 0;
  search.beam_size = search.sampling.enabled ? 1 : static_cast<int32_t>(random.between(1, 12));
  search.n_best = static_cast<int32_t>(random.between(1, search.sampling.enabled ? 10 : search.beam_size));
  if (random.coin()) search.repetition.penalty = 1.1;
  std::vector<decoding::Sentence> sentences = sentences_of(random, 20, 20);
  for (const int64_t longest : {200, 40, 10}) {
    for (auto& one : sentences_of(random, longest == 200 ? 2 : 12, longest)) sentences.push_back(std::move(one));
  }
  const auto needs = decoding::with_search(memory_needs(options));
  const int64_t model_max = options.max_positions, rows = decoding::most_rows(search);
  Discarding all(sentences);
  decoding::search_stream(*factory->make(), all, search, {});  // position vectors, which the model keeps, are computed
  const int64_t least = decoding::bytes_for(needs, decoding::Load::of(rows, 200, model_max, search.n_best));
  for (const int64_t limit : {least, 2 * least, 20 * least}) {
    const auto scorer = factory->make();
    const int64_t before = test::bytes_in_use();
    test::reset_peak();
    Discarding stream(sentences);
    decoding::search_stream(*scorer, stream, search, {.sentences = 64, .tokens = 1 << 20, .bytes = limit});
    EXPECT_LE(test::peak_bytes() - before, usable(limit, search));
    EXPECT_EQ(stream.finished, sentences.size());
    scorer->release();
    EXPECT_LE(test::bytes_in_use() - before, 4096) << "what stays after release()";
  }
}

/// Scores sources with given translations, with attention if the model has it.
void expect_scoring_within_bound(const decoding::ScorerFactory& factory, RandomNumbers& random) {
  const size_t count = random.coin() ? 1 : 9;
  const auto sources = sentences_of(random, count, 200), targets = sentences_of(random, count, random.coin() ? 9 : 300);
  std::vector<decoding::Pair> pairs;
  decoding::Load load;
  for (size_t i = 0; i < count; ++i) {
    pairs.push_back({sources[i].source, targets[i].source});
    load = load.plus(decoding::Load::of(1, static_cast<int64_t>(sources[i].source.size()),
                                        static_cast<int64_t>(pairs[i].tokens()), 1));
  }
  decoding::PairQuestion question;
  question.attention = factory.make_pair_scorer()->attention_shape().layers > 0;
  factory.make_pair_scorer()->answer(pairs, question);  // position vectors, which the model keeps, are computed
  const auto scorer = factory.make_pair_scorer();
  const int64_t before = test::bytes_in_use();
  test::reset_peak();
  const auto answers = scorer->answer(pairs, question);
  EXPECT_LE(test::peak_bytes() - before, decoding::bytes_for(scorer->memory(), load));
}

TEST_P(EngineNeeds, NoScoringTakesMoreMemoryThanItsBound) {
  if (!test::kCountsMemory) GTEST_SKIP() << "memory is not counted under a sanitizer";
  RandomNumbers random(GetParam());
  const TransformerOptions options = options_of(random, kSelfAttentions[GetParam() % std::size(kSelfAttentions)]);
  const auto model = test::random_model(options, GetParam());
  expect_scoring_within_bound(*make_factory(model.config, model.file(), {static_cast<Precision>(random.between(0, 2))}),
                              random);
}

/// A request that reorders the rows of a beam.
struct Step {
  Ids parents, last_ids;
};

std::vector<Step> random_steps(RandomNumbers& random, size_t sentences, int32_t beam, int count) {
  std::vector<Step> steps;
  for (int step = 0; step < count; ++step) {
    const bool first = step == 0;
    steps.emplace_back();
    for (size_t sentence = 0; sentence < sentences; ++sentence) {
      for (int32_t i = 0; i < beam; ++i) {
        const auto before = static_cast<int64_t>(sentence) * beam;
        steps.back().parents.push_back(
            static_cast<int32_t>(first ? static_cast<int64_t>(sentence) : random.between(before, before + beam - 1)));
        steps.back().last_ids.push_back(first ? 2 : static_cast<int32_t>(random.between(4, 40)));
      }
    }
  }
  return steps;
}

/// Penalties in all rows but the first of a step.
std::vector<decoding::Penalty> penalties_of_rows(size_t rows) {
  std::vector<decoding::Penalty> penalties;
  for (size_t row = 1; row < rows; ++row) {
    for (int32_t id = 4; id < 50; id += 3) {
      penalties.push_back({static_cast<int32_t>(row), id, id % 2 == 0 ? 1.2F : std::numeric_limits<float>::infinity()});
    }
  }
  return penalties;
}

/// The calls of operator new in the steps, not in admit().
int64_t allocations_of(decoding::StepScorer& scorer, const std::vector<decoding::Sentence>& sentences,
                       const std::vector<Step>& steps, int32_t beam, bool penalised, bool log_probs = true) {
  std::vector<std::span<const int32_t>> sources;
  for (const auto& sentence : sentences) sources.emplace_back(sentence.source);
  scorer.reset();
  scorer.admit(sources);
  int64_t made = 0;
  for (const Step& step : steps) {
    decoding::StepRequest request;
    request.parents = step.parents;
    request.last_ids = step.last_ids;
    request.continuations = beam;
    request.log_probs = log_probs;
    std::vector<decoding::Penalty> penalties;
    if (penalised) penalties = penalties_of_rows(step.parents.size());
    request.penalties = penalties;
    const int64_t before = test::allocations();
    scorer.advance(request);
    made += test::allocations() - before;
  }
  return made;
}

class EngineSteps : public testing::TestWithParam<SelfAttention> {};
INSTANTIATE_TEST_SUITE_P(SelfAttentions, EngineSteps, testing::ValuesIn(kSelfAttentions));

/// The memory is large enough after two rounds, not after one: in the second, more entries of prefixes are free at the
/// beginning, so those of dropped hypotheses are sought later, and the lists that have them become longer.
TEST_P(EngineSteps, AllocateNothingOnceWarm) {
  if (!test::kCountsMemory) GTEST_SKIP() << "memory is not counted under a sanitizer";
  for (const Precision precision : {Precision::kF32, Precision::kBf16, Precision::kInt8}) {
    for (const int32_t beam : {1, 5}) {
      RandomNumbers random(7);
      const TransformerOptions options = options_of(random, GetParam());
      const auto model = test::random_model(options, 7);
      const auto scorer = make_factory(model.config, model.file(), {precision})->make();
      const auto sentences = sentences_of(random, 9, 30);
      const auto steps = random_steps(random, sentences.size(), beam, 60);
      EXPECT_GT(allocations_of(*scorer, sentences, steps, beam, false), 0) << "the count works";
      allocations_of(*scorer, sentences, steps, beam, false);
      EXPECT_EQ(allocations_of(*scorer, sentences, steps, beam, false), 0)
          << "precision " << static_cast<int>(precision) << ", beam " << beam;
      allocations_of(*scorer, sentences, steps, beam, true);
      EXPECT_EQ(allocations_of(*scorer, sentences, steps, beam, true), 0)
          << "with penalties, precision " << static_cast<int>(precision) << ", beam " << beam;
      allocations_of(*scorer, sentences, steps, beam, false, false);
      EXPECT_LE(allocations_of(*scorer, sentences, steps, beam, false, false), 2)  // rows that need all their logits
          << "without log-probabilities, precision " << static_cast<int>(precision) << ", beam " << beam;
    }
  }
}

NatOptions random_nat(RandomNumbers& random) {
  NatOptions options;
  options.transformer = options_of(random, random.coin() ? SelfAttention::kFull : SelfAttention::kLowRank);
  if (options.transformer.positions == architecture::Positions::kRotary || options.transformer.has_relative_bias()) {
    options.transformer.positions = architecture::Positions::kLearned;
  }
  options.objective = static_cast<NatLoss>(random.between(0, 4));
  options.decoder_input = static_cast<architecture::DecoderInput>(random.between(0, 2));
  options.stop = random.coin() ? architecture::Stop::kLength : architecture::Stop::kEos;
  options.length_range = random.between(1, 200);
  options.length_factor = random.coin() ? 1 : 2.5;
  options.upsampling = random.coin() ? random.between(1, 4) : 16;
  return options;
}

decoding::SearchOptions random_nat_search(const NatOptions& options, RandomNumbers& random) {
  decoding::SearchOptions search;
  if (options.predicts_length()) {
    search.length_candidates = static_cast<int32_t>(random.between(1, std::min<int64_t>(9, options.length_classes())));
  }
  if (options.ctc()) search.beam_size = random.coin() ? 1 : static_cast<int32_t>(random.between(2, 64));
  search.n_best = static_cast<int32_t>(random.between(1, decoding::most_results(search)));
  if (options.objective == NatLoss::kMaskPredict) search.iterations = static_cast<int32_t>(random.between(1, 4));
  search.max_length_factor = random.coin() ? 0.1 : 2;
  return search;
}

class EngineNatNeeds : public testing::TestWithParam<uint32_t> {};
INSTANTIATE_TEST_SUITE_P(RandomModels, EngineNatNeeds, testing::Range(0U, 30U));

TEST_P(EngineNatNeeds, NoDecodingTakesMoreMemoryThanItsLimit) {
  if (!test::kCountsMemory) GTEST_SKIP() << "memory is not counted under a sanitizer";
  RandomNumbers random(GetParam());
  const NatOptions options = random_nat(random);
  const auto model = test::random_model(options, GetParam());
  const auto factory = make_factory(model.config, model.file(), {static_cast<Precision>(random.between(0, 2))});
  const decoding::SearchOptions search = random_nat_search(options, random);
  // The time grows with the length after upsampling, so CTC models with much upsampling get shorter sentences.
  const int64_t divisor = options.ctc() ? std::max<int64_t>(1, options.upsampling / 3) : 1;
  std::vector<decoding::Sentence> sentences = sentences_of(random, 40, 40 / divisor);
  for (auto& one : sentences_of(random, 2, 400 / divisor)) sentences.push_back(std::move(one));
  {
    Discarding all(sentences);
    factory->make_decoder()->translate(all, search, {});  // position vectors, which the model keeps, are computed
  }
  const auto needs = factory->make_decoder()->memory();
  int64_t least = 0;
  for (const auto& sentence : sentences) {
    const auto load = decoding::load_of(sentence, search, options.transformer.max_positions);
    least = std::max(least, decoding::bytes_for(needs, load));
  }
  for (const int64_t limit : {least, 3 * least}) {
    const auto decoder = factory->make_decoder();
    const int64_t before = test::bytes_in_use();
    test::reset_peak();
    Discarding stream(sentences);
    decoder->translate(stream, search, {.sentences = 64, .tokens = 1 << 20, .bytes = limit});
    EXPECT_LE(test::peak_bytes() - before, limit);
    EXPECT_EQ(stream.finished, sentences.size());
  }
}

TEST_P(EngineNatNeeds, NoScoringTakesMoreMemoryThanItsBound) {
  if (!test::kCountsMemory) GTEST_SKIP() << "memory is not counted under a sanitizer";
  RandomNumbers random(GetParam());
  const auto model = test::random_model(random_nat(random), GetParam());
  expect_scoring_within_bound(*make_factory(model.config, model.file(), {static_cast<Precision>(random.between(0, 2))}),
                              random);
}

}  // namespace
}  // namespace ventris::engine
