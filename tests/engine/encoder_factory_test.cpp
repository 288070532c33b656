#include "engine/encoder_factory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "architecture/bert_classifier_options.h"
#include "architecture/rnn_options.h"
#include "engine/factory.h"
#include "engine/packed_file.h"
#include "engine/random_model.h"

namespace ventris::engine {
namespace {

using Floats = std::vector<float>;
using Ids = std::vector<int32_t>;

architecture::BertOptions small_bert() {
  return {.vocab = 40, .layers = 2, .d_model = 24, .d_ff = 50, .heads = 3, .max_positions = 32};
}

/// A model with random weights.
test::RandomModel random_weights(architecture::ArchitecturePtr architecture) {
  return test::random_model(std::move(architecture), architecture::Tying::kNone, 3);
}

test::RandomModel random_bert() {
  return random_weights(std::make_shared<const architecture::BertArchitecture>(small_bert()));
}
test::RandomModel random_classifier() {
  return random_weights(std::make_shared<const architecture::BertClassifierArchitecture>(
      small_bert(), std::vector<std::string>{"a", "b", "c"}));
}
test::RandomModel random_transformer(const architecture::TransformerOptions& options) {
  return random_weights(std::make_shared<const architecture::TransformerArchitecture>(options));
}
architecture::TransformerOptions small_transformer() {
  architecture::TransformerOptions options;
  options.src_vocab = options.tgt_vocab = 40;
  options.d_model = 24;
  options.d_ff = 50;
  options.heads = 3;
  options.encoder_layers = 2;
  options.decoder_layers = 1;
  options.max_positions = 32;
  options.tying = architecture::Tying::kNone;
  return options;
}

std::unique_ptr<decoding::TextEncoder> encoder_of(const test::RandomModel& model,
                                                  Precision precision = Precision::kF32) {
  return make_text_encoders(model.config, model.file(), precision)->make_encoder();
}

/// Some texts of many lengths, more than one group of the encoder.
std::vector<Ids> some_texts() {
  test::RandomNumbers random(9);
  std::vector<Ids> texts(90);
  for (Ids& text : texts) {
    text.resize(static_cast<size_t>(random.between(1, 32)));
    for (int32_t& id : text) id = static_cast<int32_t>(random.between(0, 39));
  }
  return texts;
}
std::vector<std::span<const int32_t>> views(const std::vector<Ids>& texts) { return {texts.begin(), texts.end()}; }
Floats copy_of(std::span<const float> values) { return {values.begin(), values.end()}; }

/// What `compute` gives for all texts together must be, to the last bit, what it gives for each alone.
template <typename Compute>
void expect_independent(decoding::TextEncoder& encoder, const Compute& compute) {
  const std::vector<Ids> texts = some_texts();
  const Floats together = compute(encoder, views(texts));
  Floats alone;
  for (const Ids& text : texts) {
    const Floats one = compute(encoder, {text});
    alone.insert(alone.end(), one.begin(), one.end());
  }
  EXPECT_EQ(together, alone);
}

using Texts = std::vector<std::span<const int32_t>>;
Floats output(decoding::TextEncoder& encoder, const Texts& texts) { return copy_of(encoder.states(texts, {})); }
Floats first_layer(decoding::TextEncoder& encoder, const Texts& texts) { return copy_of(encoder.states(texts, 1)); }
Floats pooled(decoding::TextEncoder& encoder, const Texts& texts) { return copy_of(encoder.pooled(texts)); }
Floats labels(decoding::TextEncoder& encoder, const Texts& texts) {
  return copy_of(encoder.label_probabilities(texts));
}
/// At the last token of each text.
Floats last_tokens(decoding::TextEncoder& encoder, const Texts& texts) {
  std::vector<size_t> places;
  size_t end = 0;
  for (const auto& text : texts) places.push_back((end += text.size()) - 1);
  return copy_of(encoder.token_probabilities(texts, places));
}

TEST(EngineTextEncoder, ABertGivesEachTextTheSameBytesInEveryBatch) {
  for (const Precision precision : {Precision::kF32, Precision::kBf16, Precision::kInt8}) {
    const auto bert = encoder_of(random_bert(), precision), classifier = encoder_of(random_classifier(), precision);
    expect_independent(*bert, output);
    expect_independent(*bert, first_layer);
    expect_independent(*bert, pooled);
    expect_independent(*bert, last_tokens);
    expect_independent(*classifier, labels);
  }
}

TEST(EngineTextEncoder, ATransformerGivesEachTextTheSameBytesInEveryBatchWithEveryKindOfSelfAttention) {
  using architecture::SelfAttention;
  for (const auto kind : {SelfAttention::kFull, SelfAttention::kWindow, SelfAttention::kLinear, SelfAttention::kLowRank,
                          SelfAttention::kSegment}) {
    architecture::TransformerOptions options = small_transformer();
    options.self_attention = kind;
    options.window = options.low_rank_size = options.segment = 4;
    if (kind == SelfAttention::kSegment) options.positions = architecture::Positions::kRelative;
    const auto encoder = encoder_of(random_transformer(options));
    expect_independent(*encoder, output);
    expect_independent(*encoder, first_layer);
  }
}

TEST(EngineTextEncoder, SaysWhatAModelCanDo) {
  const auto bert = encoder_of(random_bert())->info(), classifier = encoder_of(random_classifier())->info();
  const auto transformer = encoder_of(random_transformer(small_transformer()))->info();
  EXPECT_EQ(bert.width, 24);
  EXPECT_EQ(bert.first_layer, 0);
  EXPECT_EQ(bert.last_layer, 2);
  EXPECT_TRUE(bert.has_pooler && bert.predicts_tokens);
  EXPECT_EQ(bert.labels, 0);
  EXPECT_TRUE(classifier.has_pooler && !classifier.predicts_tokens);
  EXPECT_EQ(classifier.labels, 3);
  EXPECT_EQ(transformer.first_layer, 1);
  EXPECT_EQ(transformer.last_layer, 2);
  EXPECT_FALSE(transformer.has_pooler || transformer.predicts_tokens);
}

TEST(EngineTextEncoder, TheOutputIsTheLastLayerUnlessAFinalNormFollows) {
  const std::vector<Ids> texts = some_texts();
  const auto bert = encoder_of(random_bert()), pre = encoder_of(random_transformer(small_transformer()));
  EXPECT_EQ(output(*bert, views(texts)), copy_of(bert->states(views(texts), 2)));
  EXPECT_NE(output(*pre, views(texts)), copy_of(pre->states(views(texts), 2)));
  EXPECT_NE(copy_of(bert->states(views(texts), 0)), copy_of(bert->states(views(texts), 1)));
}

TEST(EngineTextEncoder, ProbabilitiesSumToOneAndBelongToTheirPlaces) {
  const auto bert = encoder_of(random_bert());
  const std::vector<Ids> texts{{2, 7, 8, 3}, {2, 9, 3}};
  const std::vector<size_t> all{1, 2, 5}, one{5};
  const Floats found = copy_of(bert->token_probabilities(views(texts), all));
  ASSERT_EQ(found.size(), 3U * 40U);
  for (size_t row = 0; row < 3; ++row) {
    EXPECT_NEAR(std::accumulate(&found[row * 40], &found[row * 40] + 40, 0.0), 1, 1e-5);
  }
  EXPECT_EQ(copy_of(bert->token_probabilities(views(texts), one)), Floats(found.end() - 40, found.end()));
  EXPECT_TRUE(bert->token_probabilities(views(texts), {}).empty());
}

TEST(EngineTextEncoder, LowerPrecisionsAreNearF32) {
  const std::vector<Ids> texts = some_texts();
  const Floats exact = output(*encoder_of(random_bert()), views(texts));
  for (const auto& [precision, most] : {std::pair(Precision::kBf16, 0.15F), std::pair(Precision::kInt8, 0.3F)}) {
    const Floats found = output(*encoder_of(random_bert(), precision), views(texts));
    double squares = 0;
    for (size_t i = 0; i < exact.size(); ++i) {
      EXPECT_NEAR(found[i], exact[i], most);
      squares += std::pow(found[i] - exact[i], 2);
    }
    EXPECT_LT(std::sqrt(squares / static_cast<double>(exact.size())), 0.04);
    EXPECT_GT(squares, 0);
  }
}

TEST(EngineTextEncoder, APackedTransformerGivesTheStatesOfItsBundle) {
  const test::RandomModel model = random_transformer(small_transformer());
  model::Package package;
  package.config = model.config;
  const model::Bundle bundle{package, model.file()};
  const std::vector<Ids> texts = some_texts();
  for (const Precision precision : {Precision::kF32, Precision::kInt8}) {
    const auto packed = model::Safetensors::parse(pack_bundle(bundle, precision), "packed");
    const auto encoder = make_packed_text_encoders(model.config, packed)->make_encoder();
    EXPECT_EQ(output(*encoder, views(texts)), output(*encoder_of(model, precision), views(texts)));
  }
}

TEST(EngineTextEncoder, AnIdOutsideTheVocabularyIsRefused) {
  const std::vector<Ids> texts{{40}};
  EXPECT_THROW(encoder_of(random_bert())->states(views(texts), {}), std::invalid_argument);
}

TEST(EngineTextEncoder, ModelsWithoutSuchAnEncoderAreNamed) {
  model::ModelConfig config;
  config.architecture = std::make_shared<const architecture::RnnArchitecture>();
  EXPECT_EQ(unsupported_encoder(config), "the family 'rnn'");
  config.architecture = architecture::defaults("transformer-nat");
  EXPECT_EQ(unsupported_encoder(config), "the family 'transformer-nat'");
  EXPECT_EQ(unsupported_encoder(random_classifier().config), "");
}

}  // namespace
}  // namespace ventris::engine
