#include "imports/huggingface_seq2seq.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "architecture/transformer_fields.h"
#include "core/error.h"
#include "imports/tensors_in_memory.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

using architecture::Activation;
using architecture::Tying;
using testing::ElementsAre;

/// The settings of a small model, with other values for some keys (or `null`, which means that the key is missing).
ConfigFile seq2seq_config(const std::vector<std::pair<std::string, std::string>>& changes = {}) {
  std::map<std::string, std::string> values{{"d_model", "4"},
                                            {"encoder_layers", "1"},
                                            {"decoder_layers", "2"},
                                            {"encoder_attention_heads", "2"},
                                            {"decoder_attention_heads", "2"},
                                            {"encoder_ffn_dim", "3"},
                                            {"decoder_ffn_dim", "5"},
                                            {"max_position_embeddings", "16"},
                                            {"eos_token_id", "2"},
                                            {"pad_token_id", "1"},
                                            {"bos_token_id", "0"}};
  for (const auto& [key, value] : changes) values[key] = value;
  std::string json;
  for (const auto& [key, value] : values) json += (json.empty() ? "{\"" : ", \"") + key + "\": " + value;
  return {json + "}", std::string("config.json")};
}

TEST(Seq2SeqOptions, AreThoseOfConfigJson) {
  const auto options = seq2seq_options(seq2seq_config());
  EXPECT_EQ(options.d_model, 4);
  EXPECT_EQ(options.encoder_layers, 1);
  EXPECT_EQ(options.decoder_layers, 2);
  EXPECT_EQ(options.heads, 2);
  EXPECT_EQ(options.decoder_heads, 0) << "both sides have the same number";
  EXPECT_EQ(options.d_ff, 3);
  EXPECT_EQ(options.decoder_d_ff, 5);
  EXPECT_EQ(options.max_positions, 16);
  EXPECT_EQ(options.activation, Activation::kGelu) << "that of BART's class";
  EXPECT_EQ(options.dropout, 0.1);
  EXPECT_EQ(options.attention_dropout, 0);
  EXPECT_FALSE(options.scale_embeddings);
  const auto others = seq2seq_options(seq2seq_config({{"scale_embedding", "true"}, {"attention_dropout", "0.25"}}));
  EXPECT_TRUE(others.scale_embeddings);
  EXPECT_EQ(others.attention_dropout, 0.25);
}

TEST(Seq2SeqOptions, ActivationsHaveTheNamesOfTransformers) {
  for (const auto& [name, expected] :
       {std::pair("relu", Activation::kRelu), std::pair("gelu", Activation::kGelu),
        std::pair("swish", Activation::kSilu), std::pair("silu", Activation::kSilu),
        std::pair("gelu_fast", Activation::kGeluTanh), std::pair("gelu_pytorch_tanh", Activation::kGeluTanh),
        std::pair("quick_gelu", Activation::kGeluSigmoid)}) {
    const std::string quoted = "\"" + std::string(name) + "\"";
    EXPECT_EQ(seq2seq_options(seq2seq_config({{"activation_function", quoted}})).activation, expected) << name;
  }
}

TEST(Seq2SeqOptions, HeadsAreOfEvenWidthOnEachSide) {
  const auto heads = [](const std::string& count, const std::string& width) {
    return seq2seq_options(
        seq2seq_config({{"encoder_attention_heads", count}, {"decoder_attention_heads", count}, {"d_model", width}}));
  };
  EXPECT_EQ(heads("3", "6").heads, 3);
  EXPECT_FAILS(heads("3", "4"), ModelError, "config.json: d_model: expected an even multiple of the 3 heads, found 4");
  EXPECT_FAILS(heads("3", "9"), ModelError, "expected an even multiple of the 3 heads, found 9");
  EXPECT_EQ(seq2seq_options(seq2seq_config({{"decoder_attention_heads", "4"}})).decoder_heads, 4);
  EXPECT_FAILS(seq2seq_options(seq2seq_config({{"decoder_attention_heads", "3"}})), ModelError,
               "config.json: d_model: expected an even multiple of the 3 heads, found 4");
}

TEST(Seq2SeqVocabulary, RowsOfSpecialTokensAreThoseOfConfigJson) {
  const std::vector<std::string> texts{"<s>", "<pad>", "</s>", "a", "<unk>"};
  const Vocabulary found = with_special_rows(seq2seq_config(), texts, "bos_token_id", "list");
  EXPECT_THAT((std::vector{found.pad, found.unk, found.start, found.eos}), ElementsAre(1, 4, 0, 2));
  EXPECT_EQ(with_special_rows(seq2seq_config({{"decoder_start_token_id", "2"}}), texts, "bos_token_id", "list").start,
            2);
  EXPECT_FAILS(with_special_rows(seq2seq_config(), {"<s>", "<pad>", "</s>"}, "bos_token_id", "list"), ModelError,
               "list: has no token <unk>");
  EXPECT_FAILS(with_special_rows(seq2seq_config({{"pad_token_id", "null"}}), texts, "bos_token_id", "list"), ModelError,
               "config.json: pad_token_id: is missing");
}

/// Tables of two rows of 2 features, which become four: zeros, row 0, zeros, row 1.
class Seq2SeqTables : public testing::Test {
 protected:
  Seq2SeqTables() {
    options_.d_model = 2;
    for (NewVocabulary* side : {&sides_.source, &sides_.target}) {
      *side = new_vocabulary({.texts = {"<unk>", "</s>"}, .pad = kZeroRow, .unk = 0, .eos = 1, .start = kZeroRow}, {},
                             "list");
    }
    sides_.source_rows = sides_.target_rows = 2;
  }
  void take() { take_tokens(tensors_, sides_, "model.", options_, weights_); }

  TensorsInMemory tensors_;
  architecture::TransformerOptions options_;
  Sides sides_;
  const Order features_ = unchanged(2);
  BundleWeights weights_{tensors_, options_, features_};
};

TEST_F(Seq2SeqTables, OneSharedTableIsThatOfAll) {
  EXPECT_FAILS(take(), ModelError, "file: has no tensor 'model.encoder.embed_tokens.weight'");
  tensors_.add("model.shared.weight", {2, 2}, {1, 2, 3, 4});
  take();
  EXPECT_EQ(options_.tying, Tying::kAll);
  EXPECT_EQ(options_.src_vocab, 4);
  EXPECT_THAT(weights_.values("src_embed.0.lut.weight"), ElementsAre(0, 0, 1, 2, 0, 0, 3, 4));
  const std::vector<float> bias = weights_.values("generator.proj.bias");
  ASSERT_EQ(bias.size(), 4U);
  EXPECT_LT(bias[0], -1e4F) << "padding has no row";
  EXPECT_EQ(bias[3], 0);
}

TEST_F(Seq2SeqTables, TablesThatDifferAreNotTied) {
  tensors_.add("model.shared.weight", {2, 2}, {1, 2, 3, 4});
  tensors_.add("model.encoder.embed_tokens.weight", {2, 2}, {1, 2, 3, 5});
  take();
  EXPECT_EQ(options_.tying, Tying::kDecoder);
  tensors_.add("lm_head.weight", {2, 2}, {1, 2, 3, 6});
  take();
  EXPECT_EQ(options_.tying, Tying::kNone);
  EXPECT_THAT(weights_.values("generator.proj.weight"), ElementsAre(0, 0, 1, 2, 0, 0, 3, 6));
}

TEST_F(Seq2SeqTables, OneTableOfTwoVocabulariesIsNotTiedToTheSource) {
  tensors_.add("model.shared.weight", {2, 2}, {1, 2, 3, 4});
  sides_.target.texts.back() = "another";
  take();
  EXPECT_EQ(options_.tying, Tying::kDecoder);
}

TEST_F(Seq2SeqTables, TheBiasOfTheOutputIsThatOfTheFile) {
  tensors_.add("model.shared.weight", {2, 2}, {1, 2, 3, 4});
  tensors_.add("final_logits_bias", {1, 2}, {0.5, 0.25});
  take();
  EXPECT_EQ(weights_.values("generator.proj.bias")[3], 0.25);
  tensors_.add("final_logits_bias", {2}, {0.5, 0.25});
  EXPECT_FAILS(take(), ModelError, "tensor 'final_logits_bias': expected shape [1, 2], found [2]");
}

}  // namespace
}  // namespace ventris::imports
