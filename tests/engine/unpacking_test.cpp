#include "engine/unpacking.h"

#include <gtest/gtest.h>

#include "architecture/rnn_options.h"
#include "core/error.h"
#include "engine/packed_models.h"
#include "model/floats.h"
#include "support/changed_options.h"
#include "support/errors.h"

namespace ventris::engine {
namespace {

using architecture::TransformerOptions;
using test::with;

const TransformerOptions kSmall{.src_vocab = 21,
                                .tgt_vocab = 21,
                                .encoder_layers = 2,
                                .decoder_layers = 3,
                                .d_model = 10,
                                .d_ff = 13,
                                .heads = 2,
                                .max_positions = 40,
                                .tying = architecture::Tying::kNone};

std::string unpacked(const test::RandomModel& model, Precision precision = Precision::kF32) {
  return unpack_weights(model.config, test::packed_file(test::packed(model, precision)));
}

TEST(Unpacking, GivesTheWeightsOfTheBundleBack) {
  TransformerOptions rare = kSmall;
  rare.positions = architecture::Positions::kLearned;
  rare.norm = architecture::NormPlace::kPost;
  rare.embedding_norm = true;
  rare.attention_bias = false;
  rare.d_k = 3;
  rare.d_v = 7;
  rare.src_vocab = 17;
  rare.attention_score = architecture::AttentionScore::kDot;
  TransformerOptions recent = kSmall;
  recent.norm_kind = architecture::NormKind::kRms;
  recent.gated_feed_forward = true;
  recent.positions = architecture::Positions::kRotary;
  recent.d_k = 6;
  TransformerOptions buckets = kSmall;
  buckets.positions = architecture::Positions::kRelativeBias;
  TransformerOptions recurrent = kSmall;
  recurrent.self_attention = architecture::SelfAttention::kSsru;
  TransformerOptions experts = kSmall;
  experts.experts = 3;
  for (const TransformerOptions& options : {kSmall, rare, recent, buckets, recurrent, experts,
                                            with(kSmall, &TransformerOptions::tying, architecture::Tying::kAll),
                                            with(kSmall, &TransformerOptions::tying, architecture::Tying::kDecoder)}) {
    const test::RandomModel model = test::random_model(options, 1);
    const auto expected = model.file(), found = model::Safetensors::parse(unpacked(model), "unpacked");
    model.config.architecture->each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
      EXPECT_EQ(found.at(name).shape, shape) << name;
      const auto before = model::floats_of(expected, expected.at(name)),
                 after = model::floats_of(found, found.at(name));
      ASSERT_EQ(before.size(), after.size()) << name;
      for (size_t i = 0; i < before.size(); ++i) EXPECT_FLOAT_EQ(before[i], after[i]) << name;
    });
  }
}

TEST(Unpacking, WhatPackingChangesForGoodIsRefused) {
  const auto refused = [](const TransformerOptions& options, const std::string& message) {
    EXPECT_FAILS(unpacked(test::random_model(options, 1)), ModelError, message);
  };
  refused(with(kSmall, &TransformerOptions::attention_score, architecture::AttentionScore::kCosine),
          "model.attention_score: only models with 'scaled_dot' or 'dot' can be turned back into a bundle; give the");
  refused(with(kSmall, &TransformerOptions::self_attention, architecture::SelfAttention::kLinear),
          "model.self_attention: only models with 'full', 'window' or 'ssru'");
  refused(with(kSmall, &TransformerOptions::cross_attention, architecture::CrossAttention::kWeighted),
          "model.cross_attention: only models with other values than 'weighted'");
  test::RandomModel model = test::random_model(kSmall, 1);
  EXPECT_FAILS(unpacked(model, Precision::kInt8), ModelError, "precision: only models with 'f32'");
  const auto packed = test::packed_file(test::packed(model, Precision::kF32));
  model.config.architecture = std::make_shared<architecture::RnnArchitecture>();
  EXPECT_FAILS(unpack_weights(model.config, packed), ModelError, "architecture: only models with 'transformer'");
}

}  // namespace
}  // namespace ventris::engine
