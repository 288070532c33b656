#include "architecture/transformer_nat_options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::architecture {
namespace {

using nlohmann::json;

ArchitecturePtr parsed(const json& settings) {
  core::JsonReader reader(settings, "model");
  const auto found = parse("transformer-nat", "architecture", reader);
  reader.finish();
  return found;
}

const NatOptions& options_of(const ArchitecturePtr& architecture) {
  return dynamic_cast<const NatArchitecture&>(*architecture).options;
}

TEST(NatArchitecture, SettingsComeBackAsTheyWereGiven) {
  const std::vector<json> all{json::object(),
                              {{"objective", "plain"}, {"decoder_input", "soft"}, {"copy_width", 0.7}},
                              {{"objective", "plain"}, {"stop", "eos"}, {"length_factor", 3}},
                              {{"objective", "glancing"}, {"glancing_final", 0.1}, {"d_model", 64}, {"heads", 2}},
                              {{"objective", "ctc"}, {"decoder_input", "uniform"}, {"upsampling", 3}},
                              {{"objective", "ctc_glancing"}, {"glancing_updates", 10}}};
  for (const json& settings : all) {
    const ArchitecturePtr first = parsed(settings), second = parsed(first->to_json());
    EXPECT_EQ(first->to_json(), second->to_json());
    for (const auto& [key, value] : settings.items()) EXPECT_EQ(first->to_json().at(key), value) << key;
  }
}

TEST(NatArchitecture, WhatHasNoEffectIsNeitherWrittenNorTaken) {
  const json ctc = parsed({{"objective", "ctc"}})->to_json();
  for (const char* key : {"stop", "length_range", "length_weight", "length_factor", "copy_width", "glancing_ratio"}) {
    EXPECT_FALSE(ctc.contains(key)) << key;
  }
  EXPECT_FAILS(parsed({{"objective", "ctc"}, {"stop", "eos"}}), ConfigError,
               "model.stop: has an effect only with an objective other than CTC, which finds the length by itself; "
               "leave it out");
  EXPECT_FAILS(parsed({{"upsampling", 2}}), ConfigError,
               "model.upsampling: has an effect only with \"objective\": \"ctc\"");
  EXPECT_FAILS(parsed({{"objective", "plain"}, {"stop", "eos"}, {"length_range", 9}}), ConfigError,
               "model.length_range: has an effect only with \"stop\": \"length\"");
  EXPECT_FAILS(parsed({{"copy_width", 1.0}}), ConfigError,
               "model.copy_width: has an effect only with \"decoder_input\": \"soft\"");
}

TEST(NatArchitecture, MaskPredictNeedsMasksAndALength) {
  EXPECT_FAILS(parsed({{"positions", "relative"}}), ConfigError,
               "model.positions: 'relative' does not work with this family; use 'sinusoidal' or 'learned'");
  EXPECT_FAILS(parsed({{"positions", "rotary"}}), ConfigError, "model.positions: 'rotary' does not work with this");
  EXPECT_FAILS(parsed({{"positions", "relative_bias"}}), ConfigError,
               "model.positions: 'relative_bias' does not work with this family; use 'sinusoidal' or 'learned'");
  EXPECT_FAILS(parsed({{"objective", "mask_predict"}, {"decoder_input", "uniform"}}), ConfigError,
               "model.decoder_input: must be 'mask' with 'objective': 'mask_predict', got 'uniform'; use mask, or the "
               "objective glancing, plain or ctc");
  EXPECT_FAILS(parsed({{"objective", "mask_predict"}, {"stop", "eos"}}), ConfigError,
               "model.stop: must be 'length' with 'objective': 'mask_predict', got 'eos'");
  EXPECT_FAILS(parsed({{"d_model", 9}}), ConfigError, "model.d_model: must be a multiple of heads (8), got 9");
}

TEST(NatArchitecture, TargetPositionsAreLimitedToo) {
  EXPECT_FAILS(parsed({{"objective", "ctc"}, {"max_positions", 65536}}), ConfigError,
               "model.max_positions: a source of this length has 131072 target positions, expected at most 65536; make "
               "it, or upsampling, smaller");
}

TEST(NatArchitecture, SaysHowItsModelsWrite) {
  const architecture::Writing refined = parsed({{"length_range", 20}})->writing();
  EXPECT_TRUE(refined.all_at_once && refined.refines);
  EXPECT_EQ(refined.lengths, 41);
  const architecture::Writing ctc = parsed({{"objective", "ctc"}})->writing();
  EXPECT_TRUE(ctc.all_at_once && !ctc.refines);
  EXPECT_EQ(ctc.lengths, 0);
  EXPECT_FALSE(defaults("transformer")->writing().all_at_once);
  EXPECT_EQ(parsed(json::object())->task(), "nat");
  EXPECT_TRUE(parsed(json::object())->smooths_labels());
  EXPECT_FALSE(parsed({{"objective", "ctc"}})->smooths_labels());
}

TEST(NatArchitecture, PositionsFollowFromTheSourceUnlessTheLengthIsPredicted) {
  EXPECT_EQ(options_of(parsed({{"objective", "ctc"}, {"upsampling", 3}})).positions(7), 21);
  const NatOptions eos = options_of(parsed({{"objective", "plain"}, {"stop", "eos"}, {"length_factor", 1.5}}));
  EXPECT_EQ(eos.positions(3), 10);  // 4.5, rounded up, and 5
  EXPECT_EQ(eos.most_positions(), eos.positions(eos.transformer.max_positions));
  const NatOptions length = options_of(parsed({{"max_positions", 99}}));
  EXPECT_EQ(length.most_positions(), 99);
}

}  // namespace
}  // namespace ventris::architecture
