#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "decoding/ensemble_factory.h"
#include "decoding/search.h"
#include "support/phrases.h"
#include "support/table_scorer.h"

namespace ventris::decoding {
namespace {

using constraints::Constraints;
using test::Ids;
using test::only;
using test::TableScorer;

constexpr int32_t kEos = 3, kFirstWord = 4;

struct Phrases {
  std::vector<Ids> required, forbidden;
};

std::shared_ptr<const Constraints> constraints_of(const Phrases& phrases, int32_t vocab) {
  return std::make_shared<const Constraints>(test::phrases_of(phrases.required), test::phrases_of(phrases.forbidden),
                                             test::borders_of(vocab, vocab));
}

bool has(const Ids& ids, const Ids& phrase) {
  return std::search(ids.begin(), ids.end(), phrase.begin(), phrase.end()) != ids.end();
}

bool meets(const Ids& ids, const Phrases& phrases) {
  return std::ranges::all_of(phrases.required, [&](const Ids& phrase) { return has(ids, phrase); }) &&
         std::ranges::none_of(phrases.forbidden, [&](const Ids& phrase) { return has(ids, phrase); });
}

Ids draw_phrase(int32_t words, size_t longest) {
  const auto length = *rc::gen::inRange<size_t>(1, longest + 1);
  return *rc::gen::container<Ids>(length, rc::gen::inRange(kFirstWord, kFirstWord + words));
}

std::vector<Ids> draw_phrases(int32_t words, size_t most, size_t longest) {
  std::vector<Ids> phrases(*rc::gen::inRange<size_t>(0, most + 1));
  for (Ids& phrase : phrases) phrase = draw_phrase(words, longest);
  return phrases;
}

/// The best score of all translations with at most `longest` tokens and eos that meet the constraints; none = nullopt.
std::optional<double> best_score(const test::Table& table, const Ids& source, const Phrases& phrases, int32_t vocab,
                                 size_t longest, double alpha) {
  std::optional<double> best;
  const std::function<void(Ids&, double)> visit = [&](Ids& prefix, double log_prob) {
    const auto next = table(source, prefix);
    if (meets(prefix, phrases)) {
      const double score =
          normalise(log_prob + static_cast<double>(next[kEos]), static_cast<int64_t>(prefix.size()) + 1, alpha);
      best = std::max(best.value_or(score), score);
    }
    if (prefix.size() == longest) return;
    for (int32_t id = kFirstWord; id < vocab; ++id) {
      prefix.push_back(id);
      visit(prefix, log_prob + static_cast<double>(next[static_cast<size_t>(id)]));
      prefix.pop_back();
    }
  };
  Ids prefix;
  visit(prefix, 0);
  return best;
}

TEST(ConstrainedSearch, WithoutLogProbabilitiesGreedySearchFindsTheSame) {
  EXPECT_TRUE(rc::check([] {
    const auto words = *rc::gen::inRange<int32_t>(2, 5);
    const int32_t vocab = kFirstWord + words;
    const ScorerInfo info{.bos = 2, .eos = kEos, .vocab = vocab, .max_length = 12};
    TableScorer scorer(test::random_table(vocab, *rc::gen::arbitrary<uint64_t>()), info, {0, 1, 2});
    const Phrases phrases{draw_phrases(words, 2, 2), draw_phrases(words, 2, 2)};
    const std::vector<Sentence> sentences{{{5}, {}, 0}, {{6}, {}, 1, constraints_of(phrases, vocab)}};
    SearchOptions options;
    const auto with = search(scorer, sentences, options);
    options.log_probs = false;
    const auto without = search(scorer, sentences, options);
    for (size_t i = 0; i < sentences.size(); ++i) RC_ASSERT(without[i].front().ids == with[i].front().ids);
  }));
}

TEST(ConstrainedSearch, WithALargeBeamTheBestOfAllIsFound) {
  EXPECT_TRUE(rc::check([] {
    const auto words = *rc::gen::inRange<int32_t>(2, 4);
    const int32_t vocab = kFirstWord + words;
    const size_t longest = 3;  // 3 + 9 + 27 + 81 hypotheses have room in the beam
    const Phrases phrases{draw_phrases(words, 2, 2), draw_phrases(words, 2, 2)};
    const auto seed = *rc::gen::arbitrary<uint64_t>();
    const test::Table table = test::random_table(vocab, seed, 4.0);
    TableScorer scorer(table, {2, kEos, vocab, static_cast<int64_t>(longest) + 1}, {0, 1, 2});
    SearchOptions options;
    options.beam_size = options.n_best = kLargestBeam;
    options.length_alpha = static_cast<double>(seed % 3) * 0.5;
    options.max_length_factor = 100;
    const Sentence sentence{{5, 6}, {}, 0, constraints_of(phrases, vocab)};
    const auto all = only(search(scorer, {&sentence, 1}, options));
    const auto best = best_score(table, sentence.source, phrases, vocab, longest, options.length_alpha);
    const auto found = std::ranges::find(all, false, &Hypothesis::truncated);
    RC_ASSERT(best.has_value() == (found != all.end()));
    if (!best) return;
    RC_ASSERT(meets(found->ids, phrases));
    RC_ASSERT(std::abs(found->score - *best) < 1e-6);
  }));
}

/// Sizes of a search with room for all required phrases.
struct Shape {
  int32_t words, beam;
  uint64_t seed;
  Phrases phrases;
};

Shape draw_shape() {
  Shape shape{*rc::gen::inRange<int32_t>(4, 18), *rc::gen::inRange<int32_t>(2, 9), *rc::gen::arbitrary<uint64_t>(), {}};
  shape.phrases.required = draw_phrases(shape.words, 3, 3);
  // Of a length and with a word that no required phrase has, so that they cannot stand in the way.
  for (Ids& phrase : shape.phrases.forbidden = draw_phrases(shape.words, 2, 2)) {
    phrase.push_back(kFirstWord + shape.words);
  }
  ++shape.words;
  return shape;
}

TableScorer scorer_of(const Shape& shape) {
  const int32_t vocab = kFirstWord + shape.words;
  return {test::random_table(vocab, shape.seed, 4.0), {2, kEos, vocab, 30}, {0, 1, 2}};
}

SearchOptions options_of(const Shape& shape) {
  SearchOptions options;
  options.beam_size = shape.beam;
  options.n_best = 1 + static_cast<int32_t>(shape.seed % static_cast<uint64_t>(shape.beam));
  options.length_alpha = static_cast<double>(shape.seed % 3) * 0.5;
  return options;
}

TEST(ConstrainedSearch, EveryTranslationMeetsItsConstraintsWithinTheBeam) {
  EXPECT_TRUE(rc::check([] {
    const Shape shape = draw_shape();
    auto scorer = scorer_of(shape);
    const Sentence sentence{{5, 6, 7}, {}, 0, constraints_of(shape.phrases, kFirstWord + shape.words)};
    for (const Hypothesis& found : only(search(scorer, {&sentence, 1}, options_of(shape)))) {
      RC_ASSERT(meets(found.ids, shape.phrases) || found.truncated);
      RC_ASSERT(std::ranges::all_of(shape.phrases.required, [&](const Ids& phrase) { return has(found.ids, phrase); }));
      RC_ASSERT(std::ranges::none_of(shape.phrases.forbidden, [&](const Ids& one) { return has(found.ids, one); }));
    }
    for (const size_t rows : scorer.rows_of_steps) RC_ASSERT(rows <= static_cast<size_t>(shape.beam));
  }));
}

void expect_same(const std::vector<Hypothesis>& a, const std::vector<Hypothesis>& b) {
  RC_ASSERT(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    RC_ASSERT(a[i].ids == b[i].ids);
    RC_ASSERT(a[i].token_log_probs == b[i].token_log_probs);
    RC_ASSERT(a[i].score == b[i].score);
  }
}

TEST(ConstrainedSearch, NeighboursChangeNothingWithOrWithoutConstraints) {
  EXPECT_TRUE(rc::check([] {
    const Shape shape = draw_shape();
    auto scorer = scorer_of(shape);
    std::vector<Sentence> sentences;
    for (int32_t i = 0; i < 6; ++i) {
      Sentence sentence{{5 + i, 6}, {}, static_cast<uint64_t>(i), nullptr};
      if (i % 2 == 0) sentence.constraints = constraints_of(shape.phrases, kFirstWord + shape.words);
      if (i % 3 == 0) sentence.prefix = {kFirstWord};
      sentences.push_back(sentence);
    }
    const auto together = search(scorer, sentences, options_of(shape));
    for (size_t i = 0; i < sentences.size(); ++i) {
      expect_same(search(scorer, {&sentences[i], 1}, options_of(shape)).front(), together[i]);
    }
  }));
}

TEST(ConstrainedSearch, NoConstraintsAreNoConstraints) {
  EXPECT_TRUE(rc::check([] {
    Shape shape = draw_shape();
    auto scorer = scorer_of(shape);
    const Sentence without{{5, 6, 7}, {}, 0, nullptr};
    const Sentence with{{5, 6, 7}, {}, 0, constraints_of({}, kFirstWord + shape.words)};
    expect_same(only(search(scorer, {&without, 1}, options_of(shape))),
                only(search(scorer, {&with, 1}, options_of(shape))));
  }));
}

TEST(ConstrainedSearch, APrefixCountsAndIsNeverForbidden) {
  Shape shape{6, 5, 3, {}};
  auto scorer = scorer_of(shape);
  const Sentence sentence{{5, 6}, {6, 7}, 0, constraints_of({{{7, 8}}, {{6}}}, kFirstWord + shape.words)};
  for (const Hypothesis& found : only(search(scorer, {&sentence, 1}, options_of(shape)))) {
    ASSERT_GE(found.ids.size(), 3U);
    EXPECT_EQ(Ids(found.ids.begin(), found.ids.begin() + 2), (Ids{6, 7}));
    EXPECT_TRUE(has(found.ids, {7, 8}));
    EXPECT_EQ(std::count(found.ids.begin(), found.ids.end(), 6), 1);
  }
}

TEST(ConstrainedSearch, ForbiddenPhrasesWorkWithGreedySearchAndSampling) {
  Shape shape{6, 1, 11, {}};
  auto scorer = scorer_of(shape);
  for (const bool sampling : {false, true}) {
    SearchOptions options;
    options.sampling.enabled = sampling;
    options.n_best = sampling ? 20 : 1;
    const Sentence sentence{{5, 6}, {}, 0, constraints_of({{}, {{5}, {6, 7}}}, kFirstWord + shape.words)};
    for (const Hypothesis& found : only(search(scorer, {&sentence, 1}, options))) {
      EXPECT_FALSE(has(found.ids, {5}));
      EXPECT_FALSE(has(found.ids, {6, 7}));
    }
  }
}

TEST(ConstrainedSearch, RequiredPhrasesAreRefusedWithSampling) {
  Shape shape{6, 1, 11, {}};
  auto scorer = scorer_of(shape);
  SearchOptions options;
  options.sampling.enabled = true;
  const Sentence sentence{{5, 6}, {}, 0, constraints_of({{{5}}, {}}, kFirstWord + shape.words)};
  EXPECT_THROW(search(scorer, {&sentence, 1}, options), std::invalid_argument);
}

TEST(ConstrainedSearch, WhatCannotBeMetGivesAsMuchAsPossible) {
  Shape shape{6, 4, 5, {}};
  auto scorer = scorer_of(shape);
  SearchOptions options = options_of(shape);
  options.max_length_factor = 100;
  options.repetition.no_repeat_ngram = 1;  // 5 cannot come twice
  const Sentence sentence{{5, 6}, {}, 0, constraints_of({{{5, 5}, {6}}, {}}, kFirstWord + shape.words)};
  const Hypothesis found = only(search(scorer, {&sentence, 1}, options)).front();
  EXPECT_TRUE(found.truncated);
  EXPECT_TRUE(has(found.ids, {6}));
}

TEST(ConstrainedSearch, AnEnsembleMeetsThem) {
  EXPECT_TRUE(rc::check([] {
    const Shape shape = draw_shape();
    const int32_t vocab = kFirstWord + shape.words;
    const auto model = [&](uint64_t seed) {
      return std::make_shared<const test::TableFactory>(test::random_table(vocab, seed, 4.0),
                                                        ScorerInfo{2, kEos, vocab, 30}, Ids{0, 1, 2});
    };
    const auto combination = shape.seed % 2 == 0 ? Combination::kProbs : Combination::kLogProbs;
    const auto ensemble = make_ensemble({model(shape.seed), model(shape.seed + 1)}, {{}, combination, {0, 1, 2}});
    const Sentence sentence{{5, 6, 7}, {}, 0, constraints_of(shape.phrases, vocab)};
    const auto scorer = ensemble->make();
    for (const Hypothesis& found : only(search(*scorer, {&sentence, 1}, options_of(shape)))) {
      RC_ASSERT(meets(found.ids, shape.phrases));
    }
  }));
}

}  // namespace
}  // namespace ventris::decoding
