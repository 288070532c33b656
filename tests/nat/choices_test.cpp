#include "nat/choices.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::nat {
namespace {

using decoding::Hypothesis;
using decoding::SearchOptions;
using Ids = std::vector<int32_t>;
using Floats = std::vector<float>;

const Floats kDifferences{-3, -1, -2, -0.5F, -4};  // of -2, -1, 0, 1, 2

std::vector<int64_t> lengths(int64_t src_len, int64_t most, int32_t count) {
  std::vector<int64_t> found;
  for (const auto& candidate : best_lengths(kDifferences, src_len, most, count)) found.push_back(candidate.length);
  return found;
}

TEST(BestLengths, AreTheMostProbableOnesThatAreAllowed) {
  EXPECT_EQ(lengths(5, 99, 1), (std::vector<int64_t>{6}));
  EXPECT_EQ(lengths(5, 99, 3), (std::vector<int64_t>{6, 4, 5}));
  EXPECT_EQ(lengths(5, 99, 9), (std::vector<int64_t>{6, 4, 5, 3, 7}));
  EXPECT_EQ(lengths(5, 5, 2), (std::vector<int64_t>{4, 5}));
  EXPECT_EQ(lengths(1, 99, 9), (std::vector<int64_t>{2, 1, 3}));
  EXPECT_EQ(best_lengths(kDifferences, 5, 99, 2)[1].log_prob, -1);
}

TEST(BestLengths, WithoutAnAllowedClassTheNearestLengthIsTaken) {
  const auto found = best_lengths(kDifferences, 20, 4, 3);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].length, 4);
  EXPECT_EQ(found[0].log_prob, -3);
}

TEST(BestLengths, ScoresThatAreNotNumbersAreTheModelsFault) {
  const Floats broken(3, std::numeric_limits<float>::quiet_NaN());
  EXPECT_FAILS(best_lengths(broken, 2, 9, 1), ModelError, "not a number");
}

TEST(LengthClass, IsTheDifferenceWithinTheRange) {
  EXPECT_EQ(length_class(7, 5, 4), 6);
  EXPECT_EQ(length_class(50, 5, 4), 8);
  EXPECT_EQ(length_class(0, 9, 4), 0);
}

TEST(LeastSure, AreTheLeastProbablePositionsInOrder) {
  EXPECT_EQ(least_sure(Floats{-1, -3, -2, -3}, 2), (std::vector<size_t>{1, 3}));
  EXPECT_EQ(least_sure(Floats{-1, -1, -1}, 2), (std::vector<size_t>{0, 1}));
  EXPECT_EQ(least_sure(Floats{-1}, 5), (std::vector<size_t>{0}));
  EXPECT_TRUE(least_sure(Floats{-1, -2}, 0).empty());
}

TEST(HiddenTokens, FallLinearlyToNone) {
  std::vector<size_t> counts;
  for (int32_t pass = 1; pass <= 4; ++pass) counts.push_back(hidden_tokens(10, pass, 4));
  EXPECT_EQ(counts, (std::vector<size_t>{7, 5, 2, 0}));
}

TEST(Draft, EndsAtTheFirstEos) {
  const Draft draft = up_to_eos(Ids{7, 8, 3, 9, 3}, Floats{-1, -2, -3, -4, -5}, 3);
  EXPECT_EQ(draft.ids, (Ids{7, 8}));
  EXPECT_EQ(draft.log_probs, (Floats{-1, -2, -3}));
  EXPECT_TRUE(draft.ends);
  const Draft open = up_to_eos(Ids{7, 8}, Floats{-1, -2}, 3);
  EXPECT_EQ(open.ids, (Ids{7, 8}));
  EXPECT_FALSE(open.ends);
}

TEST(Draft, BecomesAHypothesisWithItsScore) {
  const Hypothesis found = hypothesis_of({{7, 8}, {-1, -2, -3}, true}, 9, {});
  EXPECT_EQ(found.ids, (Ids{7, 8}));
  EXPECT_DOUBLE_EQ(found.log_prob, -6);
  EXPECT_DOUBLE_EQ(found.score, -2);
  EXPECT_FALSE(found.truncated);
  const Hypothesis cut = hypothesis_of({{7, 8, 9}, {-1, -2, -3, -4}, true}, 2, {});
  EXPECT_EQ(cut.ids, (Ids{7, 8}));
  EXPECT_EQ(cut.token_log_probs, (Floats{-1, -2}));
  EXPECT_TRUE(cut.truncated);
  EXPECT_TRUE(hypothesis_of({{7}, {-1}, false}, 9, {}).truncated);
  const float broken = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FAILS(hypothesis_of({{7}, {broken, 0}, true}, 9, {}), ModelError, "not a number");
}

TEST(KeepBest, SortsByScoreAndKeepsEachTranslationOnce) {
  const auto of = [](Ids ids, double score) {
    Hypothesis hypothesis;
    hypothesis.ids = std::move(ids);
    hypothesis.score = score;
    return hypothesis;
  };
  std::vector<Hypothesis> all{of({1}, -3), of({2}, -1), of({2}, -2), of({3}, -4)};
  keep_best(all, 3);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].ids, Ids{2});
  EXPECT_EQ(all[1].ids, Ids{1});
  EXPECT_EQ(all[2].ids, Ids{3});
  keep_best(all, 1);
  EXPECT_EQ(all.size(), 1U);
}

/// What a model that writes like this says of options.
std::string refusal(const SearchOptions& options, const architecture::Writing& writing) {
  try {
    check(options);
    check(options, writing);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(CheckOfWriting, ModelsThatWriteAtOnceSayWhatWouldWork) {
  const architecture::Writing lengths{.all_at_once = true, .refines = true, .lengths = 9}, at_once{.all_at_once = true},
      ctc{.all_at_once = true, .path_positions = 2};
  EXPECT_EQ(refusal({}, lengths), "");
  EXPECT_EQ(
      refusal({.beam_size = 5}, lengths),
      "beam_size: must be 1, because this model writes all tokens at once, without a search, got 5; leave it out, "
      "or give length_candidates");
  EXPECT_EQ(
      refusal({.beam_size = 5}, at_once),
      "beam_size: must be 1, because this model writes all tokens at once, without a search, got 5; leave it out");
  EXPECT_EQ(refusal({.beam_size = 5, .n_best = 5}, ctc), "");
  EXPECT_NE(refusal({.min_length = 2}, ctc).find("use a model that writes token by token"), std::string::npos);
  EXPECT_NE(refusal({.repetition = {.no_repeat_ngram = 2}}, ctc).find("no_repeat_ngram"), std::string::npos);
  EXPECT_NE(refusal({.sampling = {.enabled = true}}, ctc).find("sampling: "), std::string::npos);
  EXPECT_EQ(refusal({.iterations = 4, .length_candidates = 9}, lengths), "");
  EXPECT_NE(refusal({.iterations = 4}, ctc).find("iterations: must be 1, because only models with"), std::string::npos);
  EXPECT_EQ(refusal({.length_candidates = 3}, ctc),
            "length_candidates: must be 1, because this model does not predict a length, got 3; leave it out");
  EXPECT_NE(refusal({.length_candidates = 10}, lengths).find("must be at most 9, the lengths that this model knows"),
            std::string::npos);
  EXPECT_EQ(refusal({.n_best = 3, .length_candidates = 3}, lengths), "");
  EXPECT_EQ(refusal({.n_best = 4, .length_candidates = 3}, lengths),
            "n_best: must be at most length_candidates (3), got 4");
}

TEST(CheckOfWriting, ModelsThatWriteTokenByTokenRefuseWhatIsForTheOthers) {
  EXPECT_EQ(refusal({.beam_size = 5}, {}), "");
  EXPECT_EQ(refusal({.iterations = 2}, {}),
            "iterations: this is only for models that write all tokens at once (transformer-nat); leave it out");
  EXPECT_EQ(refusal({.length_candidates = 2}, {}),
            "length_candidates: this is only for models that write all tokens at once (transformer-nat); leave it out, "
            "or give beam_size");
  EXPECT_NE(refusal({.iterations = 0}, {}).find("iterations: must be from 1 to 100, got 0"), std::string::npos);
}

}  // namespace
}  // namespace ventris::nat
