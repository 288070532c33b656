#include "doctor/doctor_corpora.h"

#include <gtest/gtest.h>

#include "support/toy_run.h"

namespace ventris::doctor {
namespace {

class DoctorCorporaTest : public testing::Test {
 protected:
  const test::TempFolder folder;
  settings::RunConfig config = test::toy_config(test::write_toy_corpus(folder, "train", 300, 1));
  const preparation::Tokenizers tokenizers = preparation::prepare_tokenizers(config, {});
};

TEST_F(DoctorCorporaTest, EveryPairIsCountedAndASmallCorpusIsItsOwnSample) {
  const CorporaLook look = look_at_corpora(config, tokenizers);
  EXPECT_EQ(look.summary.pairs(), 300U);
  EXPECT_EQ(look.sample.size(), 300U);
  EXPECT_EQ(look.sample.summary().checksum(), look.summary.checksum());
  EXPECT_EQ(look.counts.at(0).kept, 300);
  EXPECT_EQ(look.source.tokens, look.summary.source_tokens);
  EXPECT_EQ(look.source.unknown, 0);
  EXPECT_EQ(look.source.pieces, tokenizers.source.size());
  EXPECT_GE(look.source.rare, 4);  // the special ones
  EXPECT_EQ(look.valid_pairs, 0);
}

TEST_F(DoctorCorporaTest, EachCorpusCountsByItsShareOfAnEpoch) {
  const auto whole = look_at_corpora(config, tokenizers).summary;
  const double length = static_cast<double>(whole.target_tokens) / 300 + 1;
  const auto short_length = static_cast<double>(tokenizers.target.encode("red").size() + 1);
  std::string lines;
  for (int i = 0; i < 20; ++i) lines += "red\n";
  settings::CorpusConfig large, small;
  large.spec.files = config.data.train;
  small.spec.files = {folder.file("short.src", lines), folder.file("short.tgt", lines)};
  large.weight = 1;
  small.weight = 3;
  config.data.train = {};
  config.data.corpora = {large, small};
  const CorporaLook look = look_at_corpora(config, tokenizers);
  EXPECT_EQ(look.summary.pairs(), 320U);
  EXPECT_EQ(look.sample.summary().parts.at(0).pairs, 80U);
  EXPECT_EQ(look.sample.summary().parts.at(1).pairs, 240U) << "each of the 20 a dozen times";
  EXPECT_NEAR(look.epoch_target_tokens, 80 * length + 240 * short_length, 1e-6);
}

TEST_F(DoctorCorporaTest, ValidationLinesThatTrainingHasTooAreFound) {
  const std::string source = test::file_bytes(config.data.train.source),
                    target = test::file_bytes(config.data.train.target);
  const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n') + 1); };
  config.data.valid = {
      folder.file("valid.src", first_line(source) + "sings sings sings sings sings sings sings\n" + first_line(source)),
      folder.file("valid.tgt", first_line(target) + "red\nred red red red red red red red\n")};
  const CorporaLook look = look_at_corpora(config, tokenizers);
  EXPECT_EQ(look.valid_pairs, 3);
  EXPECT_EQ(look.valid_sources_seen, 2);
  EXPECT_EQ(look.valid_pairs_seen, 1);
}

TEST_F(DoctorCorporaTest, ThePairsOfASampleHaveNoMorePairsBeforeThemThanTheSampleHas) {
  settings::CorpusConfig large, small;
  large.spec.files = small.spec.files = config.data.train;
  large.weight = 1;
  small.weight = 9;
  config.data.train = {};
  config.data.corpora = {small, large};
  config.data.context.sentences = 5;
  const CorporaLook look = look_at_corpora(config, tokenizers);
  const auto& parts = look.sample.summary().parts;
  ASSERT_EQ(parts.size(), 2U);
  for (size_t i = 0, number = 0; i < 2; ++i) {
    for (size_t k = 0; k < parts[i].pairs; ++k, ++number) EXPECT_LE(look.sample.pair(number).preceding, k);
  }
  EXPECT_GT(look.sample.summary().preceding, 0);
}

}  // namespace
}  // namespace ventris::doctor
