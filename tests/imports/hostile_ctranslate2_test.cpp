#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "files/files.h"
#include "imports/argos_package.h"
#include "imports/ctranslate2_model.h"
#include "imports/damage.h"
#include "support/temp_folder.h"

/// Damaged models of CTranslate2 and packages of Argos Translate.
namespace ventris::imports {
namespace {

const std::string kHostileData = VENTRIS_SOURCE "/tests/imports/data/";

class HostileCTranslate2Folder : public testing::TestWithParam<std::string> {};

TEST_P(HostileCTranslate2Folder, IsRefusedOrImported) {
  check_damaged_folders(kHostileData + GetParam(),
                        [](const std::string& folder) { from_ctranslate2_folder(folder, {}); });
}

INSTANTIATE_TEST_SUITE_P(Models, HostileCTranslate2Folder,
                         testing::Values("ctranslate2_letters", "ctranslate2_shared", "ctranslate2_rms"));

TEST(HostileArgosPackage, IsRefusedOrImported) {
  const test::TempFolder folder;
  folder.file("en_de.argosmodel", files::read_file(kHostileData + "en_de.argosmodel"));
  check_damaged_folders(folder.path(), [](const std::string& copy) { from_argos_package(copy + "/en_de.argosmodel"); });
}

}  // namespace
}  // namespace ventris::imports
