#include <gtest/gtest.h>

#include <filesystem>

#include "imports/damage.h"
#include "imports/eole_model.h"
#include "imports/fairseq_model.h"
#include "imports/joeynmt_model.h"
#include "imports/opennmt_model.h"
#include "imports/toolkit_checks.h"
#include "support/temp_folder.h"

/// Damaged models of JoeyNMT, OpenNMT-py, Eole and fairseq, with their vocabularies and tokenizers.
namespace ventris::imports {
namespace {

constexpr uint32_t kMutants = 100, kPickleMutants = 60;

TEST(HostileJoeyFolder, IsRefusedOrImported) {
  for (const char* name : {"joeynmt_pre", "joeynmt_post"}) {
    check_damaged_folders(
        toolkit_data(name), [](const std::string& folder) { EXPECT_FALSE(from_joeynmt(folder, {}).weights.empty()); },
        kMutants);
  }
}

TEST(HostileEoleFolder, IsRefusedOrImported) {
  for (const char* name : {"eole_plain", "eole_rotary"}) {
    check_damaged_folders(
        toolkit_data(name), [](const std::string& folder) { EXPECT_FALSE(from_eole(folder, {}).weights.empty()); },
        kMutants);
  }
}

TEST(HostileFairseqCheckpoint, IsRefusedOrImported) {
  check_damaged_folders(
      toolkit_data("fairseq_post"),
      [](const std::string& folder) {
        const ToolkitFiles files{{}, {folder + "/dict.en.txt", folder + "/dict.de.txt"}};
        EXPECT_FALSE(from_fairseq(folder + "/model.pt", files).weights.empty());
      },
      kMutants);
}

TEST(HostileOpennmtCheckpoint, IsRefusedOrImported) {
  for (const std::string name : {"opennmt_buckets/model.pt", "opennmt_old.pt"}) {
    const test::TempFolder folder;
    std::filesystem::copy(toolkit_data(name), folder.path("model.pt"));
    std::filesystem::copy(toolkit_data("opennmt.spm"), folder.path("text.spm"));
    check_damaged_folders(
        folder.path(),
        [&](const std::string& copy) {
          const bool words = name == "opennmt_old.pt";
          const std::vector<std::string> tokenizers =
              words ? std::vector<std::string>() : std::vector{copy + "/text.spm"};
          EXPECT_FALSE(from_opennmt(copy + "/model.pt", tokenizers).weights.empty());
        },
        kMutants);
  }
}

/// Nearly all damage to a zip file is found by its sums. Here, its pickle is damaged, and they are right again.
TEST(HostilePickle, IsRefusedOrImported) {
  for (const std::string name : {"opennmt_words", "fairseq_post", "joeynmt_pre"}) {
    check_damaged_pickles(
        toolkit_data(name),
        [&](const std::string& folder) {
          if (name == "joeynmt_pre") from_joeynmt(folder, {});
          if (name == "fairseq_post") {
            from_fairseq(folder + "/model.pt", {{}, {folder + "/dict.en.txt", folder + "/dict.de.txt"}});
          }
          if (name == "opennmt_words") from_opennmt(folder + "/model.pt", {});
        },
        kPickleMutants);
  }
}

}  // namespace
}  // namespace ventris::imports
