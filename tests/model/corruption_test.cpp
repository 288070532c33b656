#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/random.h"
#include "model/package.h"
#include "support/model_writer.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

/// Promise: a corrupt or truncated file of a bundle is always refused, and refusing never crashes.
namespace ventris::model {
namespace {

namespace fs = std::filesystem;

class CorruptionTest : public testing::Test {
 protected:
  CorruptionTest() {
    Package package;
    package.config = test::tiny_config(12);
    package.source_spm = test::written_model(8);
    write_bundle(path, package, test::tiny_weights(12));
    for (const auto& entry : fs::directory_iterator(path)) {
      files.emplace_back(entry.path().filename().string(), test::file_bytes(entry.path().string()));
    }
    std::sort(files.begin(), files.end());
  }

  void expect_refused(const std::string& name, const std::string& damaged, const std::string& how) const {
    folder.file("m/" + name, damaged);
    EXPECT_THROW(read_package(path), ModelError) << name << ": " << how;
  }

  const test::TempFolder folder;
  const std::string path = folder.path("m");
  std::vector<std::pair<std::string, std::string>> files;
};

/// Numbers in a row, the same in every run.
class Draws {
 public:
  explicit Draws(uint64_t seed) : stream_(seed, 0) {}
  size_t below(size_t limit) { return stream_.below(next_++, limit); }

 private:
  core::RandomStream stream_;
  uint64_t next_ = 0;
};

std::string flipped(std::string bytes, size_t at, int mask) {
  bytes[at] = static_cast<char>(bytes[at] ^ mask);
  return bytes;
}

TEST_F(CorruptionTest, EveryFlippedByteOfAHeaderIsRefused) {
  const std::string weights = test::file_bytes(path + "/model.safetensors");
  const size_t header =
      8 + static_cast<unsigned char>(weights[0]) + 256 * static_cast<size_t>(static_cast<unsigned char>(weights[1]));
  ASSERT_LT(header, weights.size());
  for (size_t at = 0; at < header; ++at) {
    for (const int mask : {0x01, 0x20, 0x80}) {
      expect_refused("model.safetensors", flipped(weights, at, mask), std::to_string(at));
    }
  }
}

TEST_F(CorruptionTest, EveryFlippedBitOfTheManifestIsRefused) {
  const std::string manifest = test::file_bytes(path + "/MANIFEST");
  for (size_t at = 0; at < manifest.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) expect_refused("MANIFEST", flipped(manifest, at, 1 << bit), std::to_string(at));
  }
}

TEST_F(CorruptionTest, TwoThousandRandomFlipsAreRefused) {
  Draws random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto& [name, bytes] = files[random.below(files.size())];
    const size_t at = random.below(bytes.size());
    const int mask = 1 + static_cast<int>(random.below(255));
    expect_refused(name, flipped(bytes, at, mask), std::to_string(at) + " ^ " + std::to_string(mask));
    folder.file("m/" + name, bytes);
  }
  EXPECT_NO_THROW(read_package(path));
}

TEST_F(CorruptionTest, EveryTruncationIsRefused) {
  for (const auto& [name, bytes] : files) {
    for (size_t size = 0; size < bytes.size(); ++size) {
      expect_refused(name, bytes.substr(0, size), "cut to " + std::to_string(size));
    }
    folder.file("m/" + name, bytes);
  }
  EXPECT_NO_THROW(read_package(path));
}

TEST_F(CorruptionTest, EveryMissingFileIsRefused) {
  for (const auto& [name, bytes] : files) {
    fs::remove(path + "/" + name);
    EXPECT_THROW(read_package(path), ModelError) << name;
    folder.file("m/" + name, bytes);
  }
}

TEST_F(CorruptionTest, WithoutAChecksumADamagedHeaderIsRefusedOrHarmless) {
  const std::string weights = test::file_bytes(path + "/model.safetensors");
  int refused = 0;
  Draws random(7);
  for (int trial = 0; trial < 5000; ++trial) {
    std::string damaged = flipped(weights, random.below(1000), 1 + static_cast<int>(random.below(255)));
    if (random.below(4) == 0) damaged.resize(random.below(damaged.size()));
    try {
      const Safetensors file = Safetensors::parse(std::move(damaged), "damaged");
      for (const TensorView& tensor : file.tensors()) {
        EXPECT_EQ(static_cast<int64_t>(tensor.bytes.size()), tensor.elements() * size_of(tensor.dtype));
      }
    } catch (const ModelError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 2000);
}

}  // namespace
}  // namespace ventris::model
