#include "imports/joeynmt_model.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "architecture/transformer_options.h"
#include "core/error.h"
#include "files/files.h"
#include "imports/toolkit_checks.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

namespace fs = std::filesystem;

/// A model of make_joeynmt_expected.py, and what JoeyNMT computes with it.
class JoeyModel : public testing::TestWithParam<std::string> {
 protected:
  Imported imported_ = from_joeynmt(toolkit_data(GetParam()), {});
};

TEST_P(JoeyModel, ComputesWhatJoeyNmtComputes) {
  ASSERT_TRUE(is_joeynmt(toolkit_data(GetParam())));
  ASSERT_TRUE(is_joeynmt(toolkit_data(GetParam()) + "/best.ckpt"));
  check_tokens(imported_, GetParam());
  check_states(imported_, GetParam());
  check_log_probs(imported_, GetParam());
}

TEST_P(JoeyModel, SearchesWriteTheTokensOfJoeyNmt) { check_searches(imported_, GetParam()); }
TEST_P(JoeyModel, TheBundleCanBeWrittenAndOpened) { check_bundle(imported_); }

INSTANTIATE_TEST_SUITE_P(Models, JoeyModel, testing::Values("joeynmt_pre", "joeynmt_post"));

TEST(FromJoeyNmt, SettingsAreThoseOfTheConfig) {
  const Imported pre = from_joeynmt(toolkit_data("joeynmt_pre"), {}),
                 post = from_joeynmt(toolkit_data("joeynmt_post") + "/best.ckpt", {});
  EXPECT_EQ(pre.what, "a Transformer of JoeyNMT");
  EXPECT_EQ(transformer_in(pre).norm, architecture::NormPlace::kPre);
  EXPECT_EQ(transformer_in(pre).tying, architecture::Tying::kAll);
  EXPECT_EQ(transformer_in(pre).heads, 4);
  EXPECT_EQ(transformer_in(pre).d_ff, 24) << "that of the decoder, 20, is filled up";
  EXPECT_EQ(transformer_in(pre).dropout, 0.2);
  EXPECT_EQ(transformer_in(pre).max_positions, 64);
  EXPECT_EQ(pre.package.config.decoding.beam_size, 4);
  EXPECT_TRUE(pre.package.config.tokenizer.shared);
  EXPECT_EQ(transformer_in(post).norm, architecture::NormPlace::kPost);
  EXPECT_FALSE(transformer_in(post).final_norm);
  EXPECT_EQ(transformer_in(post).activation, architecture::Activation::kGelu);
  EXPECT_EQ(transformer_in(post).tying, architecture::Tying::kNone);
  ASSERT_EQ(post.notes.size(), 2U);
  EXPECT_NE(post.notes[0].find("JoeyNMT changes texts of the side 'src'"), std::string::npos) << post.notes[0];
  EXPECT_NE(post.notes[1].find("a text must be tokens separated by spaces"), std::string::npos) << post.notes[1];
}

/// A copy of a folder that a test changes.
class ChangedJoeyFolder : public testing::Test {
 protected:
  ChangedJoeyFolder() {
    fs::copy(toolkit_data("joeynmt_pre"), path_);
    for (const auto& entry : fs::directory_iterator(path_)) fs::permissions(entry, fs::perms::owner_all);
  }
  std::string config() const { return files::read_file(path_ + "/config.yaml"); }
  /// Replaces the first (or last) place of a text in the settings.
  void expect_refused(const std::string& old_text, const std::string& new_text, const std::string& part,
                      bool last = false) const {
    const std::string before = config();
    std::string changed = before;
    const size_t at = last ? changed.rfind(old_text) : changed.find(old_text);
    ASSERT_NE(at, std::string::npos) << old_text;
    files::write_file(path_ + "/config.yaml", changed.replace(at, old_text.size(), new_text));
    EXPECT_FAILS(from_joeynmt(path_, {}), ModelError, "config.yaml: " + part);
    files::write_file(path_ + "/config.yaml", before);
  }

  test::TempFolder folder_;
  const std::string path_ = folder_.path("joey");
};

TEST_F(ChangedJoeyFolder, OtherSettingsAreRefusedByTheirNames) {
  expect_refused("type: transformer", "type: recurrent", "model.encoder.type: expected 'transformer' (other models");
  expect_refused("type: transformer, ", "", "model.encoder.type: expected 'transformer', found none");
  expect_refused("type: transformer", "type: recurrent", "model.decoder.type: expected 'transformer'", true);
  expect_refused("num_heads: 4", "num_heads: 3", "model.decoder.num_heads: expected a number of heads of which", true);
  expect_refused("num_heads: 4", "num_heads: 0", "model.encoder.num_heads: expected a whole number of at least 1");
  expect_refused("activation: relu", "activation: tanh", "model.encoder.activation: expected one of relu, gelu, swish");
  expect_refused("activation: relu", "activation: gelu", "model.decoder.activation: expected the same as in", true);
  expect_refused("layer_norm: pre", "layer_norm: post", "model.decoder.layer_norm: expected 'pre' as in the encoder",
                 true);
  expect_refused("layer_norm: pre", "layer_norm: both",
                 "model.encoder.layer_norm: expected 'pre' or 'post', found \"both\"");
  expect_refused("dropout: 0.2", "alpha: 1.2", "model.encoder.alpha: expected 1 with norms before blocks, found 1.2");
  expect_refused("level: \"bpe\"", "level: char", "data.src.level: expected 'bpe' or 'word', found \"char\"");
  expect_refused("model:\n", "model: 3\nother:\n", "model: expected settings with names, found 3");
}

TEST_F(ChangedJoeyFolder, WithoutTheirPlaceNormsAreBeforeBlocksIfThereIsALastOne) {
  const std::string expected = from_joeynmt(path_, {}).weights;
  std::string config = this->config();
  for (size_t at = 0; (at = config.find("layer_norm: pre,")) != std::string::npos;) config.erase(at, 16);
  files::write_file(path_ + "/config.yaml", config);
  EXPECT_TRUE(from_joeynmt(path_, {}).weights == expected);
  fs::remove_all(path_);
  fs::copy(toolkit_data("joeynmt_post"), path_);
  fs::permissions(path_ + "/config.yaml", fs::perms::owner_all);
  expect_refused("layer_norm: post,", "", "model.encoder.layer_norm: expected 'pre' or 'post', found none");
}

TEST_F(ChangedJoeyFolder, FilesThatAreMissingOrDoNotFitAreNamed) {
  files::write_file(path_ + "/src_vocab.txt", "a\nb\n");
  EXPECT_FAILS(from_joeynmt(path_, {}), ModelError, "src_vocab.txt: expected ");
  EXPECT_FAILS(from_joeynmt(path_, {}), ModelError, " tokens, one for each row of 'src_embed.lut.weight' in ");
  fs::remove(path_ + "/src_vocab.txt");
  EXPECT_FAILS(from_joeynmt(path_, {}), ConfigError, "--vocabulary: ");
  const std::string other = path_ + "/trg_vocab.txt";
  EXPECT_EQ(from_joeynmt(path_, {{}, {other}}).package.source_spm,
            from_joeynmt(toolkit_data("joeynmt_pre"), {}).package.source_spm);
  fs::remove(path_ + "/both.model");
  EXPECT_FAILS(from_joeynmt(path_, {{}, {other}}), ConfigError, "has pieces of SentencePiece; give the model");
  fs::copy(path_ + "/best.ckpt", path_ + "/2.ckpt");
  fs::rename(path_ + "/best.ckpt", path_ + "/1.ckpt");
  EXPECT_FAILS(from_joeynmt(path_, {}), ModelError,
               "expected best.ckpt, latest.ckpt or one other .ckpt, found none or several");
  EXPECT_FALSE(is_joeynmt(path_));
  fs::remove(path_ + "/config.yaml");
  EXPECT_FAILS(from_joeynmt(path_ + "/1.ckpt", {}), ModelError,
               "config.yaml: does not exist; a checkpoint of JoeyNMT needs");
}

TEST(FromJoeyNmt, AnotherCheckpointIsRefused) {
  const test::TempFolder folder;
  fs::copy(toolkit_data("joeynmt_pre/config.yaml"), folder.path("config.yaml"));
  fs::copy(toolkit_data("opennmt_words/model.pt"), folder.path("best.ckpt"));
  EXPECT_FAILS(from_joeynmt(folder.path(), {}), ModelError,
               "expected a checkpoint of JoeyNMT with model_state, found none");
}

}  // namespace
}  // namespace ventris::imports
