#include "layers/weights.h"

#include <gtest/gtest.h>

#include <map>

#include "core/error.h"
#include "support/errors.h"
#include "support/random_numbers.h"

namespace ventris::layers {
namespace {

using architecture::TransformerOptions;
using Floats = std::vector<float>;

const TransformerOptions kSmall{.src_vocab = 9,
                                .tgt_vocab = 7,
                                .encoder_layers = 2,
                                .decoder_layers = 1,
                                .d_model = 6,
                                .d_ff = 5,
                                .heads = 2,
                                .max_positions = 10,
                                .tying = architecture::Tying::kNone};

/// Random weights, except those that `leave_out` names.
model::Safetensors random_weights(const TransformerOptions& options, const std::string& leave_out = "") {
  test::RandomNumbers random(1);
  std::map<std::string, Floats> values;
  std::vector<model::TensorView> views;
  architecture::TransformerArchitecture(options).each_tensor(
      [&](const std::string& name, const std::vector<int64_t>& shape) {
        const Floats& stored = values[name] = random.values(model::elements_of(shape));
        if (name == leave_out) return;
        views.push_back({name,
                         model::DType::kF32,
                         shape,
                         {reinterpret_cast<const char*>(stored.data()), sizeof(float) * stored.size()}});
      });
  return model::Safetensors::parse(model::write_safetensors(views, {}), "weights");
}

Floats row_of(const Matrix& matrix, int64_t row) {
  Floats values(static_cast<size_t>(matrix.k()));
  matrix.row(row, 1, values.data());
  return values;
}

TEST(PackedWeights, OfTheEncoderAloneAreThoseOfTheWholeModel) {
  const auto file = random_weights(kSmall);
  const auto whole = pack_weights(kSmall, file, Precision::kF32), encoder = pack_encoder(kSmall, file, Precision::kF32);
  const auto layers = pack_encoder_layers(kSmall, file, Precision::kF32);
  ASSERT_EQ(encoder.encoder.size(), 2U);
  ASSERT_EQ(layers.size(), 2U);
  EXPECT_TRUE(encoder.decoder.empty());
  EXPECT_EQ(whole.decoder.size(), 1U);
  for (size_t i = 0; i < 2; ++i) {
    for (int64_t row = 0; row < kSmall.d_model; ++row) {
      const Floats expected = row_of(whole.encoder[i].query_key_value, row);
      EXPECT_EQ(row_of(encoder.encoder[i].query_key_value, row), expected);
      EXPECT_EQ(row_of(layers[i].query_key_value, row), expected);
    }
  }
  EXPECT_NE(encoder.source.sinusoids, nullptr);
}

TEST(PackedWeights, ProjectionsAreSideBySide) {
  const auto file = random_weights(kSmall);
  const auto weights = pack_weights(kSmall, file, Precision::kF32);
  const auto& tensor = file.at("encoder.layers.1.self_attn.linears.2.weight");
  const auto* values = reinterpret_cast<const float*>(tensor.bytes.data());
  EXPECT_EQ(row_of(weights.encoder[1].query_key_value, 2 * kSmall.d_model), Floats(values, values + kSmall.d_model));
}

TEST(PackedWeights, AMissingTensorIsNamed) {
  const auto file = random_weights(kSmall, "decoder.layers.0.feed_forward.w_2.bias");
  EXPECT_FAILS(pack_weights(kSmall, file, Precision::kF32), ModelError, "decoder.layers.0.feed_forward.w_2.bias");
}

TEST(PackedWeights, LayersThatAreTooWideForInt8AreRefused) {
  TransformerOptions wide = kSmall;
  wide.d_ff = kMostInt8Inputs + 1;
  EXPECT_EQ(most_inputs(wide), kMostInt8Inputs + 1);
  EXPECT_FAILS(pack_weights(wide, random_weights(kSmall), Precision::kInt8), ConfigError,
               "precision int8: takes layers of at most 65536 inputs, but this model has 65537; use f32 or bf16");
}

}  // namespace
}  // namespace ventris::layers
