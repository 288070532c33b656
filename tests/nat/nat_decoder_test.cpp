#include "nat/nat_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "core/error.h"
#include "nat/ctc.h"
#include "nat/table_nat_scorer.h"
#include "support/errors.h"

namespace ventris::nat {
namespace {

using architecture::NatLoss;
using architecture::NatOptions;
using architecture::Stop;
using decoding::Decoder;
using decoding::Hypothesis;
using decoding::SearchOptions;
using decoding::Sentence;
using test::nat_options;
using test::TableNatScorer;
using Ids = std::vector<int32_t>;

/// A decoder over a table, which can still be looked at.
struct Decoding {
  explicit Decoding(const NatOptions& options) {
    auto made = std::make_unique<TableNatScorer>(options);
    table = made.get();
    decoder = make_nat_decoder(std::move(made));
  }
  TableNatScorer* table;
  std::unique_ptr<Decoder> decoder;
};

std::vector<Sentence> sentences() {
  return {{{4, 5, 6}, {}, 0}, {{7}, {}, 1}, {{8, 4, 5, 6, 7}, {}, 2}, {{5, 5}, {}, 3}};
}

TEST(NatDecoder, TriesTheBestLengthsAndSortsTheirTranslations) {
  const Decoding made(nat_options(NatLoss::kPlain));
  SearchOptions search;
  search.length_candidates = search.n_best = 3;
  const auto found = made.decoder->decode(sentences(), search);
  ASSERT_EQ(found.size(), 4U);
  ASSERT_EQ(found[0].size(), 3U);
  const auto& rows = made.table->asked.front().rows;
  EXPECT_EQ(rows[0].positions, 4);  // the difference 1 is the most probable one, then -1, then 0
  EXPECT_EQ(rows[1].positions, 2);
  EXPECT_EQ(rows[2].positions, 3);
  for (const auto& results : found) {
    for (size_t i = 1; i < results.size(); ++i) EXPECT_GE(results[i - 1].score, results[i].score);
  }
  for (const Hypothesis& result : found[0]) {
    const float of_length = result.ids.size() == 4 ? -0.5F : result.ids.size() == 2 ? -1.0F : -2.0F;
    EXPECT_EQ(result.token_log_probs.back(), of_length);
  }
}

TEST(NatDecoder, GroupsOfSentencesChangeNothing) {
  for (const NatLoss objective : {NatLoss::kPlain, NatLoss::kMaskPredict, NatLoss::kCtc}) {
    const Decoding large(nat_options(objective)), small(nat_options(objective));
    small.table->info_.positions_at_once = 7;
    SearchOptions search;
    if (objective == NatLoss::kMaskPredict) search.iterations = 3;
    const auto expected = large.decoder->decode(sentences(), search),
               found = small.decoder->decode(sentences(), search);
    EXPECT_EQ(large.table->encoded, (std::vector<size_t>{4}));
    EXPECT_GT(small.table->encoded.size(), 1U);
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found[i].front().ids, expected[i].front().ids);
      EXPECT_EQ(found[i].front().token_log_probs, expected[i].front().token_log_probs);
    }
  }
}

TEST(NatDecoder, EachPassWritesTheLeastSureTokensAgain) {
  const Decoding made(nat_options(NatLoss::kMaskPredict));
  SearchOptions search;
  search.iterations = 4;
  const std::vector<Sentence> two{{{4, 5, 6, 7, 8, 4, 5}, {}, 0}, {{6}, {}, 1}};  // 8 positions, and 2
  const auto found = made.decoder->decode(two, search);
  const auto& asked = made.table->asked;
  ASSERT_EQ(asked.size(), 4U);
  EXPECT_TRUE(asked[0].ids.empty() && asked[0].wanted.empty());
  std::vector<size_t> rows, hidden;
  for (size_t pass = 1; pass < 4; ++pass) {
    rows.push_back(asked[pass].rows.size());
    hidden.push_back(static_cast<size_t>(std::ranges::count(asked[pass].wanted, 1)));
    for (size_t i = 0; i < asked[pass].ids.size(); ++i) {
      EXPECT_EQ(asked[pass].ids[i] == 2, asked[pass].wanted[i] == 1);  // masks
    }
  }
  EXPECT_EQ(rows, (std::vector<size_t>{2, 2, 1}));  // of 2 positions, the last pass writes none
  EXPECT_EQ(hidden, (std::vector<size_t>{6 + 1, 4 + 1, 2}));
  // What the last pass did not write again is what it read.
  for (size_t i = 0; i < 8; ++i) {
    if (asked[3].wanted[i] == 0) {
      EXPECT_EQ(found[0].front().ids[i], asked[3].ids[i]);
    }
  }
}

TEST(NatDecoder, ATranslationEndsAtTheFirstEos) {
  const Decoding made(nat_options(NatLoss::kPlain, Stop::kEos));
  for (size_t t = 0; t < 40; ++t) made.table->set[{t, 3}] = t == 2 || t == 4 ? 9.0F : -9.0F;
  const auto found = made.decoder->decode(sentences(), {});
  for (const auto& results : found) {
    EXPECT_EQ(results.front().ids.size(), 2U);
    EXPECT_EQ(results.front().token_log_probs.size(), 3U);
    EXPECT_FALSE(results.front().truncated);
  }
  made.table->set.clear();
  for (size_t t = 0; t < 40; ++t) made.table->set[{t, 3}] = -9.0F;
  EXPECT_TRUE(made.decoder->decode(sentences(), {}).front().front().truncated);
}

TEST(NatDecoder, ACtcTranslationIsTheCollapsedPathWithTheValuesOfAllPaths) {
  const Decoding made(nat_options(NatLoss::kCtc));
  const Ids path{4, 4, 0, 4, 6, 0};
  for (size_t t = 0; t < path.size(); ++t) made.table->set[{t, path[t]}] = 9.0F;
  const std::vector<Sentence> one{{{4, 5, 6}, {}, 0}};
  const Hypothesis found = made.decoder->decode(one, {}).front().front();
  EXPECT_EQ(found.ids, (Ids{4, 4, 6}));
  std::vector<float> columns;
  for (size_t t = 0; t < path.size(); ++t) {
    const auto values = made.table->log_probs(one[0].source, t, 0);
    for (const size_t symbol : {0, 4, 4, 6}) columns.push_back(values[symbol]);
  }
  EXPECT_EQ(found.token_log_probs, ctc_token_log_probs(columns, found.ids));
}

TEST(NatDecoder, ABeamOverThePathsFindsBetterCtcTranslations) {
  const Decoding made(nat_options(NatLoss::kCtc));
  SearchOptions search;
  search.length_alpha = 0;
  const auto greedy = made.decoder->decode(sentences(), search);
  search.beam_size = search.n_best = 8;
  const auto found = made.decoder->decode(sentences(), search);
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_GE(found[i].front().score, greedy[i].front().score);
    ASSERT_GT(found[i].size(), 1U);
    for (size_t j = 0; j < found[i].size(); ++j) {
      const Hypothesis& result = found[i][j];
      if (j > 0) {
        EXPECT_LE(result.score, found[i][j - 1].score);
      }
      for (size_t k = 0; k < j; ++k) EXPECT_NE(result.ids, found[i][k].ids);
      std::vector<float> columns;  // the values are those of all paths, not only of those in the beam
      for (size_t t = 0; t < 2 * sentences()[i].source.size(); ++t) {
        const auto values = made.table->log_probs(sentences()[i].source, t, 0);
        columns.push_back(values[0]);
        for (const int32_t id : result.ids) columns.push_back(values[static_cast<size_t>(id)]);
      }
      EXPECT_EQ(result.token_log_probs, ctc_token_log_probs(columns, result.ids));
    }
  }
}

TEST(NatDecoder, AModelWithoutAPossibleSymbolIsUnusable) {
  const Decoding made(nat_options(NatLoss::kCtc));
  for (int32_t id = 0; id < TableNatScorer::kVocab; ++id) {
    if (id != 1) made.table->set[{2, id}] = -std::numeric_limits<float>::infinity();  // only unk, which is excluded
  }
  EXPECT_FAILS(made.decoder->decode(sentences(), {.beam_size = 3}), ModelError, "gave no symbol a probability");
}

TEST(NatDecoder, TranslationsOfABeamThatAreCutToTheSameTokensAreOne) {
  const Decoding made(nat_options(NatLoss::kCtc));
  SearchOptions search;
  search.beam_size = search.n_best = 8;
  search.longest = 1;
  for (const auto& results : made.decoder->decode(sentences(), search)) {
    for (size_t j = 0; j < results.size(); ++j) {
      EXPECT_LE(results[j].token_log_probs.size(), 1U);
      for (size_t k = 0; k < j; ++k) EXPECT_NE(results[j].ids, results[k].ids);
    }
  }
}

TEST(NatDecoder, ExcludedSymbolsDependOnWhatEndsATranslation) {
  const auto excluded = [](const NatOptions& options) {
    NatInfo info;
    info.options = options;
    info.never = {0, 2};
    return excluded_symbols(info);
  };
  EXPECT_EQ(excluded(nat_options(NatLoss::kPlain)), (Ids{0, 2, 3}));
  EXPECT_EQ(excluded(nat_options(NatLoss::kPlain, Stop::kEos)), (Ids{0, 2}));
  EXPECT_EQ(excluded(nat_options(NatLoss::kCtc)), (Ids{2, 3}));
}

TEST(NatDecoder, ScoresThatAreNotNumbersAreTheModelsFault) {
  for (const NatLoss objective : {NatLoss::kMaskPredict, NatLoss::kCtc}) {
    const Decoding made(nat_options(objective));
    made.table->set[{1, 5}] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FAILS(made.decoder->decode(sentences(), {}), ModelError, "not a number");
    if (objective == NatLoss::kCtc) {
      EXPECT_FAILS(made.decoder->decode(sentences(), {.beam_size = 3}), ModelError, "not a number");
    }
  }
  const Decoding made(nat_options(NatLoss::kPlain));
  made.table->of_lengths[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FAILS(made.decoder->decode(sentences(), {}), ModelError, "not a number");
}

TEST(NatDecoder, AnEmptySourceIsMisuse) {
  const Decoding made(nat_options(NatLoss::kPlain));
  EXPECT_FAILS(made.decoder->decode(std::vector<Sentence>(1), {}), std::invalid_argument, "a source has no tokens");
  EXPECT_TRUE(made.decoder->decode({}, {}).empty());
}

}  // namespace
}  // namespace ventris::nat
