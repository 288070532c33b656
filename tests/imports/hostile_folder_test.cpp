#include <gtest/gtest.h>

#include <filesystem>

#include "imports/damage.h"
#include "imports/huggingface_marian.h"
#include "imports/huggingface_multilingual.h"
#include "imports/huggingface_t5.h"
#include "imports/pytorch_model.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

class HostileMarianFolder : public testing::TestWithParam<std::string> {};

TEST_P(HostileMarianFolder, IsRefusedOrImported) {
  check_damaged_folders(VENTRIS_SOURCE "/tests/imports/data/" + GetParam(),
                        [](const std::string& folder) { EXPECT_FALSE(from_marian_folder(folder).weights.empty()); });
}

INSTANTIATE_TEST_SUITE_P(Models, HostileMarianFolder, testing::Values("marian_shared", "marian_separate"));

class HostileMultilingualFolder : public testing::TestWithParam<std::string> {};

TEST_P(HostileMultilingualFolder, IsRefusedOrImported) {
  check_damaged_folders(VENTRIS_SOURCE "/tests/imports/data/" + GetParam(), [](const std::string& folder) {
    EXPECT_FALSE(from_multilingual_folder(folder).weights.empty());
  });
}

INSTANTIATE_TEST_SUITE_P(Models, HostileMultilingualFolder, testing::Values("m2m100", "nllb", "mbart50"));

class HostileT5Folder : public testing::TestWithParam<std::string> {};

TEST_P(HostileT5Folder, IsRefusedOrImported) {
  check_damaged_folders(VENTRIS_SOURCE "/tests/imports/data/" + GetParam(),
                        [](const std::string& folder) { EXPECT_FALSE(from_t5_folder(folder).weights.empty()); });
}

INSTANTIATE_TEST_SUITE_P(Models, HostileT5Folder, testing::Values("t5_small", "t5_gated", "mt5", "madlad"));

class HostileStateDict : public testing::TestWithParam<std::string> {};

TEST_P(HostileStateDict, IsRefusedOrImported) {
  const test::TempFolder folder;
  const std::string data = VENTRIS_SOURCE "/tests/imports/data/pytorch", whole = folder.path("whole");
  std::filesystem::create_directory(whole);
  std::filesystem::copy(data + GetParam(), whole + "/model");
  std::filesystem::copy(data + ".spm", whole + "/text.spm");
  check_damaged_folders(whole, [](const std::string& damaged) {
    EXPECT_FALSE(from_pytorch_model(damaged + "/model", {{damaged + "/text.spm"}, 4}).weights.empty());
  });
}

INSTANTIATE_TEST_SUITE_P(Codes, HostileStateDict, testing::Values("_tutorial.safetensors", "_shared.pt"));

}  // namespace
}  // namespace ventris::imports
