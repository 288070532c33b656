#include "training/bleu_tokenize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace ventris::training {
namespace {

using settings::BleuTokenize;
using settings::RunConfig;

class BleuTokenizeTest : public testing::Test {
 protected:
  /// What the run uses after its choice.
  BleuTokenize chosen(std::optional<BleuTokenize> begun = {}) {
    testing::internal::CaptureStderr();
    choose_bleu_tokenize(config, begun);
    said = testing::internal::GetCapturedStderr();
    return config.validation.tokenize;
  }
  data::CorpusFiles corpus(const std::string& name, const std::string& target) const {
    return {folder.file(name + ".src", "a\n"), folder.file(name + ".tgt", target + "\n")};
  }

  test::TempFolder folder;
  RunConfig config;
  std::string said;
};

TEST_F(BleuTokenizeTest, ANewRunChoosesByTheTargetSideOfTheValidationCorpus) {
  config.data.train = corpus("train", "Zwei Hunde");
  config.data.valid = corpus("valid", "二匹の犬が草の上で遊んでいる。");
  EXPECT_EQ(chosen(), BleuTokenize::kChar);
  EXPECT_THAT(said, testing::HasSubstr("tokenize char, because the target side is Japanese (validation.tokenize)"));
}

TEST_F(BleuTokenizeTest, WithoutAValidationCorpusItChoosesByTheTrainingCorpus) {
  config.data.train = corpus("train", "两只狗在草地上玩。");
  EXPECT_EQ(chosen(), BleuTokenize::kZh);
}

TEST_F(BleuTokenizeTest, OtherScriptsGet13aWithoutAWord) {
  config.data.valid = corpus("valid", "Zwei Hunde");
  EXPECT_EQ(chosen(), BleuTokenize::k13a);
  EXPECT_EQ(said, "");
}

TEST_F(BleuTokenizeTest, TheSourceSideDecidesNothing) {
  config.data.valid = {folder.file("v.tsv", "两只狗在草地上玩。\tTwo dogs\n"), ""};
  EXPECT_EQ(chosen(), BleuTokenize::k13a);
}

TEST_F(BleuTokenizeTest, AGivenOneStays) {
  config.data.valid = corpus("valid", "两只狗在草地上玩。");
  config.validation.tokenize = BleuTokenize::k13a;
  EXPECT_EQ(chosen(), BleuTokenize::k13a);
}

TEST_F(BleuTokenizeTest, AResumedRunKeepsItsOwnEvenIfTheCorpusIsAnother) {
  config.data.valid = corpus("valid", "两只狗在草地上玩。");
  EXPECT_EQ(chosen(BleuTokenize::kChar), BleuTokenize::kChar);
  config.validation.tokenize = BleuTokenize::kAuto;
  EXPECT_EQ(chosen(BleuTokenize::kAuto), BleuTokenize::kZh);
}

TEST_F(BleuTokenizeTest, NothingIsChosenWithoutAText) {
  config.data.train = {folder.path("standard-input.tsv"), ""};  // not there yet
  EXPECT_EQ(chosen(), BleuTokenize::kAuto);
  config.data.train = {};
  EXPECT_EQ(chosen(), BleuTokenize::kAuto);
}

TEST_F(BleuTokenizeTest, EachNameButAutoIsATokenizationOfBleu) {
  EXPECT_EQ(tokenization_of(BleuTokenize::k13a), metrics::Tokenization::k13a);
  EXPECT_EQ(tokenization_of(BleuTokenize::kIntl), metrics::Tokenization::kIntl);
  EXPECT_EQ(tokenization_of(BleuTokenize::kZh), metrics::Tokenization::kZh);
  EXPECT_EQ(tokenization_of(BleuTokenize::kChar), metrics::Tokenization::kChar);
  EXPECT_EQ(tokenization_of(BleuTokenize::kNone), metrics::Tokenization::kNone);
  EXPECT_FALSE(tokenization_of(BleuTokenize::kAuto));
}

}  // namespace
}  // namespace ventris::training
