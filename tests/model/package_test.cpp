#include "model/package.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "files/folders.h"
#include "support/errors.h"
#include "support/model_writer.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"
#include "support/zip.h"

namespace ventris::model {
namespace {

using architecture::TransformerOptions;
using architecture::Tying;

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
    return read_package(folder.path("m.pt"));
  }

  const test::TempFolder folder;
  const std::string path = folder.path("m");
  Package package = test::tiny_package();
  const int64_t vocab = package.config.architecture->src_vocab();
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
  const Bundle bundle = read_bundle(path);
  EXPECT_EQ(bundle.package.kind, PackageKind::kBundle);
  EXPECT_EQ(bundle.package.path, path);
  EXPECT_EQ(bundle.package.config.to_json(), package.config.to_json());
  EXPECT_EQ(bundle.package.source_spm, package.source_spm);
  EXPECT_EQ(bundle.package.target_spm, package.source_spm);
  EXPECT_EQ(bundle.package.tensors.size(), 50U);
  EXPECT_EQ(named(bundle.package, "encoder.norm.weight").shape, std::vector<int64_t>{4});
  EXPECT_EQ(named(bundle.package, "generator.proj.weight").tied_to, "src_embed.0.lut.weight");
  EXPECT_EQ(bundle.weights.at("generator.proj.weight").bytes.size(), size_t{16} * static_cast<size_t>(vocab));
  EXPECT_FALSE(fs::exists(path + "/target.spm"));
}

TEST_F(PackageTest, APackedModelHasItsOwnFileAndIsNoBundle) {
  const std::string bytes = write_safetensors({}, {});
  write_packed(path, package, bytes);
  const LoadedModel loaded = read_model(path);
  EXPECT_EQ(loaded.package.kind, PackageKind::kPacked);
  EXPECT_EQ(loaded.weights.view(), bytes);
  EXPECT_EQ(loaded.package.config.to_json(), package.config.to_json());
  EXPECT_FAILS(read_bundle(path), ModelError,
               "m: expected a bundle, found a packed model, which is only for translating and scoring with the "
               "engine; give the bundle from which it was made");
  write_bundle(path, package, weights);  // either kind replaces the other
  EXPECT_FALSE(fs::exists(path + "/model.packed"));
  files::write_folder(path, {{"config.json", package.config.to_json().dump()},
                             {"source.spm", package.source_spm},
                             {"model.packed", bytes},
                             {"model.safetensors", weights}});
  EXPECT_FAILS(read_model(path), ModelError,
               "m: expected model.safetensors or model.packed, found both; make the model again");
}

TEST_F(PackageTest, TheWeightsOfABundleAreMapped) {
  write_bundle(path, package, weights);
  const LoadedModel loaded = read_model(path);
  EXPECT_TRUE(loaded.weights.mapped());
  fs::remove_all(path);
  EXPECT_EQ(loaded.weights.view(), weights);
}

TEST_F(PackageTest, TwoTokenizersAreTwoFiles) {
  package.config.tokenizer.shared = false;
  test::shape_of(package.config).tying = Tying::kDecoder;
  package.target_spm = test::written_model();
  write_bundle(path, package, weights);
  EXPECT_EQ(read_package(path).source_spm, package.source_spm);
  EXPECT_EQ(read_package(path).target_spm, test::written_model());
}

TEST_F(PackageTest, AnIncompleteBundleIsRefusedWithTheMissingName) {
  const Entries all{
      {"config.json", package.config.to_json().dump()}, {"source.spm", "x"}, {"model.safetensors", weights}};
  for (size_t left_out = 0; left_out < all.size(); ++left_out) {
    Entries files = all;
    files.erase(files.begin() + static_cast<std::ptrdiff_t>(left_out));
    files::write_folder(path, files);
    EXPECT_FAILS(read_package(path), ModelError,
                 "m: is not a complete bundle: its MANIFEST does not list " + all[left_out].first);
  }
  package.config.tokenizer.shared = false;
  test::shape_of(package.config).tying = Tying::kNone;
  files::write_folder(
      path, {{"config.json", package.config.to_json().dump()}, {"source.spm", "x"}, {"model.safetensors", weights}});
  EXPECT_FAILS(read_package(path), ModelError, "its MANIFEST does not list target.spm");
}

TEST_F(PackageTest, TokenizersThatCannotBeTrustedAreRefusedByName) {
  const std::string bad = test::written_model() + test::charsmap_field(test::CharsmapWriter().write());
  package.config.tokenizer.shared = false;
  test::shape_of(package.config).tying = Tying::kDecoder;
  package.target_spm = bad;
  write_bundle(path, package, weights);
  EXPECT_FAILS(read_package(path), ModelError,
               "m: target.spm: normalisation rules: damaged: a rule leads back to itself");
  package = test::tiny_package();
  Entries entries = extras();
  entries[2].second = test::written_model() + test::piece_field(std::string(160'000, 'x'));
  EXPECT_FAILS(open_zip(entries), ModelError, "m.pt: source.spm: piece 5: expected 1 to 512 bytes, found 160000");
}

TEST_F(PackageTest, WeightsOfAnotherVocabularyAreRefused) {
  write_bundle(path, package, test::tiny_weights(vocab + 1));
  EXPECT_FAILS(read_package(path), ModelError,
               "m/model.safetensors: tensor 'src_embed.0.lut.weight': expected shape [" + std::to_string(vocab) +
                   ", 4] as in config.json, found [" + std::to_string(vocab + 1) + ", 4]");
  write_bundle(path, package, write_safetensors({}, {}));
  EXPECT_FAILS(read_package(path), ModelError, "has no tensor 'encoder.layers.0.self_attn.linears.0.weight'");
}

TEST_F(PackageTest, ASmallFileMakesNoLargeModel) {
  Package wide = package;
  test::shape_of(wide.config).d_model = 512;
  test::shape_of(wide.config).encoder_layers = test::shape_of(wide.config).decoder_layers = 2;
  test::TensorList tensors;  // the first of each shape; all others are tied to it
  std::map<std::vector<int64_t>, std::string> first;
  std::map<std::string, std::string> aliases;
  wide.config.architecture->each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
    const auto [known, fresh] = first.emplace(shape, name);
    if (fresh) tensors.add(name, shape);
    if (!fresh) aliases["alias:" + name] = known->second;
  });
  write_bundle(path, wide, write_safetensors(tensors.views(), aliases));
  EXPECT_FAILS(read_package(path), ModelError, "parameters; expected the weights of that model");
}

TEST_F(PackageTest, LayersAndWidthsThatTheWeightsDoNotBearOutAreRefused) {
  const auto refused = [&](int64_t TransformerOptions::* field, int64_t value, const std::string& part) {
    Package changed = package;
    test::shape_of(changed.config).*field = value;
    write_bundle(path, changed, weights);
    EXPECT_FAILS(read_package(path), ModelError, "m/model.safetensors: " + part);
  };
  refused(
      &TransformerOptions::encoder_layers, 1 << 24,
      "has no tensor 'encoder.layers.1.self_attn.linears.0.weight'; expected the weights of the model in config.json");
  refused(&TransformerOptions::decoder_layers, 2, "has no tensor 'decoder.layers.1.self_attn.linears.0.weight'");
  refused(
      &TransformerOptions::d_ff, 1 << 24,
      "tensor 'encoder.layers.0.feed_forward.w_1.weight': expected shape [16777216, 4] as in config.json, found [8");
}

TEST_F(PackageTest, ATensorThatTheModelHasNotIsRefusedAlsoIfItIsTied) {
  const Safetensors whole = Safetensors::parse(weights, "weights");
  auto metadata = whole.metadata();
  metadata["alias:extra"] = "encoder.norm.weight";
  write_bundle(path, package, write_safetensors(whole.tensors(), metadata));
  EXPECT_FAILS(read_package(path), ModelError, "extra: the model in config.json has no such tensor");
}

TEST_F(PackageTest, NoOutputIsWrittenIntoTheModelThatIsRead) {
  write_bundle(path, package, weights);
  EXPECT_FAILS(check_output(path, path + "/source.spm"), ConfigError, "/source.spm is a file of the model ");
  EXPECT_FAILS(check_output(path, path + "/../m/new"), ConfigError, "give another file");
  const std::string file = folder.file("model.pt", "");
  fs::create_symlink(file, folder.path("link"));
  EXPECT_FAILS(check_output(folder.path("link"), file), ConfigError, "is a file of the model");
  for (const std::string& output : {std::string("-"), folder.path("out"), path + ".txt"}) {
    EXPECT_NO_THROW(check_output(path, output)) << output;
  }
}

TEST_F(PackageTest, ConfigurationsThatAreWrongAreRefusedByFile) {
  files::write_folder(path, {{"config.json", "{\n  \"format"}, {"source.spm", ""}, {"model.safetensors", weights}});
  EXPECT_FAILS(read_package(path), ModelError, "m/config.json:2:");
}

TEST_F(PackageTest, WhatIsNoModelAtAllIsRefused) {
  EXPECT_FAILS(read_package(folder.path("none")), ModelError,
               "none: does not exist; expected a bundle folder or a TorchScript");
  EXPECT_FAILS(read_package(folder.path()), ModelError, "has no MANIFEST");
  EXPECT_FAILS(read_package("/dev/null"), ModelError, "/dev/null: cannot be opened; expected a bundle folder");
  EXPECT_FAILS(read_package(folder.file("text", "words")), ModelError, "text: damaged, or neither a bundle folder nor");
}

TEST_F(PackageTest, TheFolderOfATrainingNamesTheBundleInIt) {
  write_bundle(folder.path("best"), package, weights);
  EXPECT_FAILS(read_package(folder.path()), ModelError,
               "expected a bundle, found a run folder; give the bundle in it: " + folder.path("best"));
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
    EXPECT_FAILS(open_zip(entries), ModelError, "; expected a TorchScript file of ventris-export");
  }
}

TEST_F(PackageTest, AnExportWithASenselessListOfTensorsIsRefused) {
  for (const char* text :
       {"", "3", "[3]", "{\"a\":3}", R"([{"name":"a","dtype":"F32"}])", R"([{"name":"a","dtype":"F32","shape":"x"}])",
        R"([{"name":"a","dtype":"F99","shape":[1]}])", R"([{"name":"\u001b","dtype":"F32","shape":[1]}])",
        R"([{"name":"a","dtype":"F32","shape":[1,1,1,1,1,1,1,1,1]}])"}) {
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
