#include "data/labelled_batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/corpus.h"

namespace ventris::data {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Batch batch_of_texts(const std::vector<SentencePair>& texts) {
  const ParallelCorpus unused;
  const std::vector<uint32_t> numbers(texts.size(), 0);
  return LabelledBatchMaker().make(texts, {unused, numbers});
}

SentencePair text_of(const std::vector<int32_t>& ids, int32_t label) {
  SentencePair text;
  text.source = ids;
  text.target = {label};
  return text;
}

TEST(LabelledBatchMaker, TextsStandBetweenClsAndSep) {
  const Batch batch = batch_of_texts({text_of({7, 8, 9}, 1), text_of({5}, 0)});
  EXPECT_EQ(batch.sentences, 2);
  EXPECT_EQ(batch.src_len, 5);
  EXPECT_THAT(batch.source, ElementsAre(2, 7, 8, 9, 3, 2, 5, 3, 0, 0));
  EXPECT_THAT(batch.classes, ElementsAre(1, 0));
  EXPECT_THAT(batch.weights, IsEmpty());
}

TEST(LabelledBatchMaker, EveryTextCountsOnceTimesItsLineWeight) {
  SentencePair heavy = text_of({7, 8, 9}, 1);
  const SentencePair light = text_of({5}, 0);
  EXPECT_EQ(batch_of_texts({heavy, light}).target_tokens, 2);
  EXPECT_EQ(batch_of_texts({heavy, light}).target_weight, 2);
  heavy.weight = 3;
  const Batch batch = batch_of_texts({heavy, light});
  EXPECT_EQ(batch.target_tokens, 2);
  EXPECT_EQ(batch.target_weight, 4);
  EXPECT_THAT(batch.weights, ElementsAre(3, 1));
}

TEST(LabelledBatchMaker, APartWithoutTextsIsEmpty) { EXPECT_EQ(batch_of_texts({}).sentences, 0); }

}  // namespace
}  // namespace ventris::data
