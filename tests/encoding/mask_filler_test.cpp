#include "encoding/mask_filler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "data/masked_batches.h"
#include "encoding/some_bert.h"
#include "support/errors.h"

namespace ventris::encoding {
namespace {

TEST(MaskFiller, WordsHaveTheProbabilitiesOfTheModel) {
  const model::Bundle bundle = test::some_bert();
  const MaskFiller filler(bundle, torch::kCPU, 1000);
  const Input input = filler.encode("The [MASK] man");
  const FilledLine line = filler.fill({&input}).at(0);
  ASSERT_EQ(line.size(), 1U);
  auto bert = bert_of(bundle, torch::kCPU);
  const torch::Tensor ids = torch::tensor(std::vector<int64_t>(input.ids.begin(), input.ids.end())).unsqueeze(0);
  const auto states = bert->encode(ids, torch::zeros_like(ids), {}).layers.back();
  const auto mask = std::ranges::find(input.ids, filler.mask_id()) - input.ids.begin();
  const torch::Tensor expected = bert->predictions->forward(states[0][mask]).softmax(-1);
  const text::Tokenizer tokenizer(bundle.package.source_spm, "tokenizer");
  std::set<std::string> never{"<pad>", "<unk>", "<s>", "</s>", "[MASK]"};
  EXPECT_EQ(line[0].size() + never.size(), static_cast<size_t>(tokenizer.size()));
  for (size_t i = 0; i < line[0].size(); ++i) {
    const FilledWord& one = line[0][i];
    EXPECT_FALSE(never.contains(one.piece));
    EXPECT_NEAR(one.probability, expected[data::id_of_piece(tokenizer, one.piece)].item<double>(), 1e-6);
    if (i > 0) {
      EXPECT_LE(one.probability, line[0][i - 1].probability);
    }
    EXPECT_EQ(one.word.find("\u2581"), one.piece.find("\u2581", 3));
  }
}

TEST(MaskFiller, OtherLinesOfABatchChangeNothing) {
  const MaskFiller filler(test::some_bert(), torch::kCPU, 3);
  const std::vector<Input> inputs{filler.encode("[MASK] likes [MASK]."),
                                  filler.encode("My sister carries a green [MASK].")};
  const auto together = filler.fill(test::batch_of(inputs));
  ASSERT_EQ(together.at(0).size(), 2U);
  ASSERT_EQ(together.at(1).size(), 1U);
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto alone = filler.fill({&inputs[i]}).at(0);
    for (size_t mask = 0; mask < alone.size(); ++mask) {
      for (size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(together[i][mask][k].piece, alone[mask][k].piece);
        EXPECT_NEAR(together[i][mask][k].probability, alone[mask][k].probability, 1e-5);
      }
    }
  }
}

TEST(MaskFiller, SaysWhetherThereIsAMask) {
  const MaskFiller filler(test::some_bert(), torch::kCPU, 3);
  EXPECT_TRUE(filler.has_mask(filler.encode("a [MASK]")));
  EXPECT_FALSE(filler.has_mask(filler.encode("a mask")));
  EXPECT_FALSE(filler.has_mask(filler.encode("")));
}

TEST(MaskFiller, OnlyABertWithAMaskIsTaken) {
  const model::Package other = test::tiny_package();
  const auto weights = model::Safetensors::parse(test::tiny_weights(other.config.architecture->src_vocab()), "w");
  EXPECT_FAILS(MaskFiller({other, weights}, torch::kCPU, 3), ModelError,
               "expected a model of the family 'bert', found one of the family 'transformer'");
  const model::Bundle bundle = test::some_bert(test::tiny_tokenizer(text::TokenizerKind::kUnigram));
  EXPECT_FAILS(MaskFiller(bundle, torch::kCPU, 3), ModelError, "bert: the tokenizer has no piece [MASK]");
}

}  // namespace
}  // namespace ventris::encoding
