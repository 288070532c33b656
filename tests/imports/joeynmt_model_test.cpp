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

}  // namespace
}  // namespace ventris::imports
