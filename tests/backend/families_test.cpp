#include "backend/families.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "architecture/bert_classifier_options.h"
#include "architecture/transformer_options.h"
#include "support/nat_kinds.h"
#include "support/rnn_kinds.h"

namespace ventris::backend {
namespace {

using architecture::TransformerArchitecture;
using architecture::TransformerOptions;

/// Name and shape of each parameter, tied ones too.
using Tensors = std::vector<std::pair<std::string, std::vector<int64_t>>>;

Tensors expected_of(const architecture::Architecture& architecture) {
  Tensors found;
  architecture.each_tensor(
      [&](const std::string& name, const std::vector<int64_t>& shape) { found.emplace_back(name, shape); });
  return found;
}

Tensors parameters_of(const torch::nn::Module& module) {
  Tensors found;
  for (const auto& item : module.named_parameters()) found.emplace_back(item.key(), item.value().sizes().vec());
  return found;
}

TEST(Families, TheTensorsOfASettingAreTheParametersOfItsModule) {
  TransformerOptions options{.src_vocab = 11,
                             .tgt_vocab = 11,
                             .encoder_layers = 2,
                             .decoder_layers = 3,
                             .d_model = 8,
                             .d_ff = 12,
                             .heads = 2,
                             .max_positions = 16};
  for (const auto norm : {architecture::NormPlace::kPre, architecture::NormPlace::kPost}) {
    for (const auto positions : {architecture::Positions::kSinusoidal, architecture::Positions::kLearned}) {
      for (const auto tying : {architecture::Tying::kNone, architecture::Tying::kDecoder, architecture::Tying::kAll}) {
        options.norm = norm;
        options.positions = positions;
        options.tying = tying;
        const TransformerArchitecture architecture(options);
        EXPECT_EQ(expected_of(architecture), parameters_of(*make_module(architecture)));
      }
    }
  }
}

TEST(Families, TheTensorsOfVariantsOfAttentionAreTheParametersOfTheModule) {
  using architecture::AttentionScore;
  using architecture::CrossAttention;
  TransformerOptions options{.src_vocab = 11,
                             .tgt_vocab = 11,
                             .encoder_layers = 2,
                             .decoder_layers = 3,
                             .d_model = 8,
                             .d_ff = 12,
                             .heads = 2,
                             .max_positions = 16,
                             .d_k = 3,
                             .d_v = 5,
                             .embedding_norm = true};
  for (const auto cross : {CrossAttention::kMean, CrossAttention::kLayerwise, CrossAttention::kWeighted}) {
    for (const auto score : {AttentionScore::kScaledDot, AttentionScore::kDot, AttentionScore::kCosine,
                             AttentionScore::kBilinear, AttentionScore::kAdditive, AttentionScore::kGaussian}) {
      options.cross_attention = cross;
      options.attention_score = score;
      options.attention_bias = !options.attention_bias;
      const TransformerArchitecture architecture(options);
      EXPECT_EQ(expected_of(architecture), parameters_of(*make_module(architecture)));
    }
  }
}

TEST(Families, TheTensorsOfEachSelfAttentionAreTheParametersOfTheModule) {
  using architecture::Positions;
  using architecture::SelfAttention;
  for (const auto kind : {SelfAttention::kWindow, SelfAttention::kLinear, SelfAttention::kLowRank,
                          SelfAttention::kSegment, SelfAttention::kSsru}) {
    const bool segments = kind == SelfAttention::kSegment;
    const auto positions = segments ? Positions::kRelative : Positions::kSinusoidal;
    const TransformerArchitecture architecture(TransformerOptions{.src_vocab = 11,
                                                                  .tgt_vocab = 11,
                                                                  .encoder_layers = 2,
                                                                  .decoder_layers = 3,
                                                                  .d_model = 8,
                                                                  .d_ff = 12,
                                                                  .heads = 2,
                                                                  .positions = positions,
                                                                  .max_positions = 16,
                                                                  .self_attention = kind,
                                                                  .window = 3,
                                                                  .low_rank_size = 5,
                                                                  .segment = 3});
    EXPECT_EQ(expected_of(architecture), parameters_of(*make_module(architecture)));
  }
}

TEST(Families, TheTensorsOfRecurrentSettingsAreTheParametersOfTheirModules) {
  for (architecture::RnnOptions options : test::rnn_kinds()) {
    options.tgt_vocab = 29;
    EXPECT_EQ(expected_of(architecture::RnnArchitecture(options)),
              parameters_of(*make_module(architecture::RnnArchitecture(options))))
        << test::name_of(options);
    options.d_embedding = options.d_hidden;
    options.tgt_vocab = options.src_vocab;
    for (const auto tying : {architecture::Tying::kDecoder, architecture::Tying::kAll}) {
      options.tying = tying;
      const architecture::RnnArchitecture tied(options);
      EXPECT_EQ(expected_of(tied), parameters_of(*make_module(tied))) << test::name_of(options);
    }
  }
}

TEST(Families, TheTensorsOfNonAutoregressiveSettingsAreTheParametersOfTheirModules) {
  for (auto [name, options] : test::nat_kinds()) {
    for (const auto positions : {architecture::Positions::kSinusoidal, architecture::Positions::kLearned}) {
      options.transformer.positions = positions;
      const architecture::NatArchitecture architecture(options);
      EXPECT_EQ(expected_of(architecture), parameters_of(*make_module(architecture))) << name;
    }
  }
}

TEST(Families, AModelIsAModuleWhoseMatricesAreDrawnAnew) {
  const TransformerArchitecture architecture(TransformerOptions{.src_vocab = 11,
                                                                .tgt_vocab = 11,
                                                                .encoder_layers = 1,
                                                                .decoder_layers = 1,
                                                                .d_model = 8,
                                                                .d_ff = 12,
                                                                .heads = 2,
                                                                .max_positions = 16});
  torch::manual_seed(1);
  const nn::Model module = make_module(architecture);
  torch::manual_seed(1);
  const nn::Model model = make_model(architecture);
  const auto before = module->named_parameters(), after = model->named_parameters();
  for (const auto& item : before) {
    const bool same = torch::equal(item.value(), after[item.key()]);
    EXPECT_EQ(same, item.value().dim() == 1) << item.key();
  }
}

TEST(Families, TheTensorsOfAClassifierAreTheParametersOfItsModule) {
  const architecture::BertClassifierArchitecture architecture(
      architecture::BertOptions{.vocab = 11, .layers = 2, .d_model = 8, .d_ff = 12, .heads = 2, .max_positions = 16},
      {"a", "b", "c"});
  EXPECT_EQ(expected_of(architecture), parameters_of(*make_module(architecture)));
}

TEST(Families, AnAddedFamilyIsMadeByItsOwnRow) {
  const auto make = [](const architecture::Architecture& settings) { return make_module(settings); };
  static const AddedFamily added("added", {make});
  EXPECT_FALSE(family("added").to_script);
  EXPECT_TRUE(family("transformer").to_script);
  EXPECT_THROW(add_family("added", {make}), std::logic_error);
  EXPECT_THROW(family("unknown"), std::out_of_range);
}

}  // namespace
}  // namespace ventris::backend
