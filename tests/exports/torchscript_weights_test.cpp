#include "exports/torchscript_weights.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "core/error.h"
#include "model/pickle_reader.h"
#include "model/zip_archive.h"
#include "support/errors.h"
#include "support/shape_of.h"
#include "support/temp_folder.h"

namespace ventris::exports {
namespace {

/// The bundle and the export of tests/golden, which have the same weights.
class TorchScriptWeights : public testing::Test {
 protected:
  TorchScriptWeights() {
    const std::string command =
        "tar -xzf '" VENTRIS_SOURCE "/tests/golden/version-0.1.tar.gz' -C '" + folder.path() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  }

  test::TempFolder folder;
  std::string path = folder.path("export.pt");
};

TEST_F(TorchScriptWeights, AreThoseOfTheBundleAndTiedInTheSameWay) {
  const model::Bundle bundle = model::open_bundle(folder.path("bundle"));
  const auto weights = model::Safetensors::parse(weights_of_torchscript(model::open_package(path)), "export");
  EXPECT_EQ(weights.tensors().size(), bundle.weights.tensors().size());
  EXPECT_EQ(weights.aliases(), bundle.weights.aliases());
  for (const model::TensorView& expected : bundle.weights.tensors()) {
    EXPECT_EQ(weights.at(expected.name).shape, expected.shape);
    EXPECT_EQ(weights.at(expected.name).bytes, expected.bytes) << expected.name;
  }
}

TEST_F(TorchScriptWeights, AnotherModelThanInTheConfigurationIsRefused) {
  model::Package package = model::open_package(path);
  test::shape_of(package.config).d_ff = 7;
  EXPECT_FAILS(weights_of_torchscript(package), ModelError,
               "export.pt: tensor 'encoder.layers.0.feed_forward.w_1.weight': "
               "expected shape [7, 16] as in config.json, found [32, 16]");
  test::shape_of(package.config).encoder_layers = 4;
  test::shape_of(package.config).d_ff = 32;
  EXPECT_FAILS(weights_of_torchscript(package), ModelError,
               "export.pt: has no tensor 'encoder.layers.1.self_attn.linears.0.weight'");
}

TEST_F(TorchScriptWeights, ADamagedPickleIsRefusedOrReadButDoesNoHarm) {
  const auto archive = model::ZipArchive::open(path, "", model::ZipArchive::all);
  const std::string whole = archive.entries.at("data.pkl");
  const size_t tensors = model::read_pickled_tensors(whole, "pickle").size();
  EXPECT_GT(tensors, 40U);
  uint64_t state = 1;
  const auto draw = [&state](size_t under) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<size_t>(state >> 33) % under;
  };
  int refused = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string bytes = whole;
    for (size_t flips = 1 + draw(4); flips > 0; --flips) bytes[draw(bytes.size())] = static_cast<char>(draw(256));
    if (i % 10 == 0) bytes.resize(draw(bytes.size()));
    try {
      model::read_pickled_tensors(bytes, "pickle");
    } catch (const ModelError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace ventris::exports
