#include "engine/shortlist.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "arithmetic/plain_product.h"
#include "decoding/search.h"
#include "engine/factory.h"
#include "engine/random_model.h"

namespace ventris::engine {
namespace {

using test::at;
using test::RandomNumbers;
using Ids = std::vector<int32_t>;

constexpr int32_t kSourceVocab = 37, kVocab = 60, kUnk = 1, kBos = 2, kEnd = 3;

/// Source id i is translated by 2 i mod 60 and the ids after it.
std::shared_ptr<const model::Lexicon> lexicon() {
  std::vector<std::vector<int32_t>> pieces;
  for (int32_t id = 0; id < kSourceVocab; ++id) {
    Ids of_id;
    for (int32_t i = 0; i < 8; ++i) of_id.push_back(4 + (2 * id + i) % (kVocab - 4));
    pieces.push_back(of_id);
  }
  return std::make_shared<model::Lexicon>(
      model::LexiconTokenizers{.source_vocab = kSourceVocab, .target_vocab = kVocab}, Ids{50, 7, 51, 52, 9}, pieces);
}

/// What a sentence may use.
std::set<int32_t> allowed(const Ids& source, const ShortlistOptions& options, bool shared = false) {
  const auto from = lexicon();
  std::set<int32_t> ids{kEnd};
  for (const int32_t id : from->frequent().first(static_cast<size_t>(std::min<int64_t>(options.first, 5))))
    ids.insert(id);
  for (const int32_t id : source) {
    if (shared) ids.insert(id);
    for (const int32_t one : from->pieces(id).first(static_cast<size_t>(std::min<int64_t>(options.best, 8))))
      ids.insert(one);
  }
  return ids;
}

Ids random_ids(RandomNumbers& random, int64_t count) {
  Ids ids;
  for (int64_t i = 0; i < count; ++i) ids.push_back(static_cast<int32_t>(random.between(4, kSourceVocab - 1)));
  return ids;
}

std::vector<Ids> random_sources(uint32_t seed, int64_t count) {
  RandomNumbers random(seed);
  std::vector<Ids> sources;
  for (int64_t i = 0; i < count; ++i) sources.push_back(random_ids(random, random.between(1, 12)));
  return sources;
}

test::RandomModel small_model() {
  test::RandomModel model = test::random_model({.src_vocab = kSourceVocab,
                                                .tgt_vocab = kVocab,
                                                .encoder_layers = 1,
                                                .decoder_layers = 2,
                                                .d_model = 20,
                                                .d_ff = 33,
                                                .heads = 2,
                                                .max_positions = 64,
                                                .tying = architecture::Tying::kDecoder},
                                               1);
  model.config.tokenizer.shared = false;
  return model;
}

EngineOptions with_shortlist(Precision precision, const ShortlistOptions& options = {3, 4}) {
  return {.precision = precision, .lexicon = lexicon(), .shortlist = options};
}

/// The ids of all columns of each row, by the parts.
std::vector<std::multiset<int32_t>> ids_of_rows(std::span<const OutputPart> parts, size_t rows) {
  std::vector<std::multiset<int32_t>> found(rows);
  for (const OutputPart& part : parts) {
    for (size_t row = part.first; row < part.first + part.rows; ++row) {
      found[row].insert(part.ids, part.ids + part.weights->n());
    }
  }
  return found;
}

class ShortlistRowsTest : public testing::Test {
 protected:
  ShortlistRowsTest() : matrix(weight.data(), nullptr, kVocab, 7, Precision::kF32) {}

  static std::vector<std::span<const int32_t>> spans(const std::vector<Ids>& sources) {
    return {sources.begin(), sources.end()};
  }
  static void expect_ids(ShortlistRows& rows, const std::vector<std::set<int32_t>>& expected) {
    const auto found = ids_of_rows(rows.parts(), expected.size());
    for (size_t row = 0; row < expected.size(); ++row) {
      EXPECT_EQ(found[row], std::multiset<int32_t>(expected[row].begin(), expected[row].end())) << "row " << row;
    }
  }

  const std::vector<float> weight = RandomNumbers(5).values(int64_t{kVocab} * 7);
  const Matrix matrix;
  const ShortlistOptions options{3, 4};
  const Ids always{kEnd};
};

TEST_F(ShortlistRowsTest, ASentenceMayUseFrequentIdsPiecesOfTheLexiconAndWhatIsAlwaysAllowed) {
  const std::vector<Ids> sources{{4, 5}, {20}, {36, 4, 4}};
  for (const bool shared : {false, true}) {
    const Shortlist shortlist(matrix, lexicon(), options, always, shared);
    ShortlistRows rows(shortlist);
    rows.admit(spans(sources));
    expect_ids(rows, {allowed(sources[0], options, shared), allowed(sources[1], options, shared),
                      allowed(sources[2], options, shared)});
  }
}

TEST_F(ShortlistRowsTest, RowsKeepTheIdsOfTheirSentences) {
  const Shortlist shortlist(matrix, lexicon(), options, always, false);
  ShortlistRows rows(shortlist);
  const auto sources = random_sources(1, 9);
  const auto all = spans(sources);
  const auto of = [&](size_t i) { return allowed(sources[i], options); };
  rows.admit(std::span(all).first(3));
  rows.follow(Ids{0, 0, 2});
  expect_ids(rows, {of(0), of(0), of(2)});
  rows.admit(std::span(all).subspan(3, 2));  // in the place of sentence 1, and a new one
  expect_ids(rows, {of(0), of(0), of(2), of(3), of(4)});
  rows.follow(Ids{4, 3, 3, 0});
  expect_ids(rows, {of(4), of(3), of(3), of(0)});
  rows.reset();
  rows.admit(std::span(all).subspan(5));
  expect_ids(rows, {of(5), of(6), of(7), of(8)});
}

TEST_F(ShortlistRowsTest, ForcedAndWantedIdsAreAddedToTheirSentenceOnce) {
  const Shortlist shortlist(matrix, lexicon(), options, always, false);
  ShortlistRows rows(shortlist);
  const std::vector<Ids> sources{{4}, {20}};
  rows.admit(spans(sources));
  rows.follow(Ids{0, 0, 1});
  rows.allow({});
  const Ids forced{33, 33, -1}, more{50, 34, -1};
  const std::vector<decoding::Wanted> wanted{{0, 35}, {1, 33}, {1, 50}};
  decoding::StepRequest request;
  request.forced = forced;
  rows.allow(request);
  request.forced = more;  // 50 is one of the common ids
  request.wanted = wanted;
  rows.allow(request);
  auto first = allowed(sources[0], options);
  first.insert({33, 34, 35});
  expect_ids(rows, {first, first, allowed(sources[1], options)});
  rows.reset();
  rows.admit(spans(sources));
  expect_ids(rows, {allowed(sources[0], options), allowed(sources[1], options)});
}

TEST_F(ShortlistRowsTest, LimitsBeyondTheLexiconTakeAllOfIt) {
  const ShortlistOptions large{1000, 1000};
  const Shortlist shortlist(matrix, lexicon(), large, always, false);
  ShortlistRows rows(shortlist);
  const std::vector<Ids> sources{{4, 9, 30}};
  rows.admit(spans(sources));
  expect_ids(rows, {allowed(sources[0], large)});
}

TEST_F(ShortlistRowsTest, ALongSentenceHasTheBestPiecesUpToALimit) {
  constexpr int32_t kMany = 8000;
  const std::vector<float> weights(kMany, 1.0F);
  const Matrix generator(weights.data(), nullptr, kMany, 1, Precision::kF32);
  std::vector<std::vector<int32_t>> pieces(3);
  for (int32_t id = 0; id < 3; ++id) {
    for (int32_t rank = 0; rank < 900; ++rank) pieces[at(id)].push_back(1000 * id + rank);
  }
  const Shortlist shortlist(generator,
                            std::make_shared<model::Lexicon>(
                                model::LexiconTokenizers{.source_vocab = 3, .target_vocab = kMany}, Ids{}, pieces),
                            {0, 900}, {}, false);
  ShortlistRows rows(shortlist);
  const std::vector<Ids> sources{{0, 1, 2, 1}};
  rows.admit(spans(sources));
  const auto found = ids_of_rows(rows.parts(), 1).front();
  EXPECT_EQ(found.size(), 2000U);  // a quarter of the vocabulary
  for (int32_t id = 0; id < 3; ++id) {
    for (int32_t rank = 0; rank < 666; ++rank) EXPECT_EQ(found.count(1000 * id + rank), 1U);
  }
}

std::string name_of(const testing::TestParamInfo<Precision>& precision) {
  if (precision.param == Precision::kF32) return "f32";
  return precision.param == Precision::kBf16 ? "bf16" : "int8";
}

class EngineShortlist : public testing::TestWithParam<Precision> {
 protected:
  std::unique_ptr<decoding::StepScorer> scorer(const EngineOptions& options) const {
    return make_factory(model.config, model.file(), options)->make();
  }
  static std::vector<decoding::Sentence> sentences(const std::vector<Ids>& sources) {
    std::vector<decoding::Sentence> all;
    for (const Ids& source : sources) all.push_back({source, {}, all.size()});
    return all;
  }
  /// The first step of one sentence: all continuations, and their log-probabilities.
  static std::pair<Ids, std::vector<float>> first_step(decoding::StepScorer& scorer, const Ids& source,
                                                       const Ids& forced = {}) {
    const Ids parents{0}, bos{kBos};
    scorer.reset();
    scorer.admit(std::vector<std::span<const int32_t>>{source});
    decoding::StepRequest request;
    request.parents = parents;
    request.last_ids = bos;
    request.continuations = kVocab;
    request.forced = forced;
    const auto found = scorer.advance(request);
    return {{found.ids.begin(), found.ids.end()}, {found.log_probs.begin(), found.log_probs.end()}};
  }

  const test::RandomModel model = small_model();
};
INSTANTIATE_TEST_SUITE_P(Precisions, EngineShortlist,
                         testing::Values(Precision::kF32, Precision::kBf16, Precision::kInt8), name_of);

/// What is expected of a shortlist: the log-probabilities of all ids without those that are not on it, normalised.
std::vector<double> renormalised(const std::pair<Ids, std::vector<float>>& full, const std::set<int32_t>& ids) {
  std::vector<double> found(kVocab, 0);
  double sum = 0;
  for (size_t i = 0; i < full.first.size() && full.first[i] >= 0; ++i) {
    if (ids.contains(full.first[i])) sum += std::exp(static_cast<double>(full.second[i]));
  }
  for (size_t i = 0; i < full.first.size() && full.first[i] >= 0; ++i) {
    found[at(full.first[i])] = static_cast<double>(full.second[i]) - std::log(sum);
  }
  return found;
}

TEST_P(EngineShortlist, LogProbabilitiesAreThoseOfADistributionOverTheShortlist) {
  const auto short_scorer = scorer(with_shortlist(GetParam())), full = scorer({.precision = GetParam()});
  for (const Ids& source : random_sources(2, 20)) {
    const auto ids = allowed(source, {3, 4});
    const auto expected = renormalised(first_step(*full, source), ids);
    const auto found = first_step(*short_scorer, source);
    for (size_t i = 0; i < kVocab; ++i) {
      ASSERT_EQ(found.first[i] >= 0, i < ids.size()) << "continuation " << i;
      if (i >= ids.size()) continue;
      EXPECT_TRUE(ids.contains(found.first[i]));
      EXPECT_NEAR(found.second[i], expected[at(found.first[i])], 1e-5);
    }
  }
}

void expect_equal(const std::vector<decoding::Hypothesis>& a, const std::vector<decoding::Hypothesis>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].ids, b[i].ids);
    EXPECT_EQ(a[i].token_log_probs, b[i].token_log_probs);
  }
}

TEST_P(EngineShortlist, OfAllIdsGivesTheTranslationsWithoutAShortlist) {
  const auto all = sentences(random_sources(3, 12));
  const auto pieces = std::vector<std::vector<int32_t>>(kSourceVocab);
  Ids frequent;
  for (int32_t id = 0; id < kVocab; ++id) frequent.push_back(id);
  EngineOptions options = with_shortlist(GetParam(), {kVocab, 1});
  options.lexicon = std::make_shared<model::Lexicon>(
      model::LexiconTokenizers{.source_vocab = kSourceVocab, .target_vocab = kVocab}, frequent, pieces);
  const decoding::SearchOptions beam{.beam_size = 4, .n_best = 4};
  const auto found = decoding::search(*scorer(options), all, beam);
  const auto expected = decoding::search(*scorer({.precision = GetParam()}), all, beam);
  for (size_t i = 0; i < all.size(); ++i) expect_equal(found[i], expected[i]);
}

TEST_P(EngineShortlist, ATranslationIsTheSameAloneAndInABatch) {
  auto all = sentences(random_sources(4, 25));
  for (size_t i = 0; i < all.size(); i += 3) all[i].prefix = {static_cast<int32_t>(4 + 2 * i), 5};
  decoding::SearchOptions greedy, beam{.beam_size = 5, .n_best = 3}, draws{.n_best = 4};
  draws.sampling.enabled = true;
  decoding::SearchOptions penalised = beam;
  penalised.repetition = {.no_repeat_ngram = 2, .penalty = 1.3};
  for (const auto& options : {greedy, beam, draws, penalised}) {
    const auto batch = decoding::search(*scorer(with_shortlist(GetParam())), all, options);
    const auto one_by_one = scorer(with_shortlist(GetParam()));
    for (size_t i = 0; i < all.size(); ++i) {
      expect_equal(decoding::search(*one_by_one, std::span(all).subspan(i, 1), options).front(), batch[i]);
    }
  }
}

TEST_P(EngineShortlist, GreedySearchFindsTheSameWithoutLogProbabilities) {
  auto all = sentences(random_sources(6, 25));
  for (size_t i = 0; i < all.size(); i += 3) all[i].prefix = {static_cast<int32_t>(4 + 2 * i), 5};
  const auto short_scorer = scorer(with_shortlist(GetParam()));
  decoding::SearchOptions options;
  const auto with = decoding::search(*short_scorer, all, options);
  options.log_probs = false;
  const auto without = decoding::search(*short_scorer, all, options);
  for (size_t i = 0; i < all.size(); ++i) EXPECT_EQ(without[i].front().ids, with[i].front().ids);
}

TEST_P(EngineShortlist, TranslationsUseOnlyTheShortlistAndForcedIds) {
  auto all = sentences(random_sources(5, 20));
  for (size_t i = 0; i < all.size(); i += 2) all[i].prefix = {58, 59};
  decoding::SearchOptions draws{.n_best = 5};
  draws.sampling.enabled = true;
  for (const auto& options : {decoding::SearchOptions{.beam_size = 3, .n_best = 3}, draws}) {
    const auto found = decoding::search(*scorer(with_shortlist(GetParam())), all, options);
    for (size_t i = 0; i < all.size(); ++i) {
      auto ids = allowed(all[i].source, {3, 4});
      ids.insert(all[i].prefix.begin(), all[i].prefix.end());
      for (const auto& hypothesis : found[i]) {
        for (const int32_t id : hypothesis.ids) EXPECT_TRUE(ids.contains(id)) << "id " << id;
        EXPECT_TRUE(std::equal(all[i].prefix.begin(), all[i].prefix.end(), hypothesis.ids.begin()));
      }
    }
  }
}

TEST_P(EngineShortlist, AForcedIdOutsideTheShortlistHasItsPlaceInTheDistribution) {
  const Ids source{4}, forced{58};
  auto ids = allowed(source, {3, 4});
  ASSERT_FALSE(ids.contains(58));
  ids.insert(58);
  const auto full = scorer({.precision = GetParam()});
  const auto expected = renormalised(first_step(*full, source), ids);
  const auto found = first_step(*scorer(with_shortlist(GetParam())), source, forced);
  EXPECT_EQ(found.first[0], 58);
  EXPECT_NEAR(found.second[0], expected[58], 1e-5);
  EXPECT_EQ(found.first[1], -1);
}

TEST_P(EngineShortlist, UnkIsOnEveryShortlistIfItIsAllowed) {
  for (const bool allow : {false, true}) {
    EngineOptions options = with_shortlist(GetParam());
    options.allow_unk = allow;
    const auto found = first_step(*scorer(options), {4});
    EXPECT_EQ(std::ranges::count(found.first, kUnk), allow ? 1 : 0);
  }
}

TEST_P(EngineShortlist, DoesNotChangeTheScoresOfGivenPairs) {
  const Ids source{4, 5, 6}, target{58, 30};
  const std::vector<decoding::Pair> pairs{{source, target}};
  const auto answer = [&](const EngineOptions& options) {
    return make_factory(model.config, model.file(), options)->make_pair_scorer()->answer(pairs, {}).front().log_probs;
  };
  EXPECT_EQ(answer(with_shortlist(GetParam())), answer({.precision = GetParam()}));
}

}  // namespace
}  // namespace ventris::engine
