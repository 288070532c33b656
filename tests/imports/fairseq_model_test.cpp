#include "imports/fairseq_model.h"

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

Imported fairseq(const std::string& name) {
  const std::vector<std::string> spm{toolkit_data("fairseq.spm")};
  return from_fairseq(toolkit_data(name) + "/model.pt", {name == "fairseq_pre" ? spm : std::vector<std::string>(), {}});
}

/// A model of make_fairseq_expected.py, and what fairseq computes with it.
class FairseqModel : public testing::TestWithParam<std::string> {
 protected:
  Imported imported_ = fairseq(GetParam());
};

TEST_P(FairseqModel, ComputesWhatFairseqComputes) {
  ASSERT_TRUE(is_fairseq(toolkit_data(GetParam()) + "/model.pt"));
  check_tokens(imported_, GetParam());
  check_states(imported_, GetParam());
  check_log_probs(imported_, GetParam());
}

TEST_P(FairseqModel, SearchesWriteTheTokensOfFairseq) { check_searches(imported_, GetParam()); }
TEST_P(FairseqModel, TheBundleCanBeWrittenAndOpened) { check_bundle(imported_); }

INSTANTIATE_TEST_SUITE_P(Models, FairseqModel, testing::Values("fairseq_post", "fairseq_pre"));

TEST(FromFairseq, OldNamesAreThoseOfTheSameModel) {
  const std::string dictionary = toolkit_data("fairseq_post/dict.");
  const Imported older =
      from_fairseq(toolkit_data("fairseq_old.pt"), {{}, {dictionary + "en.txt", dictionary + "de.txt"}});
  EXPECT_TRUE(older.weights == fairseq("fairseq_post").weights);
}

}  // namespace
}  // namespace ventris::imports
