#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "core/log.h"
#include "core/random.h"
#include "faults/tiny_checkpoint.h"
#include "support/temp_folder.h"

/// A damaged checkpoint is always refused by name. VENTRIS_FLIPS sets how many bytes are flipped, one at a time; a
/// tenth as many truncations are tried.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;

class DamagedCheckpoint : public testing::Test {
 protected:
  DamagedCheckpoint() {
    core::set_log_level("off");
    run::save_checkpoint(run, tiny_checkpoint(100, 1), 1);
    for (const auto& entry : fs::directory_iterator(run.latest())) {
      files.emplace_back(entry.path().filename().string(), file_bytes(entry.path().string()));
    }
    std::sort(files.begin(), files.end());
  }
  ~DamagedCheckpoint() override { core::set_log_level("info"); }

  static int flips() {
    const char* wanted = std::getenv("VENTRIS_FLIPS");
    return wanted != nullptr ? std::atoi(wanted) : 10'000;
  }

  size_t below(size_t limit) { return random.below(draw++, limit); }

  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(run.latest() + "/" + name, std::ios::binary) << bytes;
  }

  /// The error's text; empty if it was loaded.
  std::string refusal() const {
    try {
      run::load_newest_checkpoint(run);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  }

  void expect_refused(const std::string& name, const std::string& damaged, const std::string& whole) const {
    put(name, damaged);
    const std::string text = refusal();
    EXPECT_NE(text.find(name), std::string::npos) << name << ": " << text;
    put(name, whole);
  }

  TempFolder folder{memory_folder()};
  run::RunFolder run{folder.path()};
  std::vector<std::pair<std::string, std::string>> files;
  core::RandomStream random{2026, 1};
  uint64_t draw = 0;
};

TEST_F(DamagedCheckpoint, IsRefusedByNameForEveryFlippedByte) {
  ASSERT_EQ(files.size(), 7U);
  for (int trial = 0; trial < flips(); ++trial) {
    const auto& [name, whole] = files[below(files.size())];
    std::string damaged = whole;
    char& byte = damaged[below(damaged.size())];
    byte = static_cast<char>(byte ^ static_cast<char>(1 + below(255)));
    expect_refused(name, damaged, whole);
  }
  EXPECT_EQ(refusal(), "");
}

TEST_F(DamagedCheckpoint, IsRefusedByNameForEveryTruncation) {
  for (int trial = 0; trial < flips() / 10; ++trial) {
    const auto& [name, whole] = files[below(files.size())];
    expect_refused(name, whole.substr(0, below(whole.size())), whole);
  }
  EXPECT_EQ(refusal(), "");
}

TEST_F(DamagedCheckpoint, IsRefusedByNameForEveryMissingFile) {
  for (const auto& [name, whole] : files) {
    fs::remove(run.latest() + "/" + name);
    EXPECT_NE(refusal().find(name), std::string::npos) << refusal();
    put(name, whole);
  }
  EXPECT_EQ(refusal(), "");
}

}  // namespace
}  // namespace ventris::test
