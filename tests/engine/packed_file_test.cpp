#include "engine/packed_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "architecture/rnn_options.h"
#include "core/error.h"
#include "engine/packed_models.h"
#include "support/errors.h"

namespace ventris::engine {
namespace {

using architecture::CrossAttention;
using architecture::NormPlace;
using architecture::Positions;
using architecture::TransformerOptions;
using architecture::Tying;
using test::RandomModel;

TransformerOptions small_options(Tying tying) {
  return {.src_vocab = 21,
          .tgt_vocab = 21,
          .encoder_layers = 2,
          .decoder_layers = 3,
          .d_model = 10,
          .d_ff = 13,
          .heads = 2,
          .max_positions = 40,
          .tying = tying};
}

/// Models with every kind of part between them.
std::vector<TransformerOptions> all_kinds() {
  TransformerOptions rare = small_options(Tying::kNone);
  rare.positions = Positions::kLearned;
  rare.norm = NormPlace::kPost;
  rare.cross_attention = CrossAttention::kWeighted;
  rare.embedding_norm = true;
  rare.attention_bias = false;
  rare.d_k = 3;
  rare.d_v = 7;
  rare.src_vocab = 17;
  TransformerOptions recent = small_options(Tying::kNone);
  recent.norm_kind = architecture::NormKind::kRms;
  recent.gated_feed_forward = true;
  recent.positions = Positions::kRotary;
  recent.d_k = 6;
  TransformerOptions buckets = small_options(Tying::kNone);
  buckets.positions = Positions::kRelativeBias;
  buckets.relative_buckets = 6;
  return {small_options(Tying::kAll), small_options(Tying::kDecoder), rare, recent, buckets};
}

std::unique_ptr<decoding::ScorerFactory> factory_of(const model::ModelConfig& config, const std::string& bytes) {
  return make_packed_factory(config, test::packed_file(bytes), {});
}

TEST(PackedFile, GivesTheSameLogProbabilitiesAsTheBundle) {
  for (const TransformerOptions& options : all_kinds()) {
    const RandomModel model = test::random_model(options, 1);
    for (const Precision precision : test::kAllPrecisions) {
      const auto direct = make_factory(model.config, model.file(), {precision});
      const std::string bytes = test::packed(model, precision);
      EXPECT_EQ(packed_precision(test::packed_file(bytes)), precision);
      EXPECT_EQ(test::log_probs(*factory_of(model.config, bytes)), test::log_probs(*direct)) << name_of(precision);
    }
  }
}

TEST(PackedFile, PackingTwiceGivesTheSameBytes) {
  for (const TransformerOptions& options : all_kinds()) {
    const RandomModel model = test::random_model(options, 2);
    const std::string bytes = test::packed(model, Precision::kInt8);
    EXPECT_EQ(test::packed(model, Precision::kInt8), bytes);
    EXPECT_EQ(to_packed(from_packed(options, test::packed_file(bytes))), bytes);
  }
}

TEST(PackedFile, EveryPartStartsAtACacheLineAndTiedWeightsAreStoredOnce) {
  const auto bytes = test::packed(test::random_model(small_options(Tying::kAll), 3), Precision::kInt8);
  const auto file = test::packed_file(bytes);
  for (const model::TensorView& tensor : file.tensors()) {
    EXPECT_EQ((tensor.bytes.data() - file.bytes().view().data()) % 64, 0) << tensor.name;
  }
  EXPECT_TRUE(file.contains("source.tokens.weight"));
  EXPECT_TRUE(file.contains("generator.bias"));
  EXPECT_FALSE(file.contains("target.tokens.weight"));
  EXPECT_FALSE(file.contains("generator.weight"));
}

TEST(PackedFile, WeightsAreUsedWhereTheyAre) {
  const RandomModel model = test::random_model(small_options(Tying::kAll), 3);
  const auto file = test::packed_file(test::packed(model, Precision::kF32));
  const TransformerWeights weights = from_packed(test::options_of(model), file);
  EXPECT_EQ(reinterpret_cast<const char*>(weights.decoder_norm.weight.data()),
            file.at("decoder.norm.weight").bytes.data());
}

/// A model, its packed file, and what is wrong with a changed one.
class PackedFileErrors : public testing::Test {
 protected:
  void expect_error(const std::function<void(std::vector<model::TensorView>&)>& change, const std::string& part) {
    const auto file = test::packed_file(bytes);
    std::vector<model::TensorView> tensors = file.tensors();
    change(tensors);
    const std::string changed = model::write_safetensors(tensors, file.metadata());
    EXPECT_FAILS(from_packed(options, test::packed_file(changed)), ModelError, "m/model.packed: " + part);
  }
  void expect_metadata_error(const std::string& key, const std::string& value, const std::string& part) {
    const auto file = test::packed_file(bytes);
    auto metadata = file.metadata();
    metadata[key] = value;
    const std::string changed = model::write_safetensors(file.tensors(), metadata);
    EXPECT_FAILS(from_packed(options, test::packed_file(changed)), ModelError, "m/model.packed: " + part);
  }
  static model::TensorView& named(std::vector<model::TensorView>& tensors, const std::string& name) {
    return *std::find_if(tensors.begin(), tensors.end(), [&](const auto& one) { return one.name == name; });
  }

  const TransformerOptions options = small_options(Tying::kAll);
  const std::string bytes = test::packed(test::random_model(options, 4), Precision::kInt8);
};

TEST_F(PackedFileErrors, OtherVersionsAndFormatsAreNamed) {
  expect_metadata_error("format", "pt", "format: expected 'ventris-packed', found 'pt'; make the packed model again");
  expect_metadata_error("version", "1", "version: expected '2', found '1'; use the version of Ventris that made it");
  expect_metadata_error("panel", "32", "panel: expected '16', found '32'");
  expect_metadata_error("precision", "int4", "precision: expected f32, bf16 or int8, found 'int4'");
}

TEST_F(PackedFileErrors, PartsThatAreNotThoseOfTheModelAreNamed) {
  expect_error([](auto& tensors) { tensors.pop_back(); }, "part 'generator.bias': missing; expected the weights of");
  expect_error([](auto& tensors) { named(tensors, "encoder.0.w_1.weight").shape = {1, 3, 64}; },
               "part 'encoder.0.w_1.weight': expected I8 [1, 3, 16, 4] as in config.json, found I8 [1, 3, 64]");
  expect_error([](auto& tensors) { named(tensors, "encoder.0.w_1.weight").dtype = model::DType::kU8; },
               "part 'encoder.0.w_1.weight': expected I8 [1, 3, 16, 4] as in config.json, found U8 [1, 3, 16, 4]");
  const std::string more(64, 'x');
  expect_error([&](auto& tensors) { tensors.push_back({"more", model::DType::kU8, {64}, more}); },
               "expected the 150 parts of the model in config.json, found 151");
  expect_error(
      [&](auto& tensors) {
        tensors.insert(tensors.begin(), {"more", model::DType::kU8, {4}, std::string_view(more).substr(0, 4)});
      },
      "part 'source.tokens.weight': expected to start at a multiple of 64 bytes, found byte ");
}

TEST_F(PackedFileErrors, SumsThatNoColumnHasAreRefused) {
  std::string sums(64, '\0');
  sums[3] = 0x7f;
  expect_error([&](auto& tensors) { named(tensors, "decoder.1.w_2.sum").bytes = sums; },
               "part 'decoder.1.w_2.sum': expected sums of at most 211328");
}

TEST_F(PackedFileErrors, AConfigurationThatTheFileDoesNotBearOutIsRefused) {
  const auto refused = [&](const std::function<void(TransformerOptions&)>& change, const std::string& part) {
    TransformerOptions changed = options;
    change(changed);
    EXPECT_FAILS(from_packed(changed, test::packed_file(bytes)), ModelError, part);
  };
  refused([](auto& one) { one.encoder_layers = 1 << 24; }, "part 'encoder.2.query_key_value.weight': missing");
  refused([](auto& one) { one.decoder_layers = 2; }, "expected the ");
  refused([](auto& one) { one.d_ff = 1 << 14; }, "part 'encoder.0.w_1.weight': expected I8 [1024, 3, 16, 4]");
  refused([](auto& one) { one.tgt_vocab = 22; },
          "target.tokens: is tied to a matrix of 21 tokens, but the model in "
          "config.json has 22");
  refused([](auto& one) { one.d_model = 1 << 20; }, "expected layers of at most 65536 inputs in int8, found 1048576");
}

TEST(PackBundle, AModelThatTheEngineDoesNotSupportIsNotPacked) {
  model::Bundle bundle;
  bundle.package.path = "run/best";
  bundle.package.config.architecture = std::make_shared<architecture::RnnArchitecture>();
  EXPECT_FAILS(pack_bundle(bundle, Precision::kInt8), ModelError,
               "run/best: cannot be packed: the engine does not support the family 'rnn'");
}

}  // namespace
}  // namespace ventris::engine
