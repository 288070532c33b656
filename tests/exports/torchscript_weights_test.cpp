#include "exports/torchscript_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "core/error.h"
#include "engine/counted_memory.h"
#include "model/pickle_reader.h"
#include "model/zip_archive.h"
#include "support/errors.h"
#include "support/shape_of.h"
#include "support/temp_folder.h"
#include "support/zip.h"

namespace ventris::exports {
namespace {

template <typename Number>
std::string bytes_of(Number value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string text(const std::string& value) { return "X" + bytes_of(static_cast<uint32_t>(value.size())) + value; }

std::string tuple_of(const std::vector<int64_t>& numbers) {
  std::string pickle = "(";
  for (const int64_t number : numbers) pickle += "J" + bytes_of(static_cast<int32_t>(number));
  return pickle + "t";
}

/// A tensor of floats that begins at element `offset` of the storage 0.
std::string tensor(int32_t offset, const std::vector<int64_t>& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" + text("0") +
         text("cpu") + "K\1tQJ" + bytes_of(offset) + tuple_of(shape) + tuple_of(strides) + "\x89)tR";
}

/// Bytes of memory for each byte of a pickle, whatever the pickle does.
constexpr int64_t kMostMemory = 150;

bool is_refused(const std::string& pickle) {
  try {
    model::read_pickled_tensors(pickle, "pickle");
    return false;
  } catch (const ModelError&) {
    return true;
  }
}

/// The bundle and the export of tests/golden, which have the same weights.
class TorchScriptWeights : public testing::Test {
 protected:
  TorchScriptWeights() {
    const std::string command =
        "tar -xzf '" VENTRIS_SOURCE "/tests/golden/version-0.1.tar.gz' -C '" + folder.path() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  }

  /// The same package, read from an archive with this pickle and this storage.
  model::Package with(const std::string& pickle, const std::string& storage) const {
    model::Package package = model::read_package(path);
    package.script = std::make_shared<const std::string>(folder.path("crafted.pt"));
    test::write_zip(*package.script, {{"m/data.pkl", pickle}, {"m/data/0", storage}});
    return package;
  }

  test::TempFolder folder;
  std::string path = folder.path("export.pt");
};

TEST_F(TorchScriptWeights, AreThoseOfTheBundleAndTiedInTheSameWay) {
  const model::Bundle bundle = model::read_bundle(folder.path("bundle"));
  const auto weights = model::Safetensors::parse(weights_of_torchscript(model::read_package(path)), "export");
  EXPECT_EQ(weights.tensors().size(), bundle.weights.tensors().size());
  EXPECT_EQ(weights.aliases(), bundle.weights.aliases());
  for (const model::TensorView& expected : bundle.weights.tensors()) {
    EXPECT_EQ(weights.at(expected.name).shape, expected.shape);
    EXPECT_EQ(weights.at(expected.name).bytes, expected.bytes) << expected.name;
  }
}

TEST_F(TorchScriptWeights, AnotherModelThanInTheConfigurationIsRefused) {
  model::Package package = model::read_package(path);
  test::shape_of(package.config).d_ff = 7;
  EXPECT_FAILS(weights_of_torchscript(package), ModelError,
               "export.pt: tensor 'encoder.layers.0.feed_forward.w_1.weight': "
               "expected shape [7, 16] as in config.json, found [32, 16]");
  test::shape_of(package.config).encoder_layers = 4;
  test::shape_of(package.config).d_ff = 32;
  EXPECT_FAILS(weights_of_torchscript(package), ModelError,
               "export.pt: has no tensor 'encoder.layers.1.self_attn.linears.0.weight'");
}

TEST_F(TorchScriptWeights, TensorsThatShareBytesWithoutBeingTiedAreRefused) {
  std::string pickle = "}(";
  int32_t offset = 0;
  int64_t longest = 0;
  model::read_package(path).config.architecture->each_tensor(
      [&](const std::string& name, const std::vector<int64_t>& shape) {
        pickle += text(name) + tensor(offset++, shape);
        longest = std::max(longest, model::elements_of(shape));
      });
  const model::Package package = with(pickle + "u.", std::string(static_cast<size_t>(4 * (longest + offset)), '\1'));
  EXPECT_FAILS(weights_of_torchscript(package), ModelError,
               "have more bytes than the file; expected tensors that do not");
}

TEST_F(TorchScriptWeights, ASmallStorageIsNotTakenForALargeTensor) {
  model::Package package = with("}(" + text("src_embed.0.lut.weight") + tensor(0, {1 << 30, 1 << 30}) + "u.", "0123");
  test::shape_of(package.config).src_vocab = test::shape_of(package.config).d_model = 1 << 30;
  EXPECT_FAILS(weights_of_torchscript(package), ModelError, "export.pt: ");
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
    EXPECT_LT(test::peak_during([&] { refused += is_refused(bytes); }), kMostMemory * std::ssize(bytes)) << i;
  }
  EXPECT_GT(refused, 100);
  for (int i = 0; i < 1000; ++i) {  // programs of instructions that are whole, and refer to each other
    std::string bytes = whole.substr(0, whole.size() - 1);
    for (size_t parts = 1 + draw(200); parts > 0; --parts) {
      static const std::vector<std::string> instructions{"}",
                                                         "(",
                                                         ")",
                                                         "u",
                                                         "b",
                                                         "t",
                                                         "\x85",
                                                         "\x86",
                                                         "\x87",
                                                         "\x81",
                                                         "R",
                                                         "Q",
                                                         "N",
                                                         "e",
                                                         "K\1",
                                                         "}(" + text("a"),
                                                         "}(",
                                                         "q\1",
                                                         "q\2",
                                                         "h\1",
                                                         "h\2",
                                                         "h\1h\1b",
                                                         "(h\1h\2u",
                                                         "(" + text("k") + "h\1u",
                                                         "ca\nb\n)\x81",
                                                         "ctorch\nf\n)R"};
      bytes += instructions[draw(instructions.size())];
    }
    EXPECT_LT(test::peak_during([&] { is_refused(bytes + "."); }), kMostMemory * std::ssize(bytes)) << i;
  }
}

}  // namespace
}  // namespace ventris::exports
