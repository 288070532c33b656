#include "decoding/search.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <stdexcept>

#include "core/error.h"
#include "core/process.h"
#include "support/errors.h"
#include "support/table_scorer.h"

namespace ventris::decoding {
namespace {

using test::Ids;
using test::only;
using test::TableScorer;

// Ids 0 and 1 are words, 2 is bos and never comes, 3 is eos.
constexpr int32_t kVocab = 5;
ScorerInfo small_info(int64_t max_length = 100) { return {2, 3, kVocab, max_length}; }

Sentence sentence_of(Ids source, uint64_t number = 0) { return {std::move(source), {}, number}; }

SearchOptions beam(int32_t size, int32_t n_best = 1, double alpha = 1.0) {
  SearchOptions options;
  options.beam_size = size;
  options.n_best = n_best;
  options.length_alpha = alpha;
  return options;
}

/// Every sequence up to the maximum length, by recursion over the table.
class Exhaustive {
 public:
  Exhaustive(const test::Table& table, Ids source, int64_t max_length, double alpha)
      : table_(table), source_(std::move(source)), max_length_(max_length), alpha_(alpha) {
    visit({}, 0);
    std::sort(all.begin(), all.end(), [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
  }
  std::vector<Hypothesis> all;

 private:
  void visit(const Ids& prefix, double log_prob) {
    const auto log_probs = table_(source_, prefix);
    const auto length = static_cast<int64_t>(prefix.size()) + 1;
    for (int32_t id = 0; id < kVocab; ++id) {
      if (id == 2) continue;
      const double sum = log_prob + static_cast<double>(log_probs[static_cast<size_t>(id)]);
      Ids next = prefix;
      if (id != 3) next.push_back(id);
      if (id == 3 || length == max_length_) {
        all.push_back({next, {}, sum, sum / std::pow(static_cast<double>(length), alpha_), id != 3});
      } else {
        visit(next, sum);
      }
    }
  }

  const test::Table& table_;
  Ids source_;
  int64_t max_length_;
  double alpha_;
};

class SearchAlpha : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(LengthNormalisations, SearchAlpha, testing::Values(0.0, 0.6, 1.0));

TEST_P(SearchAlpha, AWideBeamFindsWhatExhaustiveSearchFinds) {
  constexpr int64_t kMaxLength = 5;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    const auto table = test::random_table(kVocab, seed);
    TableScorer scorer(table, small_info(kMaxLength), {2});
    const std::vector<Sentence> sentences{sentence_of({4, 4})};
    const auto found = search(scorer, sentences, beam(kLargestBeam, 20, GetParam())).front();
    const Exhaustive expected(table, {4, 4}, kMaxLength, GetParam());
    ASSERT_EQ(found.size(), 20U);
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].ids, expected.all[i].ids) << "seed " << seed << ", place " << i;
      EXPECT_NEAR(found[i].score, expected.all[i].score, 1e-12);
      EXPECT_NEAR(found[i].log_prob, expected.all[i].log_prob, 1e-12);
      EXPECT_EQ(found[i].truncated, expected.all[i].truncated);
    }
  }
}

TEST(Search, BeamOneIsGreedy) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto table = test::random_table(kVocab, seed);
    TableScorer scorer(table, small_info(), {2});
    const std::vector<Sentence> sentences{sentence_of({1})};
    const auto found = search(scorer, sentences, beam(1)).front();
    Ids greedy;
    for (bool ended = false; !ended && greedy.size() < 13;) {  // 3 x 1 + 10
      const auto log_probs = table({1}, greedy);
      int32_t best = 0;
      for (const int32_t id : {1, 3, 4}) {
        if (log_probs[static_cast<size_t>(id)] > log_probs[static_cast<size_t>(best)]) best = id;
      }
      ended = best == 3;
      if (!ended) greedy.push_back(best);
    }
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].ids, greedy);
    EXPECT_EQ(found[0].truncated, greedy.size() == 13);
  }
}

/// Kinds of greedy search.
std::vector<SearchOptions> greedy_searches() {
  std::vector<SearchOptions> searches(4, beam(1));
  searches[1].min_length = 5;
  searches[2].repetition = {.no_repeat_ngram = 2, .penalty = 1};
  searches[3].repetition = {.no_repeat_ngram = 0, .penalty = 1.4};
  return searches;
}

TEST(Search, WithoutLogProbabilitiesGreedySearchFindsTheSame) {
  std::vector<Sentence> sentences{sentence_of({1}), sentence_of({0, 1, 1}), sentence_of({4, 4})};
  sentences[1].prefix = {4, 0};
  for (uint64_t seed = 0; seed < 20; ++seed) {
    for (SearchOptions options : greedy_searches()) {
      TableScorer scorer(test::random_table(kVocab, seed), small_info(), {2});
      const auto with = search(scorer, sentences, options);
      EXPECT_EQ(scorer.steps_without_log_probs, 0U);
      options.log_probs = false;
      const auto without = search(scorer, sentences, options);
      EXPECT_GT(scorer.steps_without_log_probs, 0U);
      for (size_t i = 0; i < sentences.size(); ++i) {
        const Hypothesis &expected = with[i].front(), &found = without[i].front();
        EXPECT_EQ(found.ids, expected.ids);
        EXPECT_EQ(found.truncated, expected.truncated);
        EXPECT_EQ(found.token_log_probs.size(), expected.token_log_probs.size());
        EXPECT_TRUE(std::ranges::all_of(found.token_log_probs, [](float one) { return std::isnan(one); }));
        EXPECT_TRUE(std::isnan(found.log_prob) && std::isnan(found.score));
      }
    }
  }
}

TEST(Search, ABeamAndSamplesNeedLogProbabilities) {
  const std::vector<Sentence> sentences{sentence_of({1})};
  SearchOptions draws = beam(1, 3);
  draws.sampling.enabled = true;
  for (SearchOptions options : {beam(3), draws}) {
    options.log_probs = false;
    TableScorer scorer(test::random_table(kVocab, 1), small_info(), {2});
    const Hypothesis found = search(scorer, sentences, options).front().front();
    EXPECT_EQ(scorer.steps_without_log_probs, 0U);
    EXPECT_TRUE(std::isfinite(found.log_prob) && std::isfinite(found.score));
  }
}

TEST(Search, AFinishedHypothesisKeepsItsPlaceAndTheOthersGoOn) {
  // eos is likely at once, yet going on pays: the sequence 0 0 eos is as good as certain after its first token.
  const test::Table table = [](const Ids&, const Ids& prefix) {
    if (prefix.empty()) return test::log_shares({0.45, 0.02, 1e-9, 0.50, 0.03});
    if (prefix == Ids{0}) return test::log_shares({0.98, 0.005, 1e-9, 0.01, 0.005});
    return test::log_shares({0.01, 0.005, 1e-9, 0.98, 0.005});
  };
  TableScorer scorer(table, small_info(), {2});
  const std::vector<Sentence> sentences{sentence_of({1})};
  const auto found = search(scorer, sentences, beam(2, 2)).front();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].ids, (Ids{0, 0}));
  EXPECT_EQ(found[1].ids, Ids{});
  EXPECT_EQ(scorer.rows_of_steps, (std::vector<size_t>{1, 1, 1}));  // the other place is taken
}

TEST(Search, StopsWhenNoneUnderWayCanBeatTheFinished) {
  const test::Table table = [](const Ids&, const Ids&) { return test::log_shares({0.001, 0.001, 1e-9, 0.997, 0.001}); };
  TableScorer scorer(table, small_info(), {2});
  const std::vector<Sentence> sentences{sentence_of({1, 1, 1})};
  const auto found = search(scorer, sentences, beam(4, 1, 0.0)).front();
  EXPECT_EQ(found[0].ids, Ids{});
  EXPECT_EQ(scorer.rows_of_steps.size(), 1U);
}

TEST(Search, SentencesThatAreDoneSendNoMoreRows) {
  const test::Table table = [](const Ids& source, const Ids& prefix) {
    const bool end = prefix.size() + 1 >= static_cast<size_t>(source[0]);
    return test::log_shares({end ? 0.01 : 0.97, 0.01, 1e-9, end ? 0.97 : 0.01, 0.01});
  };
  TableScorer scorer(table, small_info(), {2});
  const std::vector<Sentence> sentences{sentence_of({1}), sentence_of({4}), sentence_of({2})};
  const auto found = search(scorer, sentences, beam(1));
  EXPECT_EQ(found[0][0].ids.size(), 0U);
  EXPECT_EQ(found[1][0].ids.size(), 3U);
  EXPECT_EQ(found[2][0].ids.size(), 1U);
  EXPECT_EQ(scorer.rows_of_steps, (std::vector<size_t>{3, 2, 1, 1}));
}

TEST(Search, TheSumOfTokenLogProbsIsTheScore) {
  TableScorer scorer(test::random_table(kVocab, 3), small_info(), {2});
  const std::vector<Sentence> sentences{sentence_of({1, 4})};
  for (const Hypothesis& found : only(search(scorer, sentences, beam(4, 4, 0.6)))) {
    double sum = 0;
    for (const float log_prob : found.token_log_probs) sum += static_cast<double>(log_prob);
    EXPECT_EQ(found.token_log_probs.size(), found.ids.size() + (found.truncated ? 0 : 1));
    EXPECT_NEAR(found.log_prob, sum, 1e-12);
    EXPECT_NEAR(found.score, sum / std::pow(static_cast<double>(found.token_log_probs.size()), 0.6), 1e-12);
  }
}

TEST(Search, TiesGoToTheBetterParentThenTheLowerId) {
  const test::Table table = [](const Ids&, const Ids&) { return test::log_shares({1, 1, 1, 1, 1}); };
  TableScorer scorer(table, small_info(3), {2});
  const std::vector<Sentence> sentences{sentence_of({1})};
  const auto found = search(scorer, sentences, beam(3, 3, 0.0)).front();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].ids, Ids{});
  EXPECT_EQ(found[1].ids, (Ids{0, 0, 0}));  // eos keeps one place; 0 and 1 go on as 00 and 01, those as 000 and 001
  EXPECT_EQ(found[2].ids, (Ids{0, 0, 1}));
}

TEST(Search, AForcedPrefixIsKeptAndScoredByTheModel) {
  const auto table = test::random_table(kVocab, 9);
  for (const int32_t size : {1, 3}) {
    TableScorer scorer(table, small_info(), {2, 4});
    std::vector<Sentence> sentences{sentence_of({1})};
    sentences[0].prefix = {4, 0, 4};  // 4 may never be generated, but it may be forced
    for (const Hypothesis& found : only(search(scorer, sentences, beam(size, size)))) {
      ASSERT_GE(found.ids.size(), 3U);
      EXPECT_EQ(Ids(found.ids.begin(), found.ids.begin() + 3), sentences[0].prefix);
      EXPECT_EQ(found.token_log_probs[0], table({1}, {})[4]);
      EXPECT_EQ(found.token_log_probs[1], table({1}, {4})[0]);
      EXPECT_EQ(found.token_log_probs[2], table({1}, {4, 0})[4]);
    }
  }
}

TEST(Search, APrefixDoesNotEatTheRoomOfTheRest) {
  const test::Table table = [](const Ids&, const Ids&) {
    return test::log_shares({1, 1e-6, 1e-9, 1e-6, 1e-6});
  };  // never ends
  TableScorer scorer(table, small_info(), {2});
  std::vector<Sentence> sentences{sentence_of({1})};
  sentences[0].prefix = Ids(30, 1);
  const auto found = search(scorer, sentences, beam(1)).front();
  EXPECT_EQ(found[0].ids.size(), 30U + 13U);
  EXPECT_TRUE(found[0].truncated);
}

TEST(Search, EndsAtTheMaximumLengthAndSaysSo) {
  const test::Table table = [](const Ids&, const Ids&) { return test::log_shares({1, 1e-6, 1e-9, 1e-6, 1e-6}); };
  TableScorer scorer(table, small_info(20), {2});
  const std::vector<Sentence> sentences{sentence_of({1}), sentence_of({1, 1, 1, 1, 1, 1})};
  SearchOptions options = beam(2);
  options.max_length_factor = 1.5;
  const auto found = search(scorer, sentences, options);
  EXPECT_EQ(found[0][0].ids.size(), 11U);  // 1.5 x 1 + 10
  EXPECT_EQ(found[1][0].ids.size(), 19U);  // 1.5 x 6 + 10
  EXPECT_TRUE(found[0][0].truncated && found[1][0].truncated);
  options.max_length_factor = 100;
  EXPECT_EQ(search(scorer, sentences, options)[1][0].ids.size(), 20U);  // the model's own
}

TEST(Search, NothingEndsBeforeTheMinimumLength) {
  const test::Table table = [](const Ids&, const Ids&) { return test::log_shares({0.1, 0.1, 1e-9, 0.7, 0.1}); };
  TableScorer scorer(table, small_info(), {2});
  const std::vector<Sentence> sentences{sentence_of({1})};
  SearchOptions options = beam(3, 3);
  options.min_length = 4;
  for (const Hypothesis& found : only(search(scorer, sentences, options))) EXPECT_GE(found.ids.size(), 4U);
  EXPECT_EQ(search(scorer, sentences, options).front().front().ids.size(), 4U);
}

TEST(Search, AVocabularySmallerThanTheBeamIsNoTrouble) {
  const test::Table table = [](const Ids&, const Ids&) { return test::log_shares({1e-9, 1, 1e-9, 1}); };
  TableScorer scorer(table, {2, 3, 4, 6}, {0, 2});
  const std::vector<Sentence> sentences{sentence_of({1})};
  const auto found = search(scorer, sentences, beam(50, 50)).front();
  EXPECT_EQ(found.size(), 7U);  // 0 to 5 words and eos, and six words without
}

TEST(Search, AModelWithNothingToSayStillGivesAResult) {
  TableScorer scorer([](const Ids&, const Ids&) { return test::log_shares({1, 1, 1, 1}); }, {2, 3, 4, 9}, {0, 1, 2});
  const std::vector<Sentence> sentences{sentence_of({1})};
  SearchOptions options = beam(2);
  options.min_length = 1;  // eos is all there is, and it is forbidden
  const auto found = search(scorer, sentences, options).front();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].ids.empty() && found[0].truncated);
}

TEST(Search, AnEmptyBatchIsDoneAtOnce) {
  TableScorer scorer(test::random_table(kVocab, 1), small_info());
  EXPECT_TRUE(search(scorer, {}, {}).empty());
  EXPECT_TRUE(scorer.rows_of_steps.empty());
}

TEST(Search, AScoreThatIsNotANumberIsTheModelsFault) {
  const test::Table table = [](const Ids&, const Ids&) { return std::vector<float>(kVocab, std::nanf("")); };
  TableScorer scorer(table, small_info());
  const std::vector<Sentence> sentences{sentence_of({1})};
  EXPECT_FAILS(search(scorer, sentences, beam(3)), ModelError, "not a number");
  SearchOptions options = beam(1);
  options.log_probs = false;
  EXPECT_FAILS(search(scorer, sentences, options), ModelError, "not a number");
}

TEST(Search, MisuseIsRefused) {
  TableScorer scorer(test::random_table(kVocab, 1), small_info(8));
  std::vector<Sentence> sentences{sentence_of({})};
  EXPECT_FAILS(search(scorer, sentences, beam(1)), std::invalid_argument, "no tokens");
  EXPECT_FAILS(search(scorer, sentences, beam(0)), std::invalid_argument, "beam_size");
  sentences = {sentence_of({1})};
  sentences[0].prefix = {0, 3};
  EXPECT_FAILS(search(scorer, sentences, beam(1)), std::invalid_argument, "id 3");
  sentences[0].prefix = Ids(9, 0);
  EXPECT_FAILS(search(scorer, sentences, beam(1)), std::invalid_argument, "prefix is longer");
}

TEST(SearchOptions, SenselessSettingsAreNamed) {
  const auto expect_named = [](const char* name, const std::function<void(SearchOptions&)>& change) {
    SearchOptions options;
    check(options);
    change(options);
    EXPECT_FAILS(check(options), ConfigError, name);
  };
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  expect_named("beam_size: must be from 1 to 256, got 0", [](auto& o) { o.beam_size = 0; });
  expect_named("beam_size", [](auto& o) { o.beam_size = 2'000'000'000; });
  expect_named("beam_size: must be from 1 to 256, got 257", [](auto& o) { o.beam_size = 257; });
  expect_named("n_best", [](auto& o) { o.n_best = 0; });
  expect_named("n_best: must be from 1 to 1024, got 1025", [](auto& o) { o.n_best = 1025, o.sampling.enabled = true; });
  expect_named("n_best: must be at most beam_size (3), got 4", [](auto& o) { o.beam_size = 3, o.n_best = 4; });
  for (const double bad : {-0.5, nan, infinity}) {
    expect_named("normalize", [&](auto& o) { o.length_alpha = bad; });
    expect_named("max_length_factor", [&](auto& o) { o.max_length_factor = bad; });
    expect_named("temperature", [&](auto& o) { o.sampling.temperature = bad; });
    expect_named("top_p", [&](auto& o) { o.sampling.top_p = bad; });
  }
  expect_named("temperature: must be over 0, got 0", [](auto& o) { o.sampling.temperature = 0; });
  expect_named("top_p", [](auto& o) { o.sampling.top_p = 1.5; });
  expect_named("top_k", [](auto& o) { o.sampling.top_k = -1; });
  expect_named("min_length", [](auto& o) { o.min_length = -1; });
}

/// Notes how many sentences come at a time.
class AdmittingScorer : public TableScorer {
 public:
  using TableScorer::TableScorer;
  void admit(std::span<const std::span<const int32_t>> sources) override {
    admitted.push_back(sources.size());
    TableScorer::admit(sources);
  }
  std::vector<size_t> admitted;
};

TEST(Search, LongSourcesAreEncodedAFewAtATimeAndFoundTheSame) {
  const auto table = test::random_table(kVocab, 3);
  std::vector<Sentence> sentences(70, sentence_of({1, 0}));
  for (const size_t length : {500, 500, 513, 600, 2048, 5000}) sentences.push_back(sentence_of(Ids(length, 1)));
  AdmittingScorer scorer(table, small_info(8), {2});
  const auto together = search(scorer, sentences, beam(2));
  EXPECT_EQ(scorer.admitted, (std::vector<size_t>{70, 3, 1, 1, 1}));
  for (size_t i = 70; i < sentences.size(); ++i) {
    TableScorer alone(table, small_info(8), {2});
    EXPECT_EQ(only(search(alone, std::vector{sentences[i]}, beam(2))).front().ids, together[i].front().ids);
  }
}

TEST(SearchDeathTest, ASignalStopsItAtTheNextStep) {
  for (const bool sampling : {false, true}) {
    const auto stopped = [&] {
      core::install_stop_handlers();
      const auto uniform = test::random_table(kVocab, 1, 0.0);
      const auto signalled = [&](const Ids& source, const Ids& prefix) {
        if (prefix.size() == 2) std::raise(SIGTERM);
        return uniform(source, prefix);
      };
      TableScorer scorer(signalled, small_info(), {2, 3});
      SearchOptions options = beam(2);
      options.sampling.enabled = sampling;
      const std::vector<Sentence> sentences{sentence_of(Ids(30, 1))};
      try {
        search(scorer, sentences, options);
      } catch (const Interrupted& stop) {
        _exit(stop.signal == SIGTERM && scorer.rows_of_steps.size() == 3 ? 42 : 1);
      }
      _exit(2);
    };
    EXPECT_EXIT(stopped(), testing::ExitedWithCode(42), "");
  }
}

TEST(GreatestLength, GrowsWithTheSourceAndThePrefixUpToTheModels) {
  SearchOptions options;
  options.max_length_factor = 1.5;
  EXPECT_EQ(greatest_length({Ids(5, 1), {}, 0}, options, 100), 17);
  EXPECT_EQ(greatest_length({Ids(5, 1), Ids(4, 1), 0}, options, 100), 21);
  EXPECT_EQ(greatest_length({Ids(5, 1), {}, 0}, options, 12), 12);
  options.max_length_factor = 1e300;
  EXPECT_EQ(greatest_length({Ids(5, 1), {}, 0}, options, 100), 100);
  EXPECT_EQ(greatest_length({Ids(5, 1), {}, 0}, beam(kLargestBeam), 65'536), 25);
  options.beam_size = kLargestBeam;
  EXPECT_EQ(greatest_length({Ids(5, 1), {}, 0}, options, 65'536), kMostPlaces / kLargestBeam);
}

}  // namespace
}  // namespace ventris::decoding
