#include <gtest/gtest.h>

#include "imports/damage.h"
#include "imports/huggingface_marian.h"

namespace ventris::imports {
namespace {

class HostileMarianFolder : public testing::TestWithParam<std::string> {};

TEST_P(HostileMarianFolder, IsRefusedOrImported) {
  check_damaged_folders(VENTRIS_SOURCE "/tests/imports/data/" + GetParam(),
                        [](const std::string& folder) { EXPECT_FALSE(from_marian_folder(folder).weights.empty()); });
}

INSTANTIATE_TEST_SUITE_P(Models, HostileMarianFolder, testing::Values("marian_shared", "marian_separate"));

}  // namespace
}  // namespace ventris::imports
