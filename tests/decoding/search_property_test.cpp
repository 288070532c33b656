#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "decoding/search.h"
#include "support/table_scorer.h"

namespace ventris::decoding {
namespace {

using test::Ids;
using test::TableScorer;

/// Sizes from 1 to 17, so that none divides the others.
struct Shape {
  int32_t words, beam, n_best, sentences;
  uint64_t seed;
};

Shape draw_shape() {
  const auto size = [] { return *rc::gen::inRange<int32_t>(1, 18); };
  Shape shape{size(), size(), size(), size(), *rc::gen::arbitrary<uint64_t>()};
  shape.n_best = std::min(shape.n_best, shape.beam);
  return shape;
}

std::vector<Sentence> draw_sentences(const Shape& shape) {
  const core::RandomStream random(shape.seed, 7);
  std::vector<Sentence> sentences;
  for (int32_t i = 0; i < shape.sentences; ++i) {
    Sentence sentence;
    const uint64_t at = 100 * static_cast<uint64_t>(i);
    sentence.number = static_cast<uint64_t>(i);
    for (uint64_t j = 0; j <= random.below(at, 9); ++j) {
      sentence.source.push_back(static_cast<int32_t>(random.below(at + j + 1, 1000)));
    }
    for (uint64_t j = 0; j < random.below(at + 50, 3); ++j) {
      sentence.prefix.push_back(4 +
                                static_cast<int32_t>(random.below(at + 60 + j, static_cast<uint64_t>(shape.words))));
    }
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

TableScorer scorer_of(const Shape& shape) {
  const int32_t vocab = 4 + shape.words;
  return {test::random_table(vocab, shape.seed, 4.0), {2, 3, vocab, 14}, {0, 1, 2}};
}

SearchOptions options_of(const Shape& shape, bool sampling) {
  SearchOptions options;
  options.beam_size = shape.beam;
  options.n_best = shape.n_best;
  options.length_alpha = static_cast<double>(shape.seed % 3) * 0.5;
  options.sampling.enabled = sampling;
  options.seed = shape.seed;
  options.repetition = {static_cast<int32_t>(shape.seed / 3 % 4), shape.seed / 12 % 2 == 0 ? 1.0 : 1.3};
  return options;
}

void expect_same(const std::vector<Hypothesis>& a, const std::vector<Hypothesis>& b) {
  RC_ASSERT(a.size() == b.size());
  for (size_t i = 0; i < a.size(); ++i) {
    RC_ASSERT(a[i].ids == b[i].ids);
    RC_ASSERT(a[i].token_log_probs == b[i].token_log_probs);
    RC_ASSERT(a[i].score == b[i].score);
  }
}

TEST(SearchProperty, NeighboursAndTheirOrderChangeNothing) {
  for (const bool sampling : {false, true}) {
    EXPECT_TRUE(rc::check([sampling] {
      const Shape shape = draw_shape();
      const SearchOptions options = options_of(shape, sampling);
      auto scorer = scorer_of(shape);
      auto sentences = draw_sentences(shape);
      const auto together = search(scorer, sentences, options);
      for (size_t i = 0; i < sentences.size(); ++i) {
        expect_same(search(scorer, {&sentences[i], 1}, options).front(), together[i]);
      }
      std::reverse(sentences.begin(), sentences.end());
      const auto reversed = search(scorer, sentences, options);
      for (size_t i = 0; i < sentences.size(); ++i) expect_same(reversed[sentences.size() - 1 - i], together[i]);
    }));
  }
}

TEST(SearchProperty, BeamOneIsTheBestTokenAtEachStepWhateverSpeaksAgainstRepetition) {
  EXPECT_TRUE(rc::check([] {
    Shape shape = draw_shape();
    shape.beam = shape.n_best = 1;
    const SearchOptions options = options_of(shape, false);
    const test::Table table = test::random_table(4 + shape.words, shape.seed, 4.0);
    auto scorer = scorer_of(shape);
    const auto sentences = draw_sentences(shape);
    const auto found = search(scorer, sentences, options);
    for (size_t i = 0; i < sentences.size(); ++i) {
      Ids prefix;
      for (const int32_t id : found[i].front().ids) {
        const auto penalties = repetition_penalties(prefix, options.repetition);
        const auto log_probs = table(sentences[i].source, prefix);
        const auto rank = [&](int32_t at) {
          return penalised(log_probs[static_cast<size_t>(at)], factor_of(penalties, at));
        };
        const bool forced = prefix.size() < sentences[i].prefix.size();
        for (int32_t other = 3; !forced && other < 4 + shape.words; ++other) RC_ASSERT(rank(id) >= rank(other));
        prefix.push_back(id);
      }
    }
  }));
}

TEST(SearchProperty, TheNBestAreSortedDifferentAndNoMoreThanAskedFor) {
  EXPECT_TRUE(rc::check([] {
    const Shape shape = draw_shape();
    auto scorer = scorer_of(shape);
    const auto sentences = draw_sentences(shape);
    for (const auto& found : search(scorer, sentences, options_of(shape, false))) {
      RC_ASSERT(!found.empty() && found.size() <= static_cast<size_t>(shape.n_best));
      RC_ASSERT(
          std::is_sorted(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.score > b.score; }));
      std::set<std::pair<Ids, bool>> different;
      for (const Hypothesis& one : found) different.insert({one.ids, one.truncated});
      RC_ASSERT(different.size() == found.size());
    }
  }));
}

TEST(SearchProperty, TheBestDoesNotDependOnHowManyAreAskedForWithoutNormalisation) {
  EXPECT_TRUE(rc::check([] {
    const Shape shape = draw_shape();
    auto scorer = scorer_of(shape);
    const auto sentences = draw_sentences(shape);
    SearchOptions options = options_of(shape, false);
    options.length_alpha = 0;
    const auto many = search(scorer, sentences, options);
    options.n_best = 1;
    const auto one = search(scorer, sentences, options);
    for (size_t i = 0; i < sentences.size(); ++i) RC_ASSERT(one[i].front().score == many[i].front().score);
  }));
}

}  // namespace
}  // namespace ventris::decoding
