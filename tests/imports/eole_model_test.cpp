#include "imports/eole_model.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "architecture/transformer_options.h"
#include "core/error.h"
#include "files/files.h"
#include "imports/toolkit_checks.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

/// A model of make_eole_expected.py, and what Eole computes with it.
class EoleModel : public testing::TestWithParam<std::string> {
 protected:
  Imported imported_ = from_eole(toolkit_data(GetParam()), {});
};

TEST_P(EoleModel, ComputesWhatEoleComputes) {
  ASSERT_TRUE(is_eole(toolkit_data(GetParam())));
  check_tokens(imported_, GetParam());
  check_states(imported_, GetParam());
  check_log_probs(imported_, GetParam());
}

TEST_P(EoleModel, SearchesWriteTheTokensOfEole) { check_searches(imported_, GetParam()); }
TEST_P(EoleModel, TheBundleCanBeWrittenAndOpened) { check_bundle(imported_); }

INSTANTIATE_TEST_SUITE_P(Models, EoleModel, testing::Values("eole_plain", "eole_rotary", "eole_learned"));

}  // namespace
}  // namespace ventris::imports
