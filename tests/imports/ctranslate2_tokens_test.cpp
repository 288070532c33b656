#include "imports/ctranslate2_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "imports/ctranslate2_writer.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

TEST(OldSpecialTokens, AreVariables) {
  const auto tokens = [](const CTranslate2Writer& writer) {
    return special_tokens({core::SharedBytes(writer.finish()), "model.bin"}, std::nullopt);
  };
  const auto old = [] { return CTranslate2Writer(5); };
  EXPECT_EQ(tokens(old()).start, "<s>");
  EXPECT_FALSE(tokens(old()).source_eos);
  EXPECT_TRUE(tokens(old().flag("with_source_eos", 1)).source_eos);
  EXPECT_EQ(tokens(old().flag("with_target_bos", 0)).start, "</s>");
  EXPECT_EQ(tokens(old().add("bos_token", {5}, kI8, "<bos>")).start, "<bos>");
  EXPECT_FAILS(tokens(old().flag("with_source_bos", 1)), ModelError,
               "model.bin: variable with_source_bos: expected false, found true");
  EXPECT_FAILS(tokens(old().flag("user_decoder_start_tokens", 1)), ModelError,
               "model.bin: variable user_decoder_start_tokens: the first token of a translation is given");
}

using testing::ElementsAre;

TEST(SpecialTokensOfConfig, AreUsedFromFileVersion6) {
  const auto tokens = [](uint32_t version, const std::string& config) {
    return special_tokens({core::SharedBytes(CTranslate2Writer(version).finish()), "model.bin"},
                          ConfigFile(config, "config.json"));
  };
  const std::string renamed = R"({"eos_token": "<end>", "decoder_start_token": "<s>"})";
  EXPECT_EQ(tokens(6, renamed).eos, "<end>");
  EXPECT_EQ(tokens(5, renamed).eos, "</s>");
  EXPECT_FAILS(tokens(6, R"({"decoder_start_token": null})"), ModelError,
               "config.json: decoder_start_token: the first token of a translation");
  EXPECT_FAILS(tokens(6, "{}"), ModelError, "config.json: decoder_start_token: the first token of a translation");
  EXPECT_FAILS(tokens(6, R"({"decoder_start_token": "<s>", "add_source_bos": true})"), ModelError,
               "config.json: add_source_bos: expected false, found true");
}

TEST(SpecialTokensOfConfig, AnotherStartThanBosMeansThatTransformersEndsTheSource) {
  const auto tokens = [](const std::string& config) {
    return special_tokens({core::SharedBytes(CTranslate2Writer().finish()), "model.bin"}, ConfigFile(config, "c"));
  };
  const SpecialTokens plain = tokens(R"({"decoder_start_token": "<s>"})"),
                      asked = tokens(R"({"decoder_start_token": "</s>", "add_source_eos": true})"),
                      guessed = tokens(R"({"decoder_start_token": "</s>"})");
  EXPECT_FALSE(plain.source_eos);
  EXPECT_TRUE(asked.source_eos);
  EXPECT_FALSE(asked.eos_of_caller);
  EXPECT_TRUE(guessed.source_eos);
  EXPECT_TRUE(guessed.eos_of_caller);
}

TEST(TokensOfCTranslate2, CarriageReturnsGoOnlyIfAllLinesHaveThem) {
  const test::TempFolder folder;
  const auto tokens = [&](const std::string& lines) {
    folder.file("source_vocabulary.txt", lines);
    return read_tokens_of(*files_of_folder(folder.path()), "source", {});
  };
  EXPECT_THAT(tokens("<unk>\r\na\r\nb\r"), ElementsAre("<unk>", "a", "b"));
  EXPECT_THAT(tokens("<unk>\r\na\nb"), ElementsAre("<unk>\r", "a", "b", "<unk>"));
  EXPECT_THAT(tokens("<unk>\n\na\n"), ElementsAre("<unk>", "", "a")) << "an empty line is a row, too";
  EXPECT_THAT(tokens("a\nb\n"), ElementsAre("a", "b", "<unk>")) << "unk comes last if it is not there";
  folder.file("source_vocabulary.json", R"(["<unk>", "c"])");
  EXPECT_THAT(tokens("a\n"), ElementsAre("<unk>", "c")) << "JSON comes first";
}

TEST(SpacedPieces, HaveTheSignOfASpaceInFrontUnlessTheyAreSpecial) {
  EXPECT_THAT(spaced_pieces({"<unk>", "<s>", "</s>", "<blank>", "<pad>", "", "a", "b@@"}, {}),
              ElementsAre("<unk>", "<s>", "</s>", "<blank>", "<pad>", "",
                          "\u2581"
                          "a",
                          "\u2581"
                          "b@@"));
  EXPECT_FALSE(are_pieces({"a", "b"}));
  EXPECT_TRUE(are_pieces({"a", "b\u2581"}));
}

TEST(VocabularyOfCTranslate2, SpecialTokensGetOurIdsAndBlankIsPaddingBeforePad) {
  const NewVocabulary found = vocabulary_of({"<pad>", "a", "</s>", "<s>", "<unk>", "<blank>"}, {}, false, {}, "list");
  EXPECT_THAT(found.rows, ElementsAre(5, 4, 3, 2, 0, 1)) << "<blank>, <unk>, <s>, </s>, <pad>, a";
  EXPECT_EQ(vocabulary_of({"</s>", "<s>", "<unk>"}, {}, true, {}, "list").rows[2], kZeroRow)
      << "a decoder that starts from zeros has no row of bos";
  EXPECT_FAILS(vocabulary_of({"<unk>"}, {}, false, {}, "list"), ModelError,
               "list: has no token '</s>', the end of a sentence");
}

TEST(LanguagesOfCTranslate2, AreTokensOfBothSidesWithOneOfThreePatterns) {
  const auto side = [](std::vector<std::string> texts) {
    NewVocabulary vocabulary;
    vocabulary.own_rows = static_cast<int64_t>(texts.size());
    vocabulary.texts = std::move(texts);
    return vocabulary;
  };
  const NewVocabulary both = side({"deu_Latn", "eng_Latn", "Deu_Latn", "de_DE", "a"});
  const model::LanguageMap languages = languages_of(both, both);
  ASSERT_EQ(languages.size(), 2U) << "the pattern of most of them";
  EXPECT_EQ(languages.at("deu_Latn").target_prefix, std::vector<std::string>{"deu_Latn"});
  EXPECT_TRUE(languages_of(both, side({"deu_Latn", "a"})).empty()) << "one is no choice";
  EXPECT_TRUE(languages_of(side({"a"}), both).empty());
  const NewVocabulary short_ones = side({"__de__", "__ceb__", "__DE__", "_de_"});
  EXPECT_THAT(languages_of(short_ones, short_ones),
              testing::UnorderedElementsAre(testing::Key("de"), testing::Key("ceb")));
  NewVocabulary foreign = both;
  foreign.own_rows = 1;
  EXPECT_TRUE(languages_of(foreign, both).empty()) << "pieces without a row are no tokens of the model";
  EXPECT_TRUE(languages_of(both, foreign).empty());
}

}  // namespace
}  // namespace ventris::imports
