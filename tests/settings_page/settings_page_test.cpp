#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_program.h"
#include "support/setting_probes.h"
#include "support/shell.h"
#include "support/temp_folder.h"

/// docs/settings.md is what the programs say of their settings.
namespace ventris::test {
namespace {

using testing::HasSubstr;

const std::string kScript = std::string(VENTRIS_SOURCE) + "/scripts/settings_page.sh";

std::string programs() { return std::filesystem::path(program_path("ventris-train")).parent_path().string(); }

std::string page() { return file_bytes(std::string(VENTRIS_SOURCE) + "/docs/settings.md"); }

/// The part of the page about a program.
std::string part(const std::string& program) {
  const std::string text = page();
  const size_t begin = text.find("\n## " + program + "\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find("\n## ", begin + 1) - begin);
}

/// The first line in which two texts differ.
std::string difference(const std::string& before, const std::string& after) {
  std::istringstream one(before), other(after);
  for (std::string a, b;;) {
    const bool more = static_cast<bool>(std::getline(one, a)), others = static_cast<bool>(std::getline(other, b));
    if (a != b || more != others) return "the page has\n  " + a + "\nthe programs say\n  " + b;
    if (!more) return "";
  }
}

TEST(SettingsPage, IsWhatTheProgramsSay) {
  const Outcome outcome = run_shell("bash " + kScript + " --print " + programs());
  ASSERT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_TRUE(outcome.out == page()) << "docs/settings.md is not up to date. To write it again, run\n  "
                                     << "scripts/settings_page.sh " << programs()
                                     << "\nThe first difference: " << difference(page(), outcome.out);
}

void expect_leaves(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = arguments;
  words.push_back("--dump-config");
  const Outcome dumped = run_program(program, words);
  ASSERT_EQ(dumped.code, 0) << dumped.err;
  for (const std::string& path : leaves_of(nlohmann::json::parse(dumped.out))) {
    EXPECT_THAT(part(program), HasSubstr("\n| `" + path + "` |"))
        << "docs/settings.md lacks a setting; after its meaning is in the code, run scripts/settings_page.sh";
  }
}

TEST(SettingsPage, HasEverySettingThatTheProgramsPrint) {
  const TempFolder folder;
  const std::string all = folder.file("all.json", R"({
    "data": {"corpora": [{"tsv": "a", "weight": 1, "tag": "<a>", "line_weights": "w"},
                         {"source": "b", "target": "c", "weight": 1}]},
    "model": {"attention_dropout": 0, "activation_dropout": 0, "embedding_dropout": 0}})");
  expect_leaves("ventris-train", {"-c", all});
  expect_leaves("ventris-translate", {});
  expect_leaves("ventris-serve", {});
  expect_leaves("ventris-score", {});
}

}  // namespace
}  // namespace ventris::test
