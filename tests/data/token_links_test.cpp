#include "data/token_links.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "data/batch_plan.h"
#include "data/corpus.h"
#include "support/tiny_text.h"

namespace ventris::data {
namespace {

using metrics::Division;

class TokenLinks : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    tokenizer = std::make_unique<text::Tokenizer>(test::tiny_tokenizer(text::TokenizerKind::kUnigram, true));
  }
  static void TearDownTestSuite() { tokenizer.reset(); }

  static SentencePair pair_of(const std::string& source, const std::string& target, const text::Links& links) {
    return {tokenizer->encode(source), tokenizer->encode(target), source, target, 1, links};
  }
  static std::vector<TokenLink> linked(const SentencePair& pair, SampledSides sampled = {}, uint32_t tag_tokens = 0) {
    std::vector<TokenLink> links;
    TokenLinker(*tokenizer, *tokenizer, Division::kText, sampled).link(pair, tag_tokens, 7, links);
    return links;
  }
  /// The text of the pieces with these positions, without spaces.
  static std::string text_of(const std::vector<int32_t>& ids, const std::set<int32_t>& positions) {
    std::vector<int32_t> chosen;
    for (const int32_t position : positions) chosen.push_back(ids[static_cast<size_t>(position)]);
    std::string text = tokenizer->decode(chosen);
    std::erase(text, ' ');
    return text;
  }
  /// What the tokens of a pair look at, as texts: "bread" -> "Nobody".
  static std::map<std::string, std::string> looks(const SentencePair& pair, const std::vector<TokenLink>& links) {
    std::map<int32_t, std::set<int32_t>> sources;
    for (const TokenLink& link : links) {
      if (link.source < std::ssize(pair.source)) sources[link.target].insert(link.source);
    }
    std::map<std::string, std::set<int32_t>> targets;  // by what they look at
    for (const auto& [target, looked_at] : sources) targets[text_of(pair.source, looked_at)].insert(target);
    std::map<std::string, std::string> found;
    for (const auto& [source, positions] : targets) found[text_of(pair.target, positions)] = source;
    return found;
  }

  inline static std::unique_ptr<text::Tokenizer> tokenizer;
};

TEST_F(TokenLinks, EachTokenOfALinkedWordLooksAtAllTokensOfItsSourceWords) {
  const SentencePair pair =
      pair_of("Nobody painted Xylophones, Zürich.", "Quark Nobody; Zürich", {{0, 1}, {2, 0}, {4, 3}});
  const auto links = linked(pair);
  const std::map<std::string, std::string> expected{
      {"Nobody", "Nobody"}, {"Quark", "Xylophones"}, {"Zürich", "Zürich"}};
  EXPECT_EQ(looks(pair, links), expected);
  std::map<int32_t, double> sums;
  for (const TokenLink& link : links) {
    EXPECT_EQ(link.sentence, 7);
    sums[link.target] += static_cast<double>(link.share);
  }
  EXPECT_GT(sums.size(), 3U);  // "Quark" has several pieces
  for (const auto& [target, sum] : sums) EXPECT_NEAR(sum, 1, 1e-6) << target;
}

TEST_F(TokenLinks, AWordWithoutLinksLooksAtTheEndOfTheSource) {
  const SentencePair pair = pair_of("bread", "the bread", {{0, 1}});
  std::map<std::string, std::set<bool>> ends;  // by target word: whether it looks at eos
  for (const TokenLink& link : linked(pair)) {
    const bool end = link.source == std::ssize(pair.source);
    ends[text_of(pair.target, {link.target}).substr(0, 1)].insert(end);
    if (end) {
      EXPECT_EQ(link.share, 1);
    }
  }
  EXPECT_EQ(ends["t"], std::set<bool>{true});
  EXPECT_EQ(ends["b"], std::set<bool>{false});
}

TEST_F(TokenLinks, AWordWithSeveralLinksSharesItsAttention) {
  const SentencePair pair = pair_of("the bridge", "bridge", {{0, 0}, {1, 0}});
  EXPECT_EQ(looks(pair, linked(pair)), (std::map<std::string, std::string>{{"bridge", "thebridge"}}));
}

TEST_F(TokenLinks, ATagMovesTheSourceAndALineWeightCounts) {
  SentencePair pair = pair_of("bread", "bread", {{0, 0}});
  const auto plain = linked(pair);
  ASSERT_FALSE(plain.empty());
  pair.source.insert(pair.source.begin(), {9, 9});
  pair.weight = 0.5;
  const auto tagged = linked(pair, {}, 2);
  ASSERT_EQ(tagged.size(), plain.size());
  for (size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(tagged[i], (TokenLink{7, plain[i].target, plain[i].source + 2, plain[i].share / 2}));
  }
}

TEST_F(TokenLinks, DrawnSegmentationsKeepTheWords) {
  const std::string source = "Nobody painted Xylophones.", target = "Quark Nobody";
  const SentencePair plain = pair_of(source, target, {{0, 1}, {2, 0}});
  const auto expected = looks(plain, linked(plain));
  int differ = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SentencePair drawn = plain;
    drawn.source = tokenizer->sample(source, 0.1, seed);
    drawn.target = tokenizer->sample(target, 0.1, seed);
    differ += drawn.source != plain.source;
    EXPECT_EQ(looks(drawn, linked(drawn, {true, true})), expected) << seed;
  }
  EXPECT_GT(differ, 10);
}

TEST_F(TokenLinks, WordsThatAreNotThereAreNotLookedAtAndPairsWithoutLinksAddNothing) {
  EXPECT_TRUE(linked(pair_of("bread", "bread", {})).empty());
  const SentencePair wrong = pair_of("bread", "bread", {{1, 0}, {0, 1}, {50, 50}});
  EXPECT_TRUE(looks(wrong, linked(wrong)).empty());
}

TEST_F(TokenLinks, BatchesHaveThemByTheirRows) {
  ParallelCorpus corpus;
  corpus.begin_part(0);
  corpus.add(pair_of("the bridge", "bread", {}));
  corpus.begin_part(1);
  SentencePair tagged = pair_of("bread", "bread", {{0, 0}});
  tagged.source.insert(tagged.source.begin(), 9);
  corpus.add(tagged);
  const auto linker = std::make_shared<TokenLinker>(*tokenizer, *tokenizer, Division::kText);
  const std::vector<uint32_t> numbers{0, 1};
  const auto pairs = read_pairs(corpus, numbers);
  const Batch batch = PairBatchMaker({}, linker).make(pairs, {corpus, numbers, 0});
  std::vector<TokenLink> expected;
  linker->link(tagged, 1, 1, expected);
  EXPECT_EQ(batch.links, expected);
  EXPECT_FALSE(batch.links.empty());
  EXPECT_TRUE(PairBatchMaker().make(pairs, {corpus, numbers, 0}).links.empty());
  const Batch marked =
      PairBatchMaker({}, linker, {{{5, 6}, {7}, {8}}, {{5}, {}, {8}}}).make(pairs, {corpus, numbers, 0});
  for (TokenLink& link : expected) {
    link.source += link.sentence == 0 ? 2 : 1;
    link.target += 1;
  }
  EXPECT_EQ(marked.links, expected);
}

TEST_F(TokenLinks, ContextHasNoLinksAndMovesThoseOfThePair) {
  SentencePair pair = pair_of("Nobody sees Zürich.", "Zürich sees Nobody.", {{0, 2}, {1, 1}, {2, 0}});
  const auto plain = linked(pair);
  pair.source.insert(pair.source.begin(), {5, 6, 7});
  pair.target.insert(pair.target.begin(), {8, 9});
  pair.source_context = 2;
  pair.target_context = 2;
  auto moved = linked(pair, {}, /*tag_tokens=*/1);
  for (TokenLink& link : moved) {
    link.source -= 3;
    link.target -= 2;
  }
  EXPECT_EQ(moved, plain);
}

}  // namespace
}  // namespace ventris::data
