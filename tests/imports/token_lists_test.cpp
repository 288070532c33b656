#include "imports/token_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "files/files.h"
#include "imports/toolkit_checks.h"
#include "support/errors.h"
#include "text/tokenizer.h"

namespace ventris::imports {
namespace {

using Ids = std::vector<int32_t>;

TokenList list_of(std::vector<std::string> texts) {
  TokenList list{{std::move(texts)}, "vocabulary"};
  list.tokens.unk = 0;
  list.tokens.pad = 1;
  list.tokens.start = 2;
  list.tokens.eos = 3;
  return list;
}

/// What take_token_lists() makes.
struct Taken {
  Sides sides;
  model::Package package;
  std::vector<std::string> notes;
};

Taken taken(const TokenList& source, const TokenList& target, const std::vector<std::string>& tokenizers = {},
            MissingPieces missing = MissingPieces::kUnknown) {
  Taken all;
  take_token_lists(source, target, tokenizers, missing, all.sides, all.package, all.notes);
  return all;
}

TEST(TokenLists, WithoutATokenizerATextIsTokensBetweenSpaces) {
  const TokenList list = list_of({"<unk>", "<pad>", "<s>", "</s>", "new@@", "er", "<s>x", "a"});
  const Taken all = taken(list, list);
  const text::Tokenizer tokenizer(all.package.source_spm, "source");
  EXPECT_EQ(tokenizer.encode("new@@ er  b <s>x </s>"), (Ids{4, 5, 1, 6, 1}));
  EXPECT_EQ(tokenizer.decode(Ids{4, 5, 7}), "new@@ er a");
  EXPECT_EQ(tokenizer.kind(), text::TokenizerKind::kPieces);
  EXPECT_TRUE(all.sides.have_common_ids());
  ASSERT_EQ(all.notes.size(), 1U);
}

TEST(TokenLists, PiecesNeedTheirTokenizer) {
  const TokenList words = list_of({"<unk>", "<pad>", "<s>", "</s>", "a"}),
                  pieces = list_of({"<unk>", "<pad>", "<s>", "</s>", "\u2581a"});
  EXPECT_FAILS(taken(words, pieces), ConfigError, "--tokenizer: vocabulary has pieces of SentencePiece");
  EXPECT_FAILS(taken(words, words, {toolkit_data("joeynmt_pre/config.yaml")}), ModelError, "config.yaml");
  EXPECT_FAILS(taken(words, words, {"/no/such/file"}), DataError, "/no/such/file");
}

TEST(TokenLists, PiecesOutsideTheVocabularyAreUnknownOrDivided) {
  const std::string spm = toolkit_data("fairseq.spm");
  const text::Tokenizer whole = text::Tokenizer(
      taken(list_of({"<unk>", "<pad>", "<s>", "</s>"}), list_of({"<unk>", "<pad>", "<s>", "</s>"}), {spm})
          .package.source_spm,
      "all");
  EXPECT_THAT(whole.encode("the"), testing::Each(1)) << "no piece has a row";
  std::vector<std::string> letters{"<unk>", "<pad>", "<s>", "</s>", "\u2581", "t", "h", "e"};
  const Taken divided = taken(list_of(letters), list_of(letters), {spm}, MissingPieces::kDivided);
  EXPECT_EQ(text::Tokenizer(divided.package.source_spm, "letters").encode("the"), (Ids{4, 5, 6, 7}));
  EXPECT_TRUE(divided.notes.empty());
}

TEST(TokenLists, TheTokensMustBeThoseOfTheTable) {
  const auto tensors = open_safetensors(toolkit_data("eole_plain/model.00.safetensors"));
  EXPECT_FAILS(check_row_count(list_of({"a", "b"}), *tensors, "src_emb.embeddings.weight"), ModelError,
               "vocabulary: expected ");
  EXPECT_FAILS(check_row_count(list_of({"a"}), *tensors, "encoder.layer_norm.weight"), ModelError,
               "tensor 'encoder.layer_norm.weight': expected a matrix, found shape [16]");
  EXPECT_FAILS(row_of_token({"a", "b"}, "c", "padding", "list"), ModelError, "list: has no token 'c', the padding");
  EXPECT_EQ(row_of_token({"a", "b"}, "b", "padding", "list"), 1);
}

}  // namespace
}  // namespace ventris::imports
