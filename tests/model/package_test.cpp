#include "model/package.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/folders.h"
#include "support/errors.h"
#include "support/model_writer.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"
#include "support/zip.h"

namespace ventris::model {
namespace {

namespace fs = std::filesystem;

using Entries = std::vector<std::pair<std::string, std::string>>;

class PackageTest : public testing::Test {
 protected:
  /// The entries that the export of `package` has under extra/.
  Entries extras() const {
    const auto summary = summarise(Safetensors::parse(weights, "weights"));
    return {{"model/data.pkl", "not looked into"},
            {"model/extra/config.json", package.config.to_json().dump()},
            {"model/extra/source.spm", package.source_spm},
            {"model/extra/tensors.json", tensors_to_json(summary)}};
  }
  Package open_zip(const Entries& entries) const {
    test::write_zip(folder.path("m.pt"), entries);
    return open_package(folder.path("m.pt"));
  }

  const test::TempFolder folder;
  const std::string path = folder.path("m");
  Package package = test::tiny_package();
  const int64_t vocab = package.config.transformer.src_vocab;
  const std::string weights = test::tiny_weights(vocab);
};

const TensorSummary& named(const Package& package, const std::string& name) {
  const auto found =
      std::find_if(package.tensors.begin(), package.tensors.end(), [&](const auto& one) { return one.name == name; });
  if (found == package.tensors.end()) throw std::invalid_argument(name);
  return *found;
}

TEST_F(PackageTest, ABundleGivesBackWhatWasWritten) {
  write_bundle(path, package, weights);
  const Bundle bundle = open_bundle(path);
  EXPECT_EQ(bundle.package.kind, PackageKind::kBundle);
  EXPECT_EQ(bundle.package.path, path);
  EXPECT_EQ(bundle.package.config.to_json(), package.config.to_json());
  EXPECT_EQ(bundle.package.source_spm, package.source_spm);
  EXPECT_EQ(bundle.package.target_spm, package.source_spm);
  EXPECT_EQ(bundle.package.tensors.size(), 9U);
  EXPECT_EQ(named(bundle.package, "encoder.norm.weight").shape, std::vector<int64_t>{4});
  EXPECT_EQ(named(bundle.package, "generator.proj.weight").tied_to, "src_embed.0.lut.weight");
  EXPECT_EQ(bundle.weights.at("generator.proj.weight").bytes.size(), static_cast<size_t>(4 * 4 * vocab));
  EXPECT_FALSE(fs::exists(path + "/target.spm"));
}

TEST_F(PackageTest, TwoTokenizersAreTwoFiles) {
  package.config.tokenizer.shared = false;
  package.config.transformer.tying = Tying::kDecoder;
  package.target_spm = test::written_model();
  write_bundle(path, package, weights);
  EXPECT_EQ(open_package(path).source_spm, package.source_spm);
  EXPECT_EQ(open_package(path).target_spm, test::written_model());
}

TEST_F(PackageTest, AnIncompleteBundleIsRefusedWithTheMissingName) {
  const Entries all{
      {"config.json", package.config.to_json().dump()}, {"source.spm", "x"}, {"model.safetensors", weights}};
  for (size_t left_out = 0; left_out < all.size(); ++left_out) {
    Entries files = all;
    files.erase(files.begin() + static_cast<std::ptrdiff_t>(left_out));
    core::write_folder(path, files);
    EXPECT_FAILS(open_package(path), ModelError,
                 "m: is no complete bundle: its MANIFEST names no " + all[left_out].first);
  }
  package.config.tokenizer.shared = false;
  package.config.transformer.tying = Tying::kNone;
  core::write_folder(
      path, {{"config.json", package.config.to_json().dump()}, {"source.spm", "x"}, {"model.safetensors", weights}});
  EXPECT_FAILS(open_package(path), ModelError, "its MANIFEST names no target.spm");
}

TEST_F(PackageTest, TokenizersThatCannotBeTrustedAreRefusedByName) {
  const std::string bad = test::written_model() + test::charsmap_field(test::CharsmapWriter().write());
  package.config.tokenizer.shared = false;
  package.config.transformer.tying = Tying::kDecoder;
  package.target_spm = bad;
  write_bundle(path, package, weights);
  EXPECT_FAILS(open_package(path), ModelError,
               "m: target.spm: normalisation rules: damaged: a rule leads back to itself");
  package = test::tiny_package();
  Entries entries = extras();
  entries[2].second = test::written_model() + test::piece_field(std::string(160'000, 'x'));
  EXPECT_FAILS(open_zip(entries), ModelError, "m.pt: source.spm: piece 5: expected 1 to 512 bytes, found 160000");
}

TEST_F(PackageTest, WeightsOfAnotherVocabularyAreRefused) {
  write_bundle(path, package, test::tiny_weights(vocab + 1));
  EXPECT_FAILS(open_package(path), ModelError,
               "m/model.safetensors: tensor 'src_embed.0.lut.weight': expected shape [" + std::to_string(vocab) +
                   ", 4] by config.json, found [" + std::to_string(vocab + 1) + ", 4]");
  write_bundle(path, package, write_safetensors({}, {}));
  EXPECT_FAILS(open_package(path), ModelError, "has no tensor 'src_embed.0.lut.weight'");
}

TEST_F(PackageTest, ASmallFileMakesNoLargeModel) {
  Package wide = package;
  wide.config.transformer.d_model = 4096;
  wide.config.transformer.d_ff = 1;
  test::TensorList tensors;
  tensors.add("src_embed.0.lut.weight", {vocab, 4096}).add("generator.proj.bias", {vocab});
  tensors.add("encoder.layers.0.feed_forward.w_1.weight", {1, 4096});
  const std::map<std::string, std::string> aliases{
      {"alias:tgt_embed.0.lut.weight", "src_embed.0.lut.weight"},
      {"alias:generator.proj.weight", "src_embed.0.lut.weight"},
      {"alias:decoder.layers.0.feed_forward.w_1.weight", "encoder.layers.0.feed_forward.w_1.weight"}};
  write_bundle(path, wide, write_safetensors(tensors.views(), aliases));
  EXPECT_FAILS(open_package(path), ModelError, "parameters; expected the weights of that model");
}

TEST_F(PackageTest, LayersAndWidthsThatTheWeightsDoNotBearOutAreRefused) {
  const auto refused = [&](int64_t TransformerConfig::* field, int64_t value, const std::string& part) {
    Package changed = package;
    changed.config.transformer.*field = value;
    write_bundle(path, changed, weights);
    EXPECT_FAILS(open_package(path), ModelError, "m/model.safetensors: " + part);
  };
  refused(&TransformerConfig::encoder_layers, 1 << 24,
          "has no tensor 'encoder.layers.1.feed_forward.w_1.weight'; expected the weights of the model in config.json");
  refused(&TransformerConfig::decoder_layers, 2, "has no tensor 'decoder.layers.1.feed_forward.w_1.weight'");
  refused(&TransformerConfig::d_ff, 1 << 24,
          "tensor 'encoder.layers.0.feed_forward.w_1.weight': expected shape [16777216, 4] by config.json, found [8");
}

TEST_F(PackageTest, ConfigurationsThatAreWrongAreRefusedByFile) {
  core::write_folder(path, {{"config.json", "{\n  \"format"}, {"source.spm", ""}, {"model.safetensors", weights}});
  EXPECT_FAILS(open_package(path), ModelError, "m/config.json:2:");
}

TEST_F(PackageTest, WhatIsNoModelAtAllIsRefused) {
  EXPECT_FAILS(open_package(folder.path("none")), ModelError,
               "none: does not exist; expected a bundle folder or a TorchScript");
  EXPECT_FAILS(open_package(folder.path()), ModelError, "has no MANIFEST");
  EXPECT_FAILS(open_package("/dev/null"), ModelError, "/dev/null: cannot be opened; expected a bundle folder");
  EXPECT_FAILS(open_package(folder.file("text", "words")), ModelError, "text: damaged, or neither a bundle folder nor");
}

TEST_F(PackageTest, TheFolderOfATrainingNamesTheBundleInIt) {
  write_bundle(folder.path("best"), package, weights);
  EXPECT_FAILS(open_package(folder.path()), ModelError,
               "expected a bundle, found the folder of a training; give the bundle in it: " + folder.path("best"));
}

TEST_F(PackageTest, AnExportIsOpenedWithoutRunningIt) {
  const Package found = open_zip(extras());
  EXPECT_EQ(found.kind, PackageKind::kTorchScript);
  EXPECT_EQ(found.config.to_json(), package.config.to_json());
  EXPECT_EQ(found.source_spm, package.source_spm);
  EXPECT_EQ(found.target_spm, package.source_spm);
  EXPECT_EQ(tensors_to_json(found.tensors), tensors_to_json(summarise(Safetensors::parse(weights, "weights"))));
}

TEST_F(PackageTest, AnExportOfAnotherProgramIsRefused) {
  for (size_t left_out = 1; left_out < 4; ++left_out) {
    Entries entries = extras();
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(left_out));
    EXPECT_FAILS(open_zip(entries), ModelError, "; expected a TorchScript file written by ventris-export");
  }
}

TEST_F(PackageTest, AnExportWithASenselessListOfTensorsIsRefused) {
  for (const char* text :
       {"", "3", "[3]", "{\"a\":3}", R"([{"name":"a","dtype":"F32"}])", R"([{"name":"a","dtype":"F32","shape":"x"}])",
        R"([{"name":"a","dtype":"F99","shape":[1]}])", R"([{"name":"\u001b","dtype":"F32","shape":[1]}])"}) {
    Entries entries = extras();
    entries[3].second = text;
    EXPECT_FAILS(open_zip(entries), ModelError, "m.pt (tensors.json)") << text;
  }
  for (const char* shape : {"[-1]", "[4294967296,4294967296]"}) {
    Entries entries = extras();
    entries[3].second = std::string(R"([{"name":"a","dtype":"F32","shape":)") + shape + "}]";
    EXPECT_FAILS(open_zip(entries), ModelError,
                 "m.pt (tensors.json): damaged: expected a list of tensors with names and shapes");
  }
}

}  // namespace
}  // namespace ventris::model
