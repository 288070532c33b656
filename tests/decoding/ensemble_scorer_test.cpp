#include "decoding/ensemble_scorer.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <stdexcept>

#include "decoding/ensembles.h"
#include "support/errors.h"

namespace ventris::decoding {
namespace {

std::vector<Sentence> draw_sentences() {
  std::vector<Sentence> sentences;
  for (int32_t i = *rc::gen::inRange<int32_t>(1, 9); i > 0; --i) {
    Sentence sentence;
    for (int32_t j = *rc::gen::inRange<int32_t>(1, 6); j > 0; --j) sentence.source.push_back(5 + i * j);
    for (int32_t j = *rc::gen::inRange<int32_t>(0, 3); j > 0; --j) sentence.prefix.push_back(4 + (i + j) % 9);
    sentence.number = static_cast<uint64_t>(i);
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

SearchOptions draw_options() {
  SearchOptions options;
  options.beam_size = *rc::gen::inRange<int32_t>(1, 9);
  options.n_best = *rc::gen::inRange<int32_t>(1, options.beam_size + 1);
  options.sampling.enabled = *rc::gen::inRange(0, 2) == 1;
  options.repetition = {*rc::gen::inRange<int32_t>(0, 3), *rc::gen::inRange(0, 2) == 1 ? 1.0 : 1.3};
  options.min_length = *rc::gen::inRange<int32_t>(0, 4);
  return options;
}

using Results = std::vector<std::vector<Hypothesis>>;

void expect_near(const Results& found, const Results& expected, double tolerance) {
  RC_ASSERT(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    RC_ASSERT(found[i].size() == expected[i].size());
    for (size_t j = 0; j < found[i].size(); ++j) {
      RC_ASSERT(found[i][j].ids == expected[i][j].ids);
      RC_ASSERT(found[i][j].token_log_probs.size() == expected[i][j].token_log_probs.size());
      for (size_t t = 0; t < found[i][j].token_log_probs.size(); ++t) {
        RC_ASSERT(std::abs(found[i][j].token_log_probs[t] - expected[i][j].token_log_probs[t]) <= tolerance);
      }
    }
  }
}

TEST(EnsembleScorer, TranslatesAsAModelThatHasTheCombinedDistribution) {
  for (const auto combination : kBothCombinations) {
    EXPECT_TRUE(rc::check([combination] {
      const auto seed = *rc::gen::arbitrary<uint32_t>();
      const auto sentences = draw_sentences();
      const SearchOptions options = draw_options();
      const auto ensemble = both_tables(seed, seed + 1ULL, combination)->make();
      test::TableScorer one(table_of_both(table_of(seed), table_of(seed + 1ULL), combination), kTableInfo,
                            kNeverInTables);
      expect_near(search(*ensemble, sentences, options), search(one, sentences, options), 1e-5);
    }));
  }
}

TEST(EnsembleScorer, OfAModelWithItselfTranslatesAsTheModel) {
  for (const auto combination : kBothCombinations) {
    EXPECT_TRUE(rc::check([combination] {
      const auto seed = *rc::gen::arbitrary<uint32_t>();
      const auto sentences = draw_sentences();
      const SearchOptions options = draw_options();
      const auto ensemble = both_tables(seed, seed, combination)->make();
      expect_near(search(*ensemble, sentences, options), search(*table_model(seed)->make(), sentences, options), 1e-5);
    }));
  }
}

TEST(EnsembleScorer, NeighboursAndTheirOrderChangeNotEvenTheLastBit) {
  for (const auto combination : kBothCombinations) {
    EXPECT_TRUE(rc::check([combination] {
      const auto ensemble = both_tables(1, 2, combination)->make();
      const SearchOptions options = draw_options();
      auto sentences = draw_sentences();
      const auto together = search(*ensemble, sentences, options);
      for (size_t i = 0; i < sentences.size(); ++i) {
        expect_near(search(*ensemble, {&sentences[i], 1}, options), {together[i]}, 0);
      }
      std::reverse(sentences.begin(), sentences.end());
      auto reversed = search(*ensemble, sentences, options);
      std::reverse(reversed.begin(), reversed.end());
      expect_near(reversed, together, 0);
    }));
  }
}

TEST(EnsembleScorer, OfOneModelIsTheModel) {
  const auto ensemble = make_ensemble({table_model(1)}, {.never = kNeverInTables});
  const std::vector<Sentence> sentences{sentence_of({5, 6, 7}), sentence_of({8})};
  const auto found = search(*ensemble->make(), sentences, {.beam_size = 3});
  const auto expected = search(*table_model(1)->make(), sentences, {.beam_size = 3});
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].front().ids, expected[i].front().ids);
    EXPECT_EQ(found[i].front().token_log_probs, expected[i].front().token_log_probs);
  }
}

/// A model of a large vocabulary whose next token is 4 more than the position and the source.
Table large_table(size_t vocab) {
  return [=](const Ids& source, const Ids& prefix) {
    std::vector<float> row(vocab, -20.0F);
    row[4 + static_cast<size_t>(source[0]) + prefix.size()] = -0.1F;
    return row;
  };
}

TEST(EnsembleScorer, TakesAFewRowsAtATimeIfTheVocabularyIsLarge) {
  constexpr int32_t kLarge = (1 << 21) + 5;  // two rows at a time
  const ScorerInfo info{2, 3, kLarge, 3};
  const auto one = std::make_shared<TableFactory>(large_table(kLarge), info, kNeverInTables);
  const auto ensemble = make_ensemble({one, one}, {.never = kNeverInTables});
  std::vector<Sentence> sentences;
  for (int32_t i = 0; i < 3; ++i) sentences.push_back(sentence_of({100 * i}));
  const auto found = search(*ensemble->make(), sentences, {});
  for (int32_t i = 0; i < 3; ++i) {
    const int32_t first = 4 + 100 * i;
    EXPECT_EQ(found[static_cast<size_t>(i)].front().ids, (Ids{first, first + 1, first + 2}));
  }
}

/// An ensemble of two tables with equal shares.
EnsembleScorer two_tables(ScorerInfo first = kTableInfo, ScorerInfo second = kTableInfo) {
  std::vector<std::unique_ptr<RowScorer>> models;
  for (const ScorerInfo& info : {first, second}) {
    models.push_back(std::make_unique<test::TableRowScorer>(test::random_table(info.vocab, 1), info));
  }
  return {std::move(models), {0.5F, 0.5F}, Combination::kProbs, kNeverInTables};
}

TEST(EnsembleScorer, NeedsTheMemoryOfAllItsModelsAndDoesNotRefill) {
  ScorerInfo first = kTableInfo, second = kTableInfo;
  first.refills = second.refills = true;
  first.memory.row = 100;
  second.memory.row = 20;
  second.memory.sentence = 3;
  const ScorerInfo all = two_tables(first, second).info();
  EXPECT_FALSE(all.refills);
  EXPECT_EQ(all.memory.row, 120);
  EXPECT_EQ(all.memory.sentence, 3);
  EXPECT_EQ(all.memory.fixed, 2 * 4 * (1 << 22)) << "4 million log-probabilities of each model";
}

TEST(EnsembleScorer, EosIsForbiddenInTheRowsThatSaySo) {
  EnsembleScorer scorer = two_tables();
  const Ids source{5};
  const std::vector<std::span<const int32_t>> sources{source, source};
  scorer.admit(sources);
  const std::vector<int32_t> parents{0, 1}, last_ids{2, 2};
  const std::vector<uint8_t> forbid{0, 1};
  StepRequest request;
  request.parents = parents;
  request.last_ids = last_ids;
  request.continuations = kTableVocab;
  request.forbid_eos = forbid;
  const Continuations found = scorer.advance(request);
  const auto of_row = [&](size_t row) { return std::span(found.ids).subspan(row * kTableVocab, kTableVocab); };
  EXPECT_EQ(std::ranges::count(of_row(0), kTableInfo.eos), 1);
  EXPECT_EQ(std::ranges::count(of_row(1), kTableInfo.eos), 0);
  EXPECT_EQ(std::ranges::count(of_row(0), -1), 3) << "pad, unk and bos are never continuations";
  EXPECT_EQ(std::ranges::count(of_row(1), -1), 4);
}

}  // namespace
}  // namespace ventris::decoding
