#include "exports/ctranslate2.h"
#include "architecture/sinusoids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::exports {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::Key;

/// What a model.bin has.
struct Content {
  struct Array {
    std::vector<uint32_t> shape;
    int type = 0;
    std::string bytes;
  };
  std::map<std::string, Array> arrays;
  std::map<std::string, std::string> aliases;
};

class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}
  template <typename Number>
  Number number() {
    Number value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() {
    const std::string found = take(number<uint16_t>());
    EXPECT_EQ(found.back(), '\0');
    return found.substr(0, found.size() - 1);
  }
  std::string take(size_t count) {
    const std::string found = bytes_.substr(at_, count);
    EXPECT_EQ(found.size(), count);
    at_ += count;
    return found;
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string bytes_;
  size_t at_ = 0;
};

Content read(const std::string& bytes) {
  Reader reader(bytes);
  EXPECT_EQ(reader.number<uint32_t>(), 6U);
  EXPECT_EQ(reader.text(), "TransformerSpec");
  EXPECT_EQ(reader.number<uint32_t>(), 7U);
  Content content;
  for (auto left = reader.number<uint32_t>(); left > 0; --left) {
    Content::Array& array = content.arrays[reader.text()];
    for (int rank = reader.number<uint8_t>(); rank > 0; --rank) array.shape.push_back(reader.number<uint32_t>());
    array.type = reader.number<uint8_t>();
    array.bytes = reader.take(reader.number<uint32_t>());
  }
  for (auto left = reader.number<uint32_t>(); left > 0; --left) {
    const std::string name = reader.text();
    content.aliases[name] = reader.text();
  }
  EXPECT_TRUE(reader.at_end());
  return content;
}

class CTranslate2 : public testing::Test {
 protected:
  /// The files of a model with these settings; tied tensors are stored once.
  std::map<std::string, std::string> exported() {
    const std::map<std::string, bool> tied{{"tgt_embed.0.lut.weight", options().tying == architecture::Tying::kAll},
                                           {"generator.proj.weight", options().tying != architecture::Tying::kNone}};
    const std::string stored =
        options().tying == architecture::Tying::kAll ? "src_embed.0.lut.weight" : "tgt_embed.0.lut.weight";
    test::TensorList tensors;
    std::map<std::string, std::string> metadata;
    package.config.architecture->each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
      const auto found = tied.find(name);
      if (found != tied.end() && found->second) {
        metadata["alias:" + name] = stored;
      } else {
        tensors.add(name, shape);
      }
    });
    weights = model::Safetensors::parse(model::write_safetensors(tensors.views(), metadata), "weights");
    package.path = "model";
    std::map<std::string, std::string> files;
    for (auto& [name, bytes] : to_ctranslate2({package, weights})) files[name] = bytes;
    return files;
  }
  architecture::TransformerOptions& options() { return test::shape_of(package.config); }
  std::string bytes_of(const std::string& tensor) const { return std::string(weights.at(tensor).bytes); }

  model::Package package = test::tiny_package();
  model::Safetensors weights;
};

TEST_F(CTranslate2, TheFolderHasTheConfigurationTheVocabularyAndTheTokenizer) {
  const auto files = exported();
  EXPECT_EQ(files.size(), 4U);
  EXPECT_EQ(json::parse(files.at("config.json")), json({{"add_source_bos", false},
                                                        {"add_source_eos", true},
                                                        {"bos_token", "<s>"},
                                                        {"decoder_start_token", "<s>"},
                                                        {"eos_token", "</s>"},
                                                        {"layer_norm_epsilon", 1e-5},
                                                        {"unk_token", "<unk>"}}));
  const json vocabulary = json::parse(files.at("shared_vocabulary.json"));
  ASSERT_EQ(vocabulary.size(), static_cast<size_t>(options().src_vocab));
  EXPECT_EQ(vocabulary[0], "<pad>");
  EXPECT_EQ(vocabulary[3], "</s>");
  EXPECT_EQ(files.at("source.spm"), package.source_spm);
}

TEST_F(CTranslate2, TwoTokenizersGiveTwoVocabularies) {
  package.config.tokenizer.shared = false;
  options().tying = architecture::Tying::kDecoder;
  const auto other = test::tiny_tokenizer(text::TokenizerKind::kBpe);
  package.target_spm = other.bytes();
  options().tgt_vocab = other.size();
  const auto files = exported();
  EXPECT_THAT(files, testing::Not(Contains(Key("shared_vocabulary.json"))));
  EXPECT_EQ(files.at("target.spm"), other.bytes());
  EXPECT_EQ(json::parse(files.at("source_vocabulary.json")).size(), static_cast<size_t>(options().src_vocab));
  EXPECT_EQ(json::parse(files.at("target_vocabulary.json")).at(4), other.piece(4));
  const auto content = read(files.at("model.bin"));
  EXPECT_EQ(content.arrays.at("decoder/embeddings/weight").bytes, bytes_of("tgt_embed.0.lut.weight"));
  EXPECT_EQ(content.aliases.at("decoder/projection/weight"), "decoder/embeddings/weight");
}

TEST_F(CTranslate2, EveryTensorHasItsPlace) {
  const auto content = read(exported().at("model.bin"));
  const auto& arrays = content.arrays;
  const auto expect = [&](const std::string& name, const std::vector<std::string>& tensors) {
    std::string bytes;
    for (const std::string& tensor : tensors) bytes += bytes_of(tensor);
    ASSERT_THAT(arrays, Contains(Key(name)));
    EXPECT_EQ(arrays.at(name).bytes, bytes) << name;
    EXPECT_EQ(arrays.at(name).type, 0) << name;
  };
  expect("encoder/embeddings_0/weight", {"src_embed.0.lut.weight"});
  expect("encoder/layer_0/self_attention/linear_0/weight",
         {"encoder.layers.0.self_attn.linears.0.weight", "encoder.layers.0.self_attn.linears.1.weight",
          "encoder.layers.0.self_attn.linears.2.weight"});
  expect("encoder/layer_0/self_attention/linear_1/bias", {"encoder.layers.0.self_attn.linears.3.bias"});
  expect("encoder/layer_0/self_attention/layer_norm/gamma", {"encoder.layers.0.sublayer.0.norm.weight"});
  expect("encoder/layer_0/ffn/linear_0/weight", {"encoder.layers.0.feed_forward.w_1.weight"});
  expect("encoder/layer_0/ffn/layer_norm/beta", {"encoder.layers.0.sublayer.1.norm.bias"});
  expect("encoder/layer_norm/gamma", {"encoder.norm.weight"});
  expect("decoder/layer_0/attention/linear_0/weight", {"decoder.layers.0.src_attn.linears.0.weight"});
  expect("decoder/layer_0/attention/linear_1/weight",
         {"decoder.layers.0.src_attn.linears.1.weight", "decoder.layers.0.src_attn.linears.2.weight"});
  expect("decoder/layer_0/attention/linear_2/bias", {"decoder.layers.0.src_attn.linears.3.bias"});
  expect("decoder/layer_0/attention/layer_norm/beta", {"decoder.layers.0.sublayer.1.norm.bias"});
  expect("decoder/layer_0/ffn/linear_1/weight", {"decoder.layers.0.feed_forward.w_2.weight"});
  expect("decoder/layer_0/ffn/layer_norm/gamma", {"decoder.layers.0.sublayer.2.norm.weight"});
  expect("decoder/projection/bias", {"generator.proj.bias"});
  EXPECT_EQ(arrays.at("encoder/layer_0/self_attention/linear_0/weight").shape, (std::vector<uint32_t>{12, 4}));
  EXPECT_EQ(content.aliases, (std::map<std::string, std::string>{
                                 {"decoder/embeddings/weight", "encoder/embeddings_0/weight"},
                                 {"decoder/projection/weight", "encoder/embeddings_0/weight"},
                                 {"decoder/position_encodings/encodings", "encoder/position_encodings/encodings"}}));
}

TEST_F(CTranslate2, PositionsAreStored) {
  const auto content = read(exported().at("model.bin"));
  const auto& table = content.arrays.at("encoder/position_encodings/encodings");
  EXPECT_EQ(table.shape, (std::vector<uint32_t>{16, 4}));
  const std::vector<float> expected = architecture::sinusoid_table(16, 4);
  EXPECT_EQ(std::memcmp(table.bytes.data(), expected.data(), table.bytes.size()), 0);
  EXPECT_EQ(expected[0], 0) << "the sine of position 0";
  EXPECT_EQ(expected[1], 1) << "the cosine of position 0";
  options().positions = architecture::Positions::kLearned;
  const auto learned = read(exported().at("model.bin"));
  EXPECT_EQ(learned.arrays.at("decoder/position_encodings/encodings").bytes, bytes_of("tgt_embed.1.pe"));
}

TEST_F(CTranslate2, SettingsBecomeAttributes) {
  const auto flag = [](const Content& content, const std::string& name) { return content.arrays.at(name).bytes; };
  const auto usual = read(exported().at("model.bin"));
  EXPECT_EQ(flag(usual, "encoder/pre_norm"), std::string("\1"));
  EXPECT_EQ(flag(usual, "decoder/activation"), std::string(1, '\0'));
  EXPECT_EQ(flag(usual, "decoder/num_heads"), std::string("\2\0", 2));
  options().norm = architecture::NormPlace::kPost;
  options().activation = architecture::Activation::kGelu;
  options().attention_bias = false;
  options().embedding_norm = true;
  options().norm_epsilon = 0.5;
  const auto files = exported();
  const auto other = read(files.at("model.bin"));
  EXPECT_EQ(flag(other, "encoder/pre_norm"), std::string(1, '\0'));
  EXPECT_EQ(flag(other, "decoder/activation"), std::string("\3"));
  EXPECT_THAT(other.arrays, testing::Not(Contains(Key("encoder/layer_norm/gamma"))));
  EXPECT_THAT(other.arrays, testing::Not(Contains(Key("encoder/layer_0/self_attention/linear_0/bias"))));
  EXPECT_THAT(other.arrays, Contains(Key("decoder/layernorm_embedding/beta")));
  EXPECT_EQ(json::parse(files.at("config.json")).at("layer_norm_epsilon"), 0.5);
}

TEST_F(CTranslate2, AHeadThatHasLearntLinksIsNamedIfItCanBe) {
  const auto layer = [&](const model::GuidedAttention& guided) {
    package.config.guided_attention = guided;
    return read(exported().at("model.bin")).arrays.at("decoder/alignment_layer").bytes;
  };
  EXPECT_EQ(layer({}), "\xFF\xFF");  // -1
  EXPECT_EQ(layer({.layer = 1, .head = 1}), std::string(2, '\0'));
  EXPECT_EQ(layer({.layer = 1, .head = 2}), "\xFF\xFF");
  EXPECT_EQ(layer({.layer = 1, .head = 1, .reading = true}), "\xFF\xFF");
}

TEST_F(CTranslate2, WhatItCannotRunIsRefusedByName) {
  const auto refused = [&](const std::string& text) {
    EXPECT_FAILS(exported(), ModelError, "model/config.json: model." + text);
    package = test::tiny_package();
  };
  options().cross_attention = architecture::CrossAttention::kWeighted;
  refused("cross_attention: CTranslate2 has only \"last\", found \"weighted\"");
  options().attention_score = architecture::AttentionScore::kCosine;
  refused("attention_score: CTranslate2 has only \"scaled_dot\", found \"cosine\"");
  options().self_attention = architecture::SelfAttention::kLinear;
  refused("self_attention: CTranslate2 has only \"full\", found \"linear\"");
  options().d_k = 3;
  refused("d_k: CTranslate2 has only d_model / heads, found 3");
  options().experts = 4;
  refused("experts: CTranslate2 has only 0, found 4");
}

}  // namespace
}  // namespace ventris::exports
