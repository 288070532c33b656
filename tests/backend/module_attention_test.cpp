#include "backend/module_attention.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "nn/masks.h"
#include "support/errors.h"
#include "support/tiny_model.h"
#include "support/tiny_text.h"

namespace ventris::backend {
namespace {

using torch::Tensor;

const std::vector<int32_t> kSource{5, 9, 4, 17, 3}, kTarget{2, 7, 8, 21};

Tensor ids(const std::vector<int32_t>& sentence) {
  return torch::tensor(std::vector<int64_t>(sentence.begin(), sentence.end())).unsqueeze(0);
}

Tensor weights_of(const model::AttentionLayer& layer) {
  return torch::tensor(layer.weights).view({1, layer.heads, layer.q_len, layer.k_len});
}

/// What the second layers of the model read, by the model's own way through its first ones, and what they make of it.
struct SecondLayers {
  explicit SecondLayers(families::EncoderDecoder& model) {
    const torch::NoGradGuard no_grad;
    const Tensor mask = torch::ones({1, 1, 5}, torch::kBool);
    encoder_in = encoder(model, 0)->forward(model->src_embed->forward(ids(kSource)), mask);
    memory = model->encode(ids(kSource), mask).states;
    const auto first = model->decoder->layers->ptr<families::DecoderLayerImpl>(0);
    decoder_in = first->forward(model->tgt_embed->forward(ids(kTarget)), memory, mask, nn::subsequent_mask(4));
  }
  static std::shared_ptr<families::EncoderLayerImpl> encoder(families::EncoderDecoder& model, size_t layer) {
    return model->encoder->layers->ptr<families::EncoderLayerImpl>(layer);
  }
  Tensor encoder_in, memory, decoder_in;
};

/// The weights times V, through the output projection: what the module computes if they are its own.
Tensor mixed(attention::MultiHeadAttentionImpl& attention, const Tensor& weights, const Tensor& value) {
  const Tensor heads = torch::matmul(weights, attention.project(2, value)).transpose(1, 2);  // [1, len, heads, d_head]
  return attention.linears->ptr<nn::LinearImpl>(3)->forward(heads.reshape({1, heads.size(1), 16}));
}

class AttentionMapsTest : public testing::TestWithParam<nn::NormPlace> {};

TEST_P(AttentionMapsTest, TheirWeightsTimesTheValuesAreTheModulesOutput) {
  const torch::NoGradGuard no_grad;
  families::EncoderDecoder model = test::tiny_model(3, GetParam());
  const model::AttentionMaps maps = attention_maps(model, kSource, kTarget);
  const SecondLayers second(model);
  const bool pre = GetParam() == nn::NormPlace::kPre;
  auto& encoder = *SecondLayers::encoder(model, 1);
  const auto normed = [&](const torch::nn::ModuleList& sublayers, size_t i, const Tensor& x) {
    return pre ? sublayers->ptr<families::SublayerConnectionImpl>(i)->norm(x) : x;
  };
  const Tensor x = normed(encoder.sublayer, 0, second.encoder_in);
  EXPECT_TRUE(torch::allclose(mixed(*encoder.self_attn, weights_of(maps.encoder.at(1)), x), encoder.self_attn(x, x, x),
                              1e-5, 1e-6));
  auto& decoder = *model->decoder->layers->ptr<families::DecoderLayerImpl>(1);
  const Tensor y = normed(decoder.sublayer, 0, second.decoder_in);
  const Tensor self = decoder.self_attn(y, y, y, nn::subsequent_mask(4));
  EXPECT_TRUE(torch::allclose(mixed(*decoder.self_attn, weights_of(maps.decoder.at(1)), y), self, 1e-5, 1e-6));
  const Tensor after = pre ? second.decoder_in + self
                           : decoder.sublayer->ptr<families::SublayerConnectionImpl>(0)->norm(second.decoder_in + self);
  const Tensor z = normed(decoder.sublayer, 1, after);
  EXPECT_TRUE(torch::allclose(mixed(*decoder.src_attn, weights_of(maps.cross.at(1)), second.memory),
                              decoder.src_attn(z, second.memory, second.memory), 1e-5, 1e-6));
}

INSTANTIATE_TEST_SUITE_P(Norms, AttentionMapsTest, testing::Values(nn::NormPlace::kPre, nn::NormPlace::kPost));

TEST(AttentionMaps, AnEmptySideIsRefused) {
  families::EncoderDecoder model = test::tiny_model();
  EXPECT_THROW(attention_maps(model, {}, kTarget), std::invalid_argument);
  EXPECT_THROW(attention_maps(model, kSource, {}), std::invalid_argument);
}

TEST(AttentionMaps, HaveARowForEveryQueryThatSumsToOneAndNeverLooksAhead) {
  families::EncoderDecoder model = test::tiny_model();
  const model::AttentionMaps maps = attention_maps(model, kSource, kTarget);
  for (const auto* layers : {&maps.encoder, &maps.decoder, &maps.cross}) {
    ASSERT_EQ(layers->size(), 2U);
    for (const model::AttentionLayer& layer : *layers) {
      EXPECT_EQ(layer.heads, 4);
      EXPECT_TRUE(torch::allclose(weights_of(layer).sum(-1), torch::ones({1, 4, layer.q_len})));
    }
  }
  EXPECT_EQ(maps.cross[0].q_len, 4);
  EXPECT_EQ(maps.cross[0].k_len, 5);
  EXPECT_TRUE(torch::equal(weights_of(maps.decoder[1]).triu(1), torch::zeros({1, 4, 4, 4})));
}

/// A random model over a real tokenizer.
struct Readable {
  model::Package package = test::package_of_tiny_model();
  families::EncoderDecoder model{nullptr};

  Readable() {
    const auto tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
    package.source_spm = package.target_spm = tokenizer.bytes();
    test::shape_of(package.config).max_positions = 12;
    torch::manual_seed(1);
    model = families::make_model(nn::TransformerOptions{.src_vocab = tokenizer.size(),
                                                        .tgt_vocab = tokenizer.size(),
                                                        .encoder_layers = 1,
                                                        .decoder_layers = 1,
                                                        .d_model = 16,
                                                        .d_ff = 16,
                                                        .heads = 2,
                                                        .max_positions = 12,
                                                        .tying = nn::Tying::kNone});
    model->eval();
  }
};

TEST(SentenceAttention, NamesItsRowsAndColumns) {
  Readable readable;
  const auto [labels, maps] = sentence_attention(readable.model, readable.package, "a", "a a");
  EXPECT_EQ(labels.source.back(), "</s>");
  EXPECT_EQ(labels.produced.back(), "</s>");
  EXPECT_EQ(labels.read.front(), "<s>");
  EXPECT_EQ(labels.read.size(), labels.produced.size());
  EXPECT_EQ(maps.cross.at(0).q_len, static_cast<int64_t>(labels.produced.size()));
  EXPECT_EQ(maps.cross.at(0).k_len, static_cast<int64_t>(labels.source.size()));
}

TEST(SentenceAttention, ATargetMayBeCutAtTheLongestLength) {
  Readable readable;
  const std::string longest = "a a a a a a a a a a a a a a a a a a a a";
  const auto [labels, maps] = sentence_attention(readable.model, readable.package, "a", longest, LongTarget::kCut);
  EXPECT_EQ(labels.produced.size(), 12U) << "11 tokens and eos";
  EXPECT_EQ(maps.cross.at(0).q_len, 12);
}

TEST(SentenceAttention, ASentenceThatTheModelCannotReadIsRefused) {
  Readable readable;
  const std::string longest = "a a a a a a a a a a a a a a a a a a a a";
  EXPECT_FAILS(sentence_attention(readable.model, readable.package, "", "a"), DataError,
               "the source sentence: expected 1 to 11 tokens, found 0");
  EXPECT_FAILS(sentence_attention(readable.model, readable.package, "a", longest), DataError,
               "the target sentence: expected 1 to 11 tokens, found ");
}

}  // namespace
}  // namespace ventris::backend
