#include "alignment/alignment_model.h"

#include <gtest/gtest.h>

#include "alignment/estimation.h"
#include "drawn_pairs.h"

namespace ventris::alignment {
namespace {

TEST(PosteriorComputer, ProbabilitiesOfAWordAreAtMostOne) {
  const SentencePairs pairs = test::drawn_pairs(100);
  const AlignmentModel model = estimate_alignment(pairs, {}).model;
  for (const Stage stage : {Stage::kModel1, Stage::kLinking}) {
    PosteriorComputer computer(pairs, model, stage, Spelling::kQuick);
    for (size_t pair = 0; pair < pairs.size(); ++pair) {
      const Posteriors& found = computer.compute(pair, {});
      const size_t sources = pairs.source(pair).size(), targets = pairs.target(pair).size();
      for (size_t target = 0; target < targets; ++target) {
        float sum = 0;
        for (size_t source = 0; source < sources; ++source) sum += found.forward[target * sources + source];
        EXPECT_GE(sum, 0);
        EXPECT_LE(sum, 1.0001F);
      }
    }
  }
}

TEST(PosteriorComputer, ExchangedSidesExchangeTheDirections) {
  const auto sentences = test::drawn_sentences(100);
  SentencePairs pairs(4), exchanged(4);
  test::add_sentences(pairs, sentences);
  for (const auto& [source, target] : sentences) test::add_sentences(exchanged, {{target, source}});
  const AlignmentModel model = estimate_alignment(pairs, {}).model, other = estimate_alignment(exchanged, {}).model;
  PosteriorComputer computer(pairs, model, Stage::kLinking, Spelling::kQuick),
      other_computer(exchanged, other, Stage::kLinking, Spelling::kQuick);
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const Posteriors &found = computer.compute(pair, {}), &expected = other_computer.compute(pair, {});
    for (size_t i = 0; i < found.forward.size(); ++i) EXPECT_NEAR(found.forward[i], expected.backward[i], 1e-3);
  }
}

TEST(PosteriorComputer, NewWordsAreLinkedByTheirSpelling) {
  SentencePairs pairs(4);
  test::add_sentences(pairs, {{{"das", "haus"}, {"the", "house"}}, {{"das", "buch"}, {"the", "book"}}});
  const AlignmentModel model = estimate_alignment(pairs, {}).model;
  pairs.clear();
  test::add_sentences(pairs, {{{"das", "parlament"}, {"the", "parliament"}}}, false);
  PosteriorComputer computer(pairs, model, Stage::kLinking, Spelling::kCompared);
  const Posteriors& found = computer.compute(0, {});
  EXPECT_GT(found.forward[3], found.forward[2]);  // parlament for parliament, rather than das
}

}  // namespace
}  // namespace ventris::alignment
