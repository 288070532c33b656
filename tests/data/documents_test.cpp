#include "data/documents.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "data/corpus.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"

namespace ventris::data {
namespace {

using testing::ElementsAre;
using Ids = std::vector<int32_t>;

std::vector<SentencePair> packed(int64_t max_length, const std::vector<std::vector<Ids>>& documents) {
  std::vector<SentencePair> passages;
  PassagePacker packer(max_length, [&](SentencePair& passage) { passages.push_back(passage); });
  for (const auto& document : documents) {
    for (const Ids& sentence : document) packer.add(sentence);
    packer.end_document();
  }
  return passages;
}

TEST(PassagePacker, NeighbouringSentencesSharePassagesAsLongAsTheyFit) {
  const auto passages = packed(5, {{{1, 2}, {3, 4, 5}, {6}, {7, 8}}});
  ASSERT_EQ(passages.size(), 2U);
  EXPECT_THAT(passages[0].source, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(passages[0].target, ElementsAre(2, 5));
  EXPECT_THAT(passages[1].source, ElementsAre(6, 7, 8));
  EXPECT_THAT(passages[1].target, ElementsAre(1, 3));
}

TEST(PassagePacker, APassageHasOneDocument) {
  const auto passages = packed(9, {{{1}, {2}}, {}, {{3}}});
  ASSERT_EQ(passages.size(), 2U);
  EXPECT_THAT(passages[0].source, ElementsAre(1, 2));
  EXPECT_THAT(passages[1].source, ElementsAre(3));
}

TEST(PassagePacker, AnOverlongSentenceIsCutAndNothingIsLost) {
  const auto passages = packed(3, {{{1, 2, 3, 4, 5, 6, 7}, {8}}});
  Ids all;
  for (const SentencePair& passage : passages) {
    EXPECT_LE(passage.source.size(), 3U);
    EXPECT_EQ(static_cast<size_t>(passage.target.back()), passage.source.size());
    all.insert(all.end(), passage.source.begin(), passage.source.end());
  }
  EXPECT_THAT(all, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

class Documents : public testing::Test {
 protected:
  CorpusSpec spec(const std::string& text) { return {{folder.file("text.en", text), "", /*running_text=*/true}}; }

  test::TempFolder folder;
  const text::Tokenizer tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
};

TEST_F(Documents, EmptyLinesEndDocuments) {
  std::vector<SentencePair> passages;
  const auto counts = read_corpus(spec("The driver likes bread.\nThe bread.\n\n \nThe driver.\n"), tokenizer, tokenizer,
                                  {}, [&](SentencePair& passage) { passages.push_back(passage); });
  ASSERT_EQ(passages.size(), 2U);
  EXPECT_EQ(passages[0].target.size(), 2U);
  EXPECT_EQ(tokenizer.decode(passages[0].source), "The driver likes bread. The bread.");
  EXPECT_EQ(tokenizer.decode(passages[1].source), "The driver.");
  EXPECT_EQ(counts.documents, 2);
  EXPECT_EQ(describe(counts), "5 lines in 2 documents, 2 passages, 0 too long, 0 with invalid UTF-8");
}

TEST_F(Documents, TheResultDoesNotDependOnTheThreads) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += i % 37 == 0 ? "\n" : "The driver likes bread.\n";
  const CorpusSpec corpus = spec(text);
  std::vector<CorpusCounts> counts;
  const auto checksum = [&](int threads) {
    return load_corpora({&corpus, 1}, tokenizer, tokenizer, {{64, 9}, threads}, counts).summary().checksum();
  };
  EXPECT_EQ(checksum(1), checksum(3));
}

TEST_F(Documents, ATextWithoutWordsIsRefused) {
  EXPECT_FAILS(read_corpus(spec("\n \n\n"), tokenizer, tokenizer, {}, [](SentencePair&) {}), DataError,
               "text.en: expected text, a sentence per line; none is left of 3 lines (0 too long, the others empty)");
}

}  // namespace
}  // namespace ventris::data
