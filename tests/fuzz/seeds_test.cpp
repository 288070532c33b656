#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/log.h"
#include "fuzz/targets.h"

/// Each fuzz target reads its seeds, and every input that ever failed.
namespace ventris::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path kHere = fs::path(VENTRIS_SOURCE) / "tests/fuzz";

/// The files of a folder, by name.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    files[entry.path().filename()] = test::file_bytes(entry.path());
  }
  return files;
}

class FuzzTarget : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { core::set_log_level("off"); }
  void TearDown() override { core::set_log_level("info"); }

  const Target& target() const { return *std::ranges::find(targets(), GetParam(), &Target::name); }

  /// How many of these inputs are accepted.
  int64_t try_all(const std::map<std::string, std::string>& inputs) const {
    int64_t accepted = 0;
    for (const auto& [name, input] : inputs) {
      SCOPED_TRACE(name);
      EXPECT_NO_THROW(accepted += accepts(target(), input) ? 1 : 0);
    }
    return accepted;
  }
};

TEST_P(FuzzTarget, ReadsItsSeedsAndBreaksNoPromise) {
  std::map<std::string, std::string> seeds = files_in(kHere / "seeds" / GetParam());
  if (target().seeds != nullptr) {
    for (const std::string& seed : target().seeds()) seeds["made " + std::to_string(seeds.size())] = seed;
  }
  ASSERT_FALSE(seeds.empty());
  EXPECT_GT(try_all(seeds), static_cast<int64_t>(seeds.size() / 2)) << "most seeds are what the target reads";
}

TEST_P(FuzzTarget, BreaksNoPromiseWhereItOnceDid) { try_all(files_in(kHere / "failed" / GetParam())); }

/// Bytes that are lost, changed or repeated, so that each target meets some bad input in the ordinary tests, too.
TEST_P(FuzzTarget, BreaksNoPromiseForSeedsThatAreCutOff) {
  std::map<std::string, std::string> cut;
  for (const auto& [name, seed] : files_in(kHere / "seeds" / GetParam())) {
    for (size_t part = 1; part < 8; ++part)
      cut[name + " " + std::to_string(part)] = seed.substr(0, seed.size() * part / 8);
  }
  try_all(cut);
}

std::vector<std::string> names_of_targets() {
  std::vector<std::string> names;
  for (const Target& target : targets()) names.push_back(target.name);
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzTarget, testing::ValuesIn(names_of_targets()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace ventris::fuzz
