#include "imports/opennmt_model.h"

#include <gtest/gtest.h>

#include "architecture/transformer_options.h"
#include "core/error.h"
#include "files/files.h"
#include "imports/toolkit_checks.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

std::vector<std::string> opennmt_spm(const std::string& name) {
  return name == "opennmt_words" ? std::vector<std::string>() : std::vector<std::string>{toolkit_data("opennmt.spm")};
}
Imported opennmt(const std::string& name) { return from_opennmt(toolkit_data(name) + "/model.pt", opennmt_spm(name)); }

/// A model of make_opennmt_expected.py, and what OpenNMT-py computes with it.
class OpennmtModel : public testing::TestWithParam<std::string> {
 protected:
  Imported imported_ = opennmt(GetParam());
};

TEST_P(OpennmtModel, ComputesWhatOpenNmtComputes) {
  ASSERT_TRUE(is_opennmt(toolkit_data(GetParam()) + "/model.pt"));
  check_tokens(imported_, GetParam());
  check_states(imported_, GetParam());
  check_log_probs(imported_, GetParam());
}

TEST_P(OpennmtModel, SearchesWriteTheTokensOfOpenNmt) { check_searches(imported_, GetParam()); }
TEST_P(OpennmtModel, TheBundleCanBeWrittenAndOpened) { check_bundle(imported_); }

INSTANTIATE_TEST_SUITE_P(Models, OpennmtModel,
                         testing::Values("opennmt_words", "opennmt_concat", "opennmt_rotary", "opennmt_interleaved",
                                         "opennmt_buckets"));

TEST(FromOpenNmt, ACheckpointOfVersion2IsTheSameModel) {
  const Imported older = from_opennmt(toolkit_data("opennmt_old.pt"), {}), newer = opennmt("opennmt_words");
  EXPECT_TRUE(older.weights == newer.weights);
  EXPECT_EQ(older.package.source_spm, newer.package.source_spm);
}

}  // namespace
}  // namespace ventris::imports
