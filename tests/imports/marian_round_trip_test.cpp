#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "architecture/sinusoids.h"
#include "engine/random_model.h"
#include "exports/ctranslate2.h"
#include "exports/marian.h"
#include "files/folders.h"
#include "imports/import_model.h"
#include "imports/marian_model.h"
#include "model/floats.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"
#include "support/zero_start.h"
#include "text/tokenizer.h"

/// Models of Marian that come in, go out and come in again.
namespace ventris::imports {
namespace {

const std::string kRoundTripFiles = VENTRIS_SOURCE "/tests/imports/data/marian/";

class MarianRoundTrip : public testing::TestWithParam<const char*> {
 protected:
  Imported first() const {
    return from_marian_file(kRoundTripFiles + GetParam(), {{kRoundTripFiles + "both.spm"}, {}});
  }
  /// The folder that it becomes.
  std::string out(const Imported& imported) {
    model::write_bundle(folder_.path("bundle"), imported.package, imported.weights);
    files::write_folder(folder_.path("out"), exports::to_marian(model::read_bundle(folder_.path("bundle"))));
    return folder_.path("out");
  }

  test::TempFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Models, MarianRoundTrip, testing::Values("ssru.bin", "rms.npz"),
                         [](const auto& name) { return std::string(name.param).substr(0, 3); });

TEST_P(MarianRoundTrip, ParametersSettingsAndTokenizersAreTheSameToTheBit) {
  const Imported one = first();
  const std::string folder = out(one);
  const Imported two = from_marian_file(folder + "/model.npz", {{folder + "/vocab.spm"}, {}});
  EXPECT_EQ(two.weights, one.weights);
  EXPECT_EQ(two.package.config.architecture->to_json(), one.package.config.architecture->to_json());
  const text::Tokenizer before(one.package.source_spm, "before"), after(two.package.source_spm, "after");
  for (const char* line : {"xi lo po", "ka qq lo", "  te   te ", "PO ß", ""}) {
    EXPECT_EQ(after.encode(line), before.encode(line)) << line;
  }
}

/// A bundle that Bergamot can compute.
class BergamotRoundTrip : public testing::TestWithParam<architecture::Tying> {
 protected:
  model::Bundle bundle() const {
    model::Package package = test::tiny_package();
    architecture::TransformerOptions& shape = test::shape_of(package.config);
    shape.tying = GetParam();
    shape.positions = architecture::Positions::kHalvedSinusoidal;
    shape.zero_start = true;
    shape.norm = architecture::NormPlace::kPost;
    shape.norm_epsilon = 1e-6;
    shape.activation = architecture::Activation::kGeluSigmoid;
    shape.d_model = shape.d_ff = 64;
    model::write_bundle(folder_.path("bundle"), package, test::with_start(test::random_model(shape, 1).weights));
    return model::read_bundle(folder_.path("bundle"));
  }

  test::TempFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Tyings, BergamotRoundTrip,
                         testing::Values(architecture::Tying::kNone, architecture::Tying::kDecoder,
                                         architecture::Tying::kAll));

TEST_P(BergamotRoundTrip, ParametersAreThoseRoundedTo8BitsAndTheSettingsAreTheSame) {
  const model::Bundle one = bundle();
  files::write_folder(folder_.path("out"), exports::to_bergamot(one));
  const std::string out = folder_.path("out");
  const Imported two = from_marian_file(out + "/model.bin", {{out + "/vocab.spm"}, {}});
  nlohmann::json before = one.package.config.architecture->to_json(),
                 after = two.package.config.architecture->to_json();
  before.erase("max_positions");
  after.erase("max_positions");
  before.erase("dropout");
  after.erase("dropout");
  EXPECT_EQ(after, before);
  const auto weights = model::Safetensors::parse(two.weights, "weights");
  for (const model::TensorView& tensor : one.weights.tensors()) {
    const std::vector<float> theirs = model::floats_of(weights, weights.at(tensor.name)),
                             ours = model::floats_of(one.weights, tensor);
    const float largest = std::abs(*std::ranges::max_element(ours, {}, [](float value) { return std::abs(value); }));
    const size_t first = tensor.shape.size() > 1 ? 3 * static_cast<size_t>(tensor.shape[1]) : 3;  // without specials
    for (size_t i = tensor.name.starts_with("generator") || tensor.name.ends_with("lut.weight") ? first : 0;
         i < ours.size(); ++i) {
      ASSERT_NEAR(theirs[i], ours[i], largest / 127) << tensor.name << ' ' << i;
    }
  }
}

TEST(MarianImport, GoesToCTranslate2WithItsPositions) {
  const test::TempFolder folder;
  const Imported imported = from_marian_file(kRoundTripFiles + "post.npz", {{}, {kRoundTripFiles + "both.yml"}});
  model::write_bundle(folder.path("bundle"), imported.package, imported.weights);
  const model::Bundle bundle = model::read_bundle(folder.path("bundle"));
  files::write_folder(folder.path("ct2"), exports::to_ctranslate2(bundle));
  const Imported again = import_model({folder.path("ct2")});
  const auto table = model::Safetensors::parse(again.weights, "weights");
  const std::vector<float> positions = model::floats_of(table, table.at("src_embed.1.pe"));
  EXPECT_EQ(std::vector<float>(positions.begin(), positions.begin() + 16),
            architecture::sinusoid_table(1, 16, architecture::halved_sinusoids));
}

}  // namespace
}  // namespace ventris::imports
