#include "engine/needs.h"

#include <gtest/gtest.h>

#include "decoding/search.h"
#include "decoding/stream_search.h"
#include "engine/counted_memory.h"
#include "engine/factory.h"
#include "engine/random_model.h"

namespace ventris::engine {
namespace {

using architecture::TransformerOptions;
using test::RandomNumbers;
using Ids = std::vector<int32_t>;

TransformerOptions options_of(RandomNumbers& random) {
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
  return options;
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
INSTANTIATE_TEST_SUITE_P(RandomModels, EngineNeeds, testing::Range(0U, 12U));

/// Short sentences in one batch, then long ones, then short ones again: a scorer keeps its memory.
TEST_P(EngineNeeds, NoSearchTakesMoreMemoryThanItsLimit) {
  if (!test::kCountsMemory) GTEST_SKIP() << "memory is not counted under a sanitizer";
  RandomNumbers random(GetParam());
  const TransformerOptions options = options_of(random);
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
    EXPECT_LE(test::peak_bytes() - before, limit);
    EXPECT_EQ(stream.finished, sentences.size());
    scorer->release();
    EXPECT_LE(test::bytes_in_use() - before, 4096) << "what stays after release()";
  }
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

/// The calls of operator new in the steps, not in admit().
int64_t allocations_of(decoding::StepScorer& scorer, const std::vector<decoding::Sentence>& sentences,
                       const std::vector<Step>& steps, int32_t beam) {
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
    const int64_t before = test::allocations();
    scorer.advance(request);
    made += test::allocations() - before;
  }
  return made;
}

TEST(EngineSteps, AllocateNothingOnceWarm) {
  if (!test::kCountsMemory) GTEST_SKIP() << "memory is not counted under a sanitizer";
  for (const Precision precision : {Precision::kF32, Precision::kBf16, Precision::kInt8}) {
    for (const int32_t beam : {1, 5}) {
      RandomNumbers random(7);
      const TransformerOptions options = options_of(random);
      const auto model = test::random_model(options, 7);
      const auto scorer = make_factory(model.config, model.file(), {precision})->make();
      const auto sentences = sentences_of(random, 9, 30);
      const auto steps = random_steps(random, sentences.size(), beam, 30);
      EXPECT_GT(allocations_of(*scorer, sentences, steps, beam), 0) << "the count works";
      EXPECT_EQ(allocations_of(*scorer, sentences, steps, beam), 0)
          << "precision " << static_cast<int>(precision) << ", beam " << beam;
    }
  }
}

}  // namespace
}  // namespace ventris::engine
