#include "exports/pytorch_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace ventris::exports {
namespace {

using architecture::TransformerOptions;

const PytorchNames& names_of(const std::string& code) {
  const auto found = std::ranges::find(all_pytorch_names(), code, &PytorchNames::code);
  EXPECT_NE(found, all_pytorch_names().end()) << code;
  return *found;
}

/// "NAME", or "NAME part/parts" for a part of a tensor.
std::string place_in(const std::string& code, const std::string& ours) {
  const TensorPlace place = names_of(code).place(ours);
  if (place.parts == 1) return place.name;
  return place.name + " " + std::to_string(place.part) + "/" + std::to_string(place.parts);
}

TEST(PytorchNames, TheAnnotatedTransformerHasOurNamesButForItsNorms) {
  const std::string code = "The Annotated Transformer";
  EXPECT_EQ(place_in(code, "encoder.layers.1.sublayer.0.norm.weight"), "encoder.layers.1.sublayer.0.norm.a_2");
  EXPECT_EQ(place_in(code, "decoder.norm.bias"), "decoder.norm.b_2");
  EXPECT_EQ(place_in(code, "decoder.layers.0.self_attn.linears.2.weight"),
            "decoder.layers.0.self_attn.linears.2.weight");
  EXPECT_EQ(place_in(code + " with layer norms of PyTorch", "decoder.norm.bias"), "decoder.norm.bias");
}

TEST(PytorchNames, ProjectionsOfTorchAreThirdsOfOneTensor) {
  const std::string code = "torch.nn.Transformer";
  EXPECT_EQ(place_in(code, "decoder.layers.0.src_attn.linears.2.weight"),
            "transformer.decoder.layers.0.multihead_attn.in_proj_weight 2/3");
  EXPECT_EQ(place_in(code, "encoder.layers.5.self_attn.linears.0.bias"),
            "transformer.encoder.layers.5.self_attn.in_proj_bias 0/3");
  EXPECT_EQ(place_in(code, "encoder.layers.5.self_attn.linears.3.bias"),
            "transformer.encoder.layers.5.self_attn.out_proj.bias");
  EXPECT_EQ(place_in(code, "encoder.layers.5.feed_forward.w_2.bias"), "transformer.encoder.layers.5.linear2.bias");
  EXPECT_EQ(place_in(code, "decoder.layers.5.sublayer.2.norm.bias"), "transformer.decoder.layers.5.norm3.bias");
  EXPECT_EQ(place_in(code, "generator.proj.bias"), "generator.bias");
  EXPECT_EQ(place_in(code, "tgt_embed.0.lut.weight"), "tgt_tok_emb.embedding.weight");
  EXPECT_EQ(place_in(code, "encoder.norm.weight"), "transformer.encoder.norm.weight");
}

TEST(PytorchNames, TheNormOfABlockIsInTheBlock) {
  const std::string code = "attention-is-all-you-need-pytorch";
  EXPECT_EQ(place_in(code, "encoder.layers.0.sublayer.0.norm.weight"),
            "encoder.layer_stack.0.slf_attn.layer_norm.weight");
  EXPECT_EQ(place_in(code, "encoder.layers.0.sublayer.1.norm.weight"),
            "encoder.layer_stack.0.pos_ffn.layer_norm.weight");
  EXPECT_EQ(place_in(code, "decoder.layers.0.sublayer.1.norm.weight"),
            "decoder.layer_stack.0.enc_attn.layer_norm.weight");
  EXPECT_EQ(place_in(code, "decoder.layers.0.sublayer.2.norm.bias"), "decoder.layer_stack.0.pos_ffn.layer_norm.bias");
  EXPECT_EQ(place_in(code, "decoder.layers.0.src_attn.linears.3.weight"), "decoder.layer_stack.0.enc_attn.fc.weight");
  EXPECT_EQ(place_in(code, "tgt_embed.1.norm.bias"), "decoder.layer_norm.bias");
  EXPECT_EQ(place_in(code, "generator.proj.bias"), "") << "it has none";
}

/// Our tensors of a Transformer with the settings of a code.
std::vector<std::string> tensors_with(const PytorchNames& code) {
  TransformerOptions options;
  options.src_vocab = options.tgt_vocab = 8;
  code.settings(options);
  std::vector<std::string> names;
  architecture::each_transformer_tensor(
      options, options.max_positions,
      [&](const std::string& name, const std::vector<int64_t>&) { names.push_back(name); });
  return names;
}

TEST(PytorchNames, NoTwoTensorsHaveOnePlaceAndThoseOfAFileAreAmongThem) {
  for (const PytorchNames& code : all_pytorch_names()) {
    std::set<std::string> places, names;
    for (const std::string& ours : tensors_with(code)) {
      const TensorPlace place = code.place(ours);
      if (place.name.empty()) continue;
      EXPECT_TRUE(places.insert(place.name + std::to_string(place.part)).second) << code.code << ": " << place.name;
      EXPECT_LT(place.part, place.parts);
      names.insert(place.name);
    }
    for (const std::string& name : {code.source_table, code.target_table, code.output, code.layer + "0." + code.inner,
                                    code.layer + "0." + code.queries}) {
      EXPECT_TRUE(names.contains(name)) << code.code << ": " << name;
    }
  }
}

TEST(PytorchNames, SettingsAreThoseThatACodeComputesWith) {
  const auto settings = [](const std::string& code) {
    TransformerOptions options;
    names_of(code).settings(options);
    return options;
  };
  EXPECT_EQ(settings("The Annotated Transformer").norm_epsilon, 1e-6);
  EXPECT_TRUE(settings("torch.nn.Transformer").final_norm);
  EXPECT_EQ(settings("torch.nn.Transformer").norm, architecture::NormPlace::kPost);
  const TransformerOptions separate = settings("attention-is-all-you-need-pytorch");
  EXPECT_TRUE(separate.embedding_norm && !separate.attention_bias && !separate.scale_embeddings);
}

}  // namespace
}  // namespace ventris::exports
