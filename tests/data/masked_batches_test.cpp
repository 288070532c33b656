#include "data/masked_batches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "data/corpus.h"
#include "support/tiny_text.h"

namespace ventris::data {
namespace {

/// Passages of ids that show where they come from: passage p, position i has id 10 + 40 p + i.
class MaskedBatches : public testing::Test {
 protected:
  MaskedBatches() {
    store.begin_part(0);
    for (int32_t p = 0; p < 4; ++p) {
      std::vector<int32_t> ids(40);
      std::iota(ids.begin(), ids.end(), 10 + 40 * p);
      store.add(ids, std::vector<int32_t>{10, 20, 30, 40});
    }
    options.mask_id = 4;
    options.vocab = tokenizer.size();
  }

  Batch make(uint64_t epoch, std::vector<uint32_t> numbers = {0, 1, 2, 3}) {
    const MaskedBatchMaker maker(options, tokenizer);
    return maker.make(read_pairs(store, numbers), {store, numbers, epoch});
  }

  const text::Tokenizer tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  ParallelCorpus store;
  MaskingOptions options;
};

TEST_F(MaskedBatches, TheOriginalIdIsPredictedWhereItWasDrawn) {
  const Batch batch = make(0);
  int64_t predicted = 0;
  for (size_t i = 0; i < batch.source.size(); ++i) {
    if (batch.target_out[i] == 0) continue;
    ++predicted;
    EXPECT_GE(batch.target_out[i], 10);  // never a special token
  }
  EXPECT_EQ(predicted, batch.target_tokens);
  EXPECT_EQ(predicted, 4 * 6);  // 15 % of 40 tokens each
}

TEST_F(MaskedBatches, EightyPercentAreMaskedAndTenPercentStay) {
  int64_t masked = 0, same = 0, all = 0;
  for (uint64_t epoch = 0; epoch < 200; ++epoch) {
    const Batch batch = make(epoch);
    for (size_t i = 0; i < batch.source.size(); ++i) {
      if (batch.target_out[i] == 0) continue;
      ++all;
      masked += batch.source[i] == options.mask_id;
      same += batch.source[i] == batch.target_out[i];
    }
  }
  EXPECT_NEAR(static_cast<double>(masked) / static_cast<double>(all), 0.8, 0.03);
  EXPECT_NEAR(static_cast<double>(same) / static_cast<double>(all), 0.1, 0.03);
}

TEST_F(MaskedBatches, HalfOfTheSecondPartsAreFromAnotherPassage) {
  int64_t other = 0, all = 0;
  options.mask_rate = 0.01;
  for (uint64_t epoch = 0; epoch < 200; ++epoch) {
    const Batch batch = make(epoch);
    for (int64_t row = 0; row < batch.sentences; ++row) {
      const auto at = [&](int64_t i) { return static_cast<size_t>(row * batch.src_len + i); };
      int64_t first = 1, second = 0;
      for (int64_t i = 0; i < batch.src_len && second == 0; ++i) {
        if (batch.segments[at(i)] == 1) second = i;
      }
      ASSERT_EQ(batch.source[at(second - 1)], options.ids.eos);
      const auto passage_at = [&](int64_t i) {  // of a token that is neither hidden nor special
        while (batch.target_out[at(i)] != 0) ++i;
        return (batch.source[at(i)] - 10) / 40;
      };
      EXPECT_EQ(passage_at(first), row);
      EXPECT_EQ(passage_at(second) != row, batch.classes[static_cast<size_t>(row)] == 1);
    }
    other += std::accumulate(batch.classes.begin(), batch.classes.end(), 0);
    all += batch.sentences;
  }
  EXPECT_NEAR(static_cast<double>(other) / static_cast<double>(all), 0.5, 0.06);
}

TEST_F(MaskedBatches, ASecondPartEndsWhereASentenceEndsWhateverPassageItIsFrom) {
  options.mask_rate = 0.01;
  for (uint64_t epoch = 0; epoch < 100; ++epoch) {
    const Batch batch = make(epoch);
    for (int64_t row = 0; row < batch.sentences; ++row) {
      const auto begin = batch.source.begin() + static_cast<ptrdiff_t>(row * batch.src_len);
      const auto end = std::find(begin, begin + static_cast<ptrdiff_t>(batch.src_len), options.ids.pad);
      const auto at = static_cast<size_t>(end - batch.source.begin()) - 2;  // before the last [SEP]
      const int32_t last = batch.target_out[at] != 0 ? batch.target_out[at] : batch.source[at];
      EXPECT_EQ((last - 10 + 1) % 10, 0) << "epoch " << epoch << ", row " << row;
    }
  }
}

TEST_F(MaskedBatches, AForeignSecondPartIsFromTheSameCorpusAndNotFromANeighbour) {
  store.begin_part(0);
  for (int32_t p = 4; p < 6; ++p) {
    store.add(std::vector<int32_t>(40, 10 + 40 * p), std::vector<int32_t>{10, 20, 30, 40});
  }
  options.mask_rate = 0.01;
  for (uint64_t epoch = 0; epoch < 100; ++epoch) {
    const Batch batch = make(epoch, {0, 3, 4});
    EXPECT_EQ(batch.classes[2], 0) << "a corpus of two passages has no other one";
    for (const size_t row : {size_t{0}, size_t{1}}) {
      const int32_t own = row == 0 ? 0 : 3;
      const auto begin = row * static_cast<size_t>(batch.src_len);
      for (size_t i = begin + 1; i < begin + static_cast<size_t>(batch.src_len); ++i) {
        if (batch.target_out[i] != 0 || batch.source[i] < 10) continue;
        const int32_t passage = (batch.source[i] - 10) / 40;
        EXPECT_TRUE(passage == own || (passage < 4 && std::abs(passage - own) > 1)) << passage;
      }
    }
  }
}

TEST_F(MaskedBatches, AreDrawnAgainInEachEpochAndEqualOtherwise) {
  EXPECT_EQ(make(3).source, make(3).source);
  EXPECT_NE(make(3).source, make(4).source);
}

TEST_F(MaskedBatches, APassageDoesNotDependOnItsNeighbours) {
  const Batch alone = make(5, {2}), together = make(5, {1, 2});
  const auto begin = together.source.begin() + static_cast<ptrdiff_t>(together.src_len);
  EXPECT_TRUE(std::equal(alone.source.begin(), alone.source.end(), begin));
}

TEST_F(MaskedBatches, WithoutNextSentenceThereIsOnePart) {
  options.next_sentence = false;
  const Batch batch = make(0);
  EXPECT_TRUE(batch.classes.empty());
  EXPECT_EQ(*std::ranges::max_element(batch.segments), 0);
  EXPECT_EQ(batch.src_len, 42);
}

TEST_F(MaskedBatches, OfAWordAllPiecesAreHiddenOrNone) {
  options.whole_words = true;
  options.mask_rate = 0.5;
  ParallelCorpus text;
  text.begin_part(0);
  const auto ids = tokenizer.encode("The driver likes bread. The bread likes the driver.");
  text.add(ids, std::vector<int32_t>{static_cast<int32_t>(ids.size())});
  options.next_sentence = false;
  const MaskedBatchMaker maker(options, tokenizer);
  const std::vector<uint32_t> numbers{0};
  for (uint64_t epoch = 0; epoch < 50; ++epoch) {
    const Batch batch = maker.make(read_pairs(text, numbers), {text, numbers, epoch});
    for (size_t i = 2; i < ids.size() + 1; ++i) {
      if (tokenizer.piece(ids[i - 1]).starts_with("\u2581")) continue;  // begins another word
      EXPECT_EQ(batch.target_out[i] != 0, batch.target_out[i - 1] != 0) << "epoch " << epoch << ", token " << i;
    }
  }
}

TEST_F(MaskedBatches, APassageOfOneTokenHasOnePart) {
  ParallelCorpus text;
  text.begin_part(0);
  text.add(std::vector<int32_t>{12}, std::vector<int32_t>{1});
  const MaskedBatchMaker maker(options, tokenizer);
  const std::vector<uint32_t> numbers{0};
  const Batch batch = maker.make(read_pairs(text, numbers), {text, numbers, 0});
  EXPECT_EQ(batch.src_len, 3);
  EXPECT_EQ(batch.target_tokens, 1);
}

}  // namespace
}  // namespace ventris::data
