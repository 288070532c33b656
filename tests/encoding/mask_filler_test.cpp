#include "encoding/mask_filler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "encoding/table_pools.h"
#include "support/errors.h"

namespace ventris::encoding {
namespace {

/// The ids of the words, which the tokenizer of the tiny BERT gives them.
std::vector<int32_t> ids_of(const std::vector<FilledWord>& words) {
  static const text::Tokenizer tokenizer = test::tiny_bert_tokenizer();
  std::vector<int32_t> ids;
  for (const FilledWord& word : words) ids.push_back(tokenizer.id_of(word.piece));
  return ids;
}

TEST(MaskFiller, WordsAreSortedByProbabilityWithoutSpecialPieces) {
  const EncoderPool encoders = test::bert_pool();
  const MaskFiller filler(encoders, 1000);
  const Input input = filler.encode("The [MASK] man");
  const FilledLine line = filler.fill({&input}).at(0);
  ASSERT_EQ(line.size(), 1U);
  const std::set<std::string> never{"<pad>", "<unk>", "<s>", "</s>", "[MASK]"};
  EXPECT_EQ(line[0].size() + never.size(), static_cast<size_t>(test::tiny_bert_tokenizer().size()));
  for (size_t i = 0; i < line[0].size(); ++i) {
    EXPECT_FALSE(never.contains(line[0][i].piece));
    EXPECT_EQ(line[0][i].word.find("\u2581"), line[0][i].piece.find("\u2581", 3));
    if (i > 0) {
      EXPECT_LE(line[0][i].probability, line[0][i - 1].probability);
    }
  }
}

TEST(MaskFiller, EachMaskOfABatchGetsTheWordsOfItsPlace) {
  const EncoderPool encoders = test::bert_pool();
  const MaskFiller filler(encoders, 1);
  const std::vector<Input> inputs{filler.encode("[MASK] likes [MASK]."), filler.encode("no mask"),
                                  filler.encode("a [MASK]")};
  const auto lines = filler.fill(test::batch_of(inputs));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[1].empty());
  int32_t place = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto mask = lines[i].begin();
    for (const int32_t id : inputs[i].ids) {
      if (id == filler.mask_id()) {
        EXPECT_EQ(ids_of(*mask++).at(0), 10 + place);
      }
      ++place;
    }
    EXPECT_EQ(mask, lines[i].end());
  }
}

TEST(MaskFiller, SaysWhetherThereIsAMask) {
  const EncoderPool encoders = test::bert_pool();
  const MaskFiller filler(encoders, 3);
  EXPECT_TRUE(filler.has_mask(filler.encode("a [MASK]")));
  EXPECT_FALSE(filler.has_mask(filler.encode("a mask")));
  EXPECT_FALSE(filler.has_mask(filler.encode("")));
}

TEST(MaskFiller, OnlyABertWithAMaskIsTaken) {
  const EncoderPool translating = test::translating_pool(1);
  EXPECT_FAILS(MaskFiller(translating, 3), ModelError,
               "expected a model of the family 'bert', found one of the family 'transformer'");
  model::Package package = test::tiny_bert_package();
  const text::Tokenizer tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  package.source_spm = package.target_spm = tokenizer.bytes();
  package.config.architecture = package.config.architecture->with_vocabularies(tokenizer.size(), tokenizer.size());
  const EncoderPool without = test::bert_pool(package);
  EXPECT_FAILS(MaskFiller(without, 3), ModelError, "bert: the tokenizer has no piece [MASK]");
}

}  // namespace
}  // namespace ventris::encoding
