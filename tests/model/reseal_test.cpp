#include "model/reseal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "files/files.h"
#include "model/package.h"
#include "support/changed_weights.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::model {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Reseal : public testing::Test {
 protected:
  Reseal() { test::write_tiny_bundle(path); }
  std::string read(const std::string& name) const { return files::read_file(path + "/" + name); }
  void write(const std::string& name, const std::string& bytes) const { files::write_file(path + "/" + name, bytes); }
  json provenance() const { return json::parse(read_bundle(path).package.config.provenance); }
  /// The message, after a check that nothing was changed.
  void expect_refused(const std::string& message) const {
    const std::string manifest = read("MANIFEST"), config = read("config.json");
    EXPECT_FAILS(reseal(path), ModelError, message);
    EXPECT_EQ(read("MANIFEST"), manifest);
    EXPECT_EQ(read("config.json"), config);
  }

  test::TempFolder folder;
  std::string path = folder.path("bundle");
};

TEST_F(Reseal, ABundleThatWasNotEditedStaysAsItIs) {
  const std::string manifest = read("MANIFEST");
  EXPECT_TRUE(reseal(path).empty());
  EXPECT_EQ(read("MANIFEST"), manifest);
}

TEST_F(Reseal, EditedWeightsAreAccepted) {
  write("model.safetensors", test::with_value(read("model.safetensors"), "generator.proj.bias", 0.5F));
  write("notes.txt", "mine");
  EXPECT_FAILS(read_bundle(path), ModelError, "model.safetensors: damaged: its checksum differs from MANIFEST's");
  const auto edits = reseal(path);
  ASSERT_EQ(edits.size(), 1U);
  EXPECT_EQ(edits[0].file, "model.safetensors");
  EXPECT_EQ(edits[0].old_size, edits[0].new_size);
  EXPECT_EQ(provenance().at("resealed"), json::array({"model.safetensors"}));
  EXPECT_EQ(provenance().at("updates"), 7) << "what was known before stays";
  EXPECT_EQ(read("notes.txt"), "mine");
  EXPECT_TRUE(reseal(path).empty());
}

TEST_F(Reseal, AnEditedConfigurationIsAcceptedToo) {
  json config = json::parse(read("config.json"));
  config["decoding"]["beam_size"] = 12;
  write("config.json", config.dump());
  write("model.safetensors", test::with_value(read("model.safetensors"), "generator.proj.bias", 0.5F));
  EXPECT_EQ(reseal(path).size(), 2U);
  EXPECT_EQ(read_bundle(path).package.config.decoding.beam_size, 12);
  write("model.safetensors", test::with_value(read("model.safetensors"), "generator.proj.bias", 1.5F));
  EXPECT_EQ(reseal(path).size(), 1U);
  EXPECT_EQ(provenance().at("resealed").size(), 2U) << "each name once";
}

TEST_F(Reseal, WhatIsNoModelIsRefusedAndStays) {
  const std::string weights = read("model.safetensors");
  write("model.safetensors", test::with_value(weights, "generator.proj.bias", HUGE_VALF));
  expect_refused("tensor 'generator.proj.bias': 0 of");
  write("model.safetensors", weights.substr(0, weights.size() - 4));
  expect_refused("model.safetensors");
  write("model.safetensors", weights);
  json config = json::parse(read("config.json"));
  config["model"]["d_ff"] = 16;
  write("config.json", config.dump());
  expect_refused("expected shape [16, 4] as in config.json, found [8, 4]");
}

TEST_F(Reseal, OtherFoldersAreRefused) {
  fs::remove(path + "/source.spm");
  expect_refused("source.spm: named in MANIFEST but missing");
  fs::remove(path + "/MANIFEST");
  EXPECT_FAILS(reseal(path), ModelError, "has no MANIFEST");
  const std::string packed = folder.path("packed"), checkpoint = folder.path("checkpoint");
  write_packed(packed, test::tiny_package(), "weights");
  EXPECT_FAILS(reseal(packed), ModelError, "is a packed model; edit the bundle from which it was made");
  files::write_folder(checkpoint, {{"state.json", "{}"}});
  EXPECT_FAILS(reseal(checkpoint), ModelError, "is a checkpoint of a run, which is not resealed");
}

}  // namespace
}  // namespace ventris::model
