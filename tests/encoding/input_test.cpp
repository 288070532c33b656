#include "encoding/input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/tiny_bert.h"

namespace ventris::encoding {
namespace {

using testing::ElementsAre;

std::vector<std::string> pieces_in(const InputMaker& maker, const Input& input) {
  std::vector<std::string> pieces;
  for (const int32_t id : input.ids) pieces.push_back(maker.tokenizer().piece(id));
  return pieces;
}

TEST(InputMaker, ABertReadsALineBetweenClsAndSep) {
  const InputMaker maker(test::tiny_bert_package());
  const Input input = maker.make("The old man");
  EXPECT_EQ(input.ids.front(), maker.ids().bos);
  EXPECT_EQ(input.ids.back(), maker.ids().eos);
  const Pieces pieces = pieces_of(input, maker.ids());
  EXPECT_EQ(pieces.begin, 1U);
  EXPECT_EQ(pieces.count, maker.tokenizer().encode("The old man").size());
  EXPECT_EQ(input.word_count, 3);
  EXPECT_EQ(input.words.front(), -1);
  EXPECT_EQ(input.words[1], 0);
  EXPECT_EQ(input.words[input.words.size() - 2], 2);
  EXPECT_EQ(input.words.back(), -1);
}

TEST(InputMaker, TheSpaceBeforeAMaskHasNoTokenOfItsOwn) {
  const InputMaker maker(test::tiny_bert_package());
  for (const char* line : {"The [MASK] sees", "[MASK]", "sees [MASK]."}) {
    const Input input = maker.make(line);
    const auto mask = std::ranges::find(input.ids, maker.mask_id());
    ASSERT_NE(mask, input.ids.end()) << line;
    EXPECT_NE(maker.tokenizer().piece(*(mask - 1)), "\u2581") << testing::PrintToString(pieces_in(maker, input));
    EXPECT_EQ(input.words.size(), input.ids.size());
  }
  EXPECT_THAT(pieces_in(maker, maker.make("[MASK] [MASK]")), ElementsAre("<s>", "[MASK]", "[MASK]", "</s>"));
}

TEST(InputMaker, AModelThatTranslatesReadsPiecesAndEos) {
  const InputMaker maker(test::tiny_package());
  const Input input = maker.make("bread");
  EXPECT_NE(input.ids.front(), maker.ids().bos);
  EXPECT_EQ(input.ids.back(), maker.ids().eos);
  EXPECT_EQ(pieces_of(input, maker.ids()).count, input.ids.size() - 1);
  EXPECT_EQ(maker.mask_id(), -1);
}

TEST(InputMaker, ABlankLineIsEmptyAndALongOneIsCut) {
  const InputMaker maker(test::tiny_bert_package());
  EXPECT_TRUE(maker.make(" \t ").ids.empty());
  EXPECT_EQ(pieces_of({}, maker.ids()).count, 0U);
  std::string line;
  for (int i = 0; i < 30; ++i) line += "bread ";
  const Input input = maker.make(line);
  EXPECT_TRUE(input.cut);
  EXPECT_EQ(input.ids.size(), 16U);  // the positions of the model
  EXPECT_EQ(input.ids.back(), maker.ids().eos);
  EXPECT_EQ(input.words.size(), 16U);
  EXPECT_EQ(input.word_count, 30);
}

TEST(InputMaker, ATokenizerOfAnotherSizeIsRefused) {
  model::Package package = test::tiny_bert_package();
  package.config.architecture = package.config.architecture->with_vocabularies(7, 7);
  EXPECT_FAILS(InputMaker{package}, ModelError, "pieces, the model's vocabulary 7");
}

}  // namespace
}  // namespace ventris::encoding
