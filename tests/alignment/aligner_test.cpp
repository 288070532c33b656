#include "alignment/aligner.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "drawn_pairs.h"
#include "support/errors.h"

namespace ventris::alignment {
namespace {

TEST(BestLinks, AreMoreProbableThanNone) {
  // Two target words, three source words. The second target word has a source word with 0.4, but none with 0.5.
  const std::vector<float> forward{0.1F, 0.7F, 0.1F, 0.4F, 0.05F, 0.05F};
  EXPECT_EQ(best_links(forward, 3, 2, false), (Links{{1, 0}}));
  const std::vector<float> backward{0.1F, 0.2F, 0.9F, 0.05F, 0.3F, 0.4F};
  EXPECT_EQ(best_links(backward, 3, 2, true), (Links{{1, 0}, {2, 1}}));
}

TEST(Align, FindsTheTranslationsOfADrawnText) {
  const auto sentences = test::drawn_sentences(400);
  SentencePairs pairs(4);
  test::add_sentences(pairs, sentences);
  const std::vector<Links> links = align(pairs, {});
  ASSERT_EQ(links.size(), sentences.size());
  int right = 0, wrong = 0;
  for (size_t pair = 0; pair < links.size(); ++pair) {
    const auto& [source, target] = sentences[pair];
    for (const Link link : links[pair]) {
      const std::string& from = source[static_cast<size_t>(link.source)];
      const bool translated = target[static_cast<size_t>(link.target)] == "ta" + from.substr(1, from.size() - 2);
      ++(translated ? right : wrong);
    }
  }
  EXPECT_GT(right, 1500);
  EXPECT_LT(20 * wrong, right);
}

TEST(Align, LinksAreInRangeAndEachWayContainsTheStricterOne) {
  const SentencePairs pairs = test::drawn_pairs(120, 9);
  const auto links = [&](Symmetrization how) { return align(pairs, {.estimation = {}, .symmetrization = how}); };
  const auto either = links(Symmetrization::kUnion), finished = links(Symmetrization::kGrowDiagFinalAnd),
             both = links(Symmetrization::kIntersection), forward = links(Symmetrization::kForward);
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    EXPECT_TRUE(std::ranges::includes(either[pair], finished[pair]));
    EXPECT_TRUE(std::ranges::includes(finished[pair], both[pair]));
    EXPECT_TRUE(std::ranges::includes(forward[pair], both[pair]));
    EXPECT_LE(forward[pair].size(), pairs.target(pair).size());
    for (const Link link : either[pair]) {
      EXPECT_GE(std::min(link.source, link.target), 0);
      EXPECT_LT(static_cast<size_t>(link.source), pairs.source(pair).size());
      EXPECT_LT(static_cast<size_t>(link.target), pairs.target(pair).size());
    }
  }
}

TEST(Align, DoesNotDependOnTheNumberOfThreads) {
  const SentencePairs pairs = test::drawn_pairs(700);
  const auto links = align(pairs, {.estimation = {.threads = 1}});
  for (const int threads : {2, 7}) EXPECT_EQ(align(pairs, {.estimation = {.threads = threads}}), links);
}

TEST(Align, PairsThatCannotHaveLinksHaveNone) {
  SentencePairs pairs = test::drawn_pairs(20);
  const std::vector<std::string_view> word{"s0e"}, many(kMostWords + 1, "ta0");
  pairs.add(word, {});
  pairs.add({}, {});
  pairs.add(word, many);
  const auto links = align(pairs, {});
  for (size_t pair = 20; pair < 23; ++pair) EXPECT_TRUE(links[pair].empty());
}

TEST(Align, ASinglePairLinksWhatIsSpeltAlike) {
  SentencePairs pairs(4);
  test::add_sentences(pairs, {{{"Tom", "kauft", "2", "Karten", "."}, {"Tom", "buys", "2", "tickets", "."}}});
  const Links links = align(pairs, {}).front();
  for (const Link link : {Link{0, 0}, Link{2, 2}, Link{4, 4}}) EXPECT_EQ(std::ranges::count(links, link), 1);
}

TEST(LinkPairs, ProbabilitiesBelongToLinks) {
  const SentencePairs pairs = test::drawn_pairs(80);
  const AlignmentModel model = estimate_alignment(pairs, {}).model;
  size_t count = 0;
  link_pairs(pairs, model, {.probabilities = true}, [&](const AlignedPair& aligned) {
    ASSERT_EQ(aligned.links.size(), aligned.probabilities.size());
    for (const float probability : aligned.probabilities) {
      EXPECT_GT(probability, 0);
      EXPECT_LE(probability, 1.0001F);
    }
    ++count;
  });
  EXPECT_EQ(count, pairs.size());
}

TEST(LinkPairs, BothSpellingsGiveTheSameLinksForTheTextOfTheModel) {
  const SentencePairs pairs = test::drawn_pairs(200);
  const AlignmentModel model = estimate_alignment(pairs, {}).model;
  std::vector<Links> quick, compared;
  link_pairs(pairs, model, {.spelling = Spelling::kQuick}, [&](const auto& pair) { quick.push_back(pair.links); });
  link_pairs(pairs, model, {.spelling = Spelling::kCompared},
             [&](const auto& pair) { compared.push_back(pair.links); });
  EXPECT_EQ(quick, compared);
}

}  // namespace
}  // namespace ventris::alignment
