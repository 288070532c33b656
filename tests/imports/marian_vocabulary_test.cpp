#include "imports/marian_vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "imports/import_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

const std::string kFilesForVocabularies = VENTRIS_SOURCE "/tests/imports/data/marian/";

class MarianVocabularyFilesTest : public testing::Test {
 protected:
  ImportOptions options(std::vector<std::string> vocabularies) const {
    ImportOptions options{kFilesForVocabularies + "post.npz"};
    options.vocabularies = std::move(vocabularies);
    return options;
  }
  std::string file(const std::string& text) const { return folder.file("v.yml", text); }

  test::TempFolder folder;
};

TEST_F(MarianVocabularyFilesTest, TheVocabulariesMustFitTheModel) {
  EXPECT_EQ(import_model(options({kFilesForVocabularies + "both.yml"})).what.substr(0, 23), "a Transformer of Marian");
  EXPECT_FAILS(import_model(options({})), ConfigError, "--tokenizer: a model of Marian has no tokenizer; give the");
  EXPECT_FAILS(import_model(options({file("a\n")})), ModelError, "v.yml: line 1: expected TOKEN: ROW");
  EXPECT_FAILS(import_model(options({file("\"a: 1\n")})), ModelError, "v.yml: line 1: expected TOKEN: ROW");
  EXPECT_FAILS(import_model(options({file("a: 0\nb: 0\n")})), ModelError,
               "v.yml: line 2: expected a row of its own from 0 to 25, found 0");
  EXPECT_FAILS(import_model(options({file("a: 26\n")})), ModelError, "line 1: expected a row of its own from 0 to 25");
  EXPECT_FAILS(import_model(options({file("</s>: 0\n")})), ModelError, "v.yml: has no token <unk>");
  EXPECT_FAILS(import_model(options({file("<unk>: 0\n")})), ModelError, "v.yml: has no token </s>");
  EXPECT_FAILS(import_model(options({file("<unk>: 0\n</s>: 1\n\u2581"
                                          "a: 2\n")})),
               ConfigError, "v.yml has pieces of SentencePiece; give the model of SentencePiece");
  ImportOptions pieces{kFilesForVocabularies + "post.npz", kFilesForVocabularies + "both.spm"};
  EXPECT_FAILS(import_model(pieces), ModelError, "both.spm: expected 26 pieces, one for each row of the embeddings");
  ImportOptions one_of_two{kFilesForVocabularies + "pre.npz"};
  one_of_two.vocabularies = {kFilesForVocabularies + "source.yml"};
  EXPECT_FAILS(import_model(one_of_two), ModelError,
               "source.yml: is the only vocabulary, but the model has 14 tokens of the source and 16 of the target");
}

TEST_F(MarianVocabularyFilesTest, AListWithSentencePieceHasTheRowsOfTheList) {
  const std::string list = file("</s>: 0\n<unk>: 1\n\u2581ka: 5\n");
  ImportOptions both{kFilesForVocabularies + "post.npz", kFilesForVocabularies + "both.spm"};
  both.vocabularies = {list};
  const Imported imported = import_model(both);
  EXPECT_THAT(imported.notes, testing::Contains(testing::HasSubstr("have no row in the model, and are treated as")));
}

TEST(MarianYml, TokensHaveTheRowAfterTheLastColon) {
  const auto tokens = [](const std::string& yaml, int64_t rows) { return parse_marian_yml(yaml, rows, "v.yml"); };
  EXPECT_EQ(tokens("---\n</s>: 0\r\n\"a: b\": 2\n'it''s': 1\n\n", 4),
            (std::vector<std::string>{"</s>", "it's", "a: b", ""}));
  EXPECT_EQ(tokens("\"\\xff\": 0", 1), (std::vector<std::string>{"\u00ff"}));
  EXPECT_EQ(tokens("\xff: 0", 1), (std::vector<std::string>{""})) << "no UTF-8";
  EXPECT_FAILS(tokens("a: -1\n", 4), ModelError, "v.yml: line 1: expected TOKEN: ROW");
  EXPECT_FAILS(tokens("a: 0\nb: 1x\n", 4), ModelError, "v.yml: line 2: expected TOKEN: ROW");
  EXPECT_FAILS(tokens("---\na: 4\n", 4), ModelError, "v.yml: line 2: expected a row of its own from 0 to 3, found 4");
}

}  // namespace
}  // namespace ventris::imports
