#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

/// The layers of lib/: a folder includes only what lib/CMakeLists.txt links it to, directly or through others.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;
using Folders = std::map<std::string, std::set<std::string>>;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Folder -> folders it is linked to ("torch" for LibTorch), from the build's own list.
Folders links() {
  const std::string text = text_of(fs::path(VENTRIS_SOURCE) / "lib/CMakeLists.txt");
  const std::regex library(R"(ventris_library\((\w+)( TORCH)?[^)]*?LINKS([^)]*)\))"), link(R"(ventris_(\w+))");
  Folders found;
  for (std::sregex_iterator it(text.begin(), text.end(), library), end; it != end; ++it) {
    auto& targets = found[(*it)[1]];
    if ((*it)[2].matched) targets.insert("torch");
    const std::string list = (*it)[3];
    for (std::sregex_iterator name(list.begin(), list.end(), link); name != end; ++name) targets.insert((*name)[1]);
  }
  return found;
}

void close_over(const Folders& direct, const std::string& folder, std::set<std::string>& all) {
  if (!all.insert(folder).second) return;
  const auto found = direct.find(folder);
  if (found == direct.end()) return;
  for (const std::string& next : found->second) close_over(direct, next, all);
}

/// "folder/file.h" -> its folder; headers of LibTorch -> "torch"; others -> "".
std::string folder_of(const std::string& header, const Folders& folders) {
  for (const char* torch : {"torch/", "ATen/", "c10/"}) {
    if (header.starts_with(torch)) return "torch";
  }
  const std::string folder = header.substr(0, header.find('/'));
  return folders.contains(folder) ? folder : "";
}

TEST(Arrows, NoFolderOfTheLibraryIncludesOneThatItIsNotLinkedTo) {
  const Folders direct = links();
  ASSERT_GE(direct.size(), 11U);
  const std::regex include(R"(#include [<"]([^>"]+)[>"])");
  size_t checked = 0;
  for (const auto& [folder, targets] : direct) {
    std::set<std::string> allowed;
    close_over(direct, folder, allowed);
    for (const auto& entry : fs::directory_iterator(fs::path(VENTRIS_SOURCE) / "lib" / folder)) {
      const std::string text = text_of(entry.path());
      for (std::sregex_iterator it(text.begin(), text.end(), include), end; it != end; ++it) {
        const std::string used = folder_of((*it)[1], direct);
        EXPECT_TRUE(used.empty() || allowed.contains(used)) << entry.path() << " includes " << (*it)[1];
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 300U);
}

TEST(Arrows, TheTableInTheReadmeHasTheLinksOfTheBuild) {
  const Folders direct = links();
  const std::string page = text_of(fs::path(VENTRIS_SOURCE) / "lib/README.md");
  const std::regex row(R"(\n\| `(\w+)` \|.*\| (.*) \|)"), name(R"(`(\w+)`)");
  std::set<std::string> lower;  // the folders of the rows so far
  for (std::sregex_iterator it(page.begin(), page.end(), row), end; it != end; ++it) {
    const std::string folder = (*it)[1], list = (*it)[2];
    ASSERT_TRUE(direct.contains(folder)) << "the build has no library " << folder;
    std::set<std::string> listed, linked;
    for (std::sregex_iterator at(list.begin(), list.end(), name); at != end; ++at) listed.insert((*at)[1]);
    for (const std::string& target : direct.at(folder)) {
      if (direct.contains(target)) linked.insert(target);
    }
    EXPECT_EQ(listed, linked) << "what " << folder << " may include";
    EXPECT_TRUE(std::ranges::includes(lower, listed)) << folder << " stands above a folder that it may include";
    lower.insert(folder);
  }
  for (const auto& [folder, targets] : direct) EXPECT_TRUE(lower.contains(folder)) << folder << " has no row";
}

TEST(Arrows, TheLowerHalfIsFreeOfLibTorch) {
  const Folders direct = links();
  for (const char* program_needs :
       {"core",       "files",       "installation", "figures",      "events",  "report",  "text",
        "inspection", "metrics",     "model",        "constraints",  "phrases", "exports", "decoding",
        "nat",        "translation", "data",         "architecture", "filters", "run",     "preparation"}) {
    std::set<std::string> all;
    close_over(direct, program_needs, all);
    EXPECT_FALSE(all.contains("torch")) << program_needs;
  }
}

}  // namespace
}  // namespace ventris::test
