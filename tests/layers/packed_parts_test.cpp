#include "layers/packed_parts.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "architecture/transformer_parts.h"

namespace ventris::layers {
namespace {

using architecture::AttentionScore;
using architecture::CrossAttention;
using architecture::Positions;
using architecture::SelfAttention;
using architecture::TransformerOptions;
using architecture::Tying;

using Shapes = std::map<std::string, std::vector<int64_t>>;

/// The tensors of a bundle that packing would read, and the names in a packed file.
class Listed {
 public:
  void matrix(const MatrixPart& part, Matrix& /*matrix*/) {
    for (const LinearPart& layer : part.layers) {
      tensors[layer.name + ".weight"] = {layer.outputs, part.inputs};
      if (layer.bias) tensors[layer.name + ".bias"] = {layer.outputs};
    }
    EXPECT_TRUE(names.insert(part.name).second) << part.name;
  }
  void shared(const MatrixPart& part, Matrix& matrix, const Matrix& /*other*/) { this->matrix(part, matrix); }
  void vector(const VectorPart& part, Elements<float>& /*elements*/) {
    tensors[part.tensor] = part.shape;
    EXPECT_TRUE(names.insert(part.name).second) << part.name;
  }
  template <typename Layer>
  Layer& layer(std::vector<Layer>& layers, int64_t /*i*/) const {
    return layers.emplace_back();
  }

  Shapes tensors;
  std::set<std::string> names;
};

Listed listed(const ModelShape& shape) {
  TransformerWeights weights(shape.options);
  Listed found;
  PackedParts(weights, found, shape.target_positions, shape.length_classes).all();
  return found;
}

Shapes tensors_of(const architecture::Architecture& model) {
  Shapes found;
  model.each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) { found[name] = shape; });
  return found;
}

const TransformerOptions kSmall{.src_vocab = 21,
                                .tgt_vocab = 19,
                                .encoder_layers = 2,
                                .decoder_layers = 3,
                                .d_model = 10,
                                .d_ff = 13,
                                .heads = 2,
                                .max_positions = 40,
                                .tying = Tying::kNone};

TEST(PackedParts, AreMadeOfEveryTensorOfABundle) {
  for (const SelfAttention self : {SelfAttention::kFull, SelfAttention::kWindow, SelfAttention::kLinear,
                                   SelfAttention::kLowRank, SelfAttention::kSegment, SelfAttention::kSsru}) {
    for (const AttentionScore score : {AttentionScore::kScaledDot, AttentionScore::kDot, AttentionScore::kCosine,
                                       AttentionScore::kAdditive, AttentionScore::kGaussian}) {
      TransformerOptions options = kSmall;
      options.self_attention = self;
      options.attention_score = score;
      const architecture::TransformerArchitecture model(options);
      EXPECT_EQ(listed(options).tensors, tensors_of(model)) << static_cast<int>(self) << static_cast<int>(score);
    }
  }
}

TEST(PackedParts, OfOptionalPartsAreThoseOfABundleToo) {
  TransformerOptions rare = kSmall;
  rare.positions = Positions::kLearned;
  rare.norm = architecture::NormPlace::kPost;
  rare.cross_attention = CrossAttention::kWeighted;
  rare.embedding_norm = true;
  rare.attention_bias = false;
  rare.d_k = 3;
  rare.d_v = 7;
  TransformerOptions recent = kSmall;
  recent.norm_kind = architecture::NormKind::kRms;
  recent.gated_feed_forward = true;
  recent.positions = Positions::kRelativeBias;
  TransformerOptions experts = recent;
  experts.experts = 3;
  experts.expert_interval = 2;
  for (const TransformerOptions& options : {rare, recent, experts}) {
    EXPECT_EQ(listed(options).tensors, tensors_of(architecture::TransformerArchitecture(options)));
  }
}

TEST(PackedParts, OfABilinearScoreLackItsMatricesWhichAreMergedIntoTheQueries) {
  TransformerOptions options = kSmall;
  options.attention_score = AttentionScore::kBilinear;
  Shapes expected = tensors_of(architecture::TransformerArchitecture(options));
  EXPECT_NE(std::erase_if(expected, [](const auto& one) { return one.first.ends_with(".score.weight"); }), 0);
  EXPECT_EQ(listed(options).tensors, expected);
}

TEST(PackedParts, OfAModelThatPredictsLengthsHaveTheirLayer) {
  architecture::NatOptions options;
  options.transformer = kSmall;
  EXPECT_EQ(listed(options).tensors, tensors_of(architecture::NatArchitecture(options)));
  EXPECT_TRUE(listed(options).names.contains("length"));
}

TEST(PackedParts, OfTheEncoderAreThoseThatNoDecoderHas) {
  TransformerWeights weights(kSmall);
  Listed found;
  PackedParts(weights, found).encoder();
  EXPECT_EQ(weights.encoder.size(), 2);
  EXPECT_TRUE(weights.decoder.empty());
  for (const auto& [name, shape] : listed(kSmall).tensors) {
    EXPECT_EQ(found.tensors.contains(name), name.starts_with("src_embed.") || name.starts_with("encoder.")) << name;
  }
}

}  // namespace
}  // namespace ventris::layers
