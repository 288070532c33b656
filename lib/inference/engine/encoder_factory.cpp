#include "engine/encoder_factory.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "architecture/bert_options.h"
#include "architecture/transformer_options.h"
#include "engine/factory.h"
#include "engine/packed_file.h"
#include "layers/bert_weights.h"
#include "layers/encoder.h"

namespace ventris::engine {
namespace {

using architecture::BertEncoderArchitecture;
using architecture::TransformerArchitecture;
using decoding::TextEncoderInfo;
using decoding::TokenTexts;
using layers::BertWeights;

/// Texts are encoded in groups of about this many tokens, so that the memory does not depend on the batch.
constexpr size_t kGroupTokens = 1024;

/// The weights of a model; those of a Transformer have an encoder alone.
struct SharedEncoder {
  BertWeights weights;
  TextEncoderInfo info;
};

/// A range of texts.
struct Group {
  TokenTexts texts;
  size_t tokens = 0;
};

/// The next group of `texts`, which are not empty.
Group next_group(TokenTexts texts) {
  Group group;
  size_t count = 0;
  do group.tokens += texts[count++].size();
  while (count < texts.size() && group.tokens + texts[count].size() <= kGroupTokens);
  group.texts = texts.first(count);
  return group;
}

class EngineTextEncoder : public decoding::TextEncoder {
 public:
  explicit EngineTextEncoder(std::shared_ptr<const SharedEncoder> model)
      : model_(std::move(model)),
        context_{arithmetic::kernels(), model_->weights.encoder.options, work_},
        encoder_(context_, model_->weights.encoder) {}

  const TextEncoderInfo& info() const override { return model_->info; }

  std::span<const float> states(TokenTexts texts, std::optional<int64_t> layer) override {
    result_.clear();
    each_group(texts, layer, [&](const Group& group, size_t /*first*/) {
      result_.insert(result_.end(), encoder_.states(), encoder_.states() + group.tokens * width());
    });
    return result_;
  }

  std::span<const float> pooled(TokenTexts texts) override {
    result_.clear();
    each_group(texts, {}, [&](const Group& group, size_t /*first*/) { add_pooled(group); });
    return result_;
  }

  std::span<const float> token_probabilities(TokenTexts texts, std::span<const size_t> places) override {
    result_.clear();
    each_group(texts, {}, [&](const Group& group, size_t first) {
      std::vector<size_t> inside;
      for (const size_t place : places) {
        if (place >= first && place < first + group.tokens) inside.push_back(place - first);
      }
      add_predictions(inside);
    });
    return result_;
  }

  std::span<const float> label_probabilities(TokenTexts texts) override {
    pooled(texts);
    const auto rows = static_cast<int64_t>(texts.size());
    labels_.resize(texts.size() * static_cast<size_t>(info().labels));
    layers::multiply(context_, model_->weights.classifier, result_.data(), rows, labels_.data());
    arithmetic::kernels().softmax(labels_.data(), info().labels, rows, info().labels);
    return labels_;
  }

 private:
  size_t width() const { return static_cast<size_t>(info().width); }

  /// Encodes all texts, and calls visit(group, first) for each group, whose first token has this number.
  template <typename Visit>
  void each_group(TokenTexts texts, std::optional<int64_t> layer, const Visit& visit) {
    for (size_t first = 0; !texts.empty();) {
      const Group group = next_group(texts);
      for (const auto& text : group.texts) layers::check_ids(text, model_->weights.encoder.source.tokens.n());
      if (layer) {
        encoder_.encode_to(static_cast<size_t>(*layer), group.texts);
      } else {
        encoder_.encode(group.texts);
      }
      visit(group, first);
      first += group.tokens;
      texts = texts.subspan(group.texts.size());
    }
  }

  void add_pooled(const Group& group) {
    rows_.clear();
    const float* state = encoder_.states();
    for (const auto& text : group.texts) {
      rows_.insert(rows_.end(), state, state + width());
      state += text.size() * width();
    }
    const size_t begin = result_.size();
    result_.resize(begin + rows_.size());
    layers::multiply(context_, model_->weights.pooler, rows_.data(), static_cast<int64_t>(group.texts.size()),
                     result_.data() + begin);
    for (size_t i = begin; i < result_.size(); ++i) result_[i] = std::tanh(result_[i]);
  }

  /// The probabilities at some places of the group.
  void add_predictions(const std::vector<size_t>& places) {
    if (places.empty()) return;
    const BertWeights& weights = model_->weights;
    const auto rows = static_cast<int64_t>(places.size());
    const int64_t vocab = weights.predictions.n();
    rows_.clear();
    for (const size_t place : places) {
      rows_.insert(rows_.end(), encoder_.states() + place * width(), encoder_.states() + (place + 1) * width());
    }
    float* hidden = work_.hidden.room(rows * info().width);
    layers::multiply(context_, weights.transform, rows_.data(), rows, hidden,
                     {.activation = arithmetic::Activation::kGelu});
    layers::normalise(context_, weights.transform_norm, hidden, rows, hidden);
    const size_t begin = result_.size();
    result_.resize(begin + places.size() * static_cast<size_t>(vocab));
    layers::multiply(context_, weights.predictions, hidden, rows, result_.data() + begin);
    arithmetic::kernels().softmax(result_.data() + begin, vocab, rows, vocab);
  }

  std::shared_ptr<const SharedEncoder> model_;
  layers::Workspace work_;
  layers::Context context_;
  layers::Encoder encoder_;
  std::vector<float> rows_, result_, labels_;
};

class EngineTextEncoders : public decoding::TextEncoderFactory {
 public:
  explicit EngineTextEncoders(std::shared_ptr<const SharedEncoder> model) : model_(std::move(model)) {}
  std::unique_ptr<decoding::TextEncoder> make_encoder() const override {
    return std::make_unique<EngineTextEncoder>(model_);
  }

 private:
  std::shared_ptr<const SharedEncoder> model_;
};

const TransformerArchitecture* transformer_of(const model::ModelConfig& config) {
  return dynamic_cast<const TransformerArchitecture*>(config.architecture.get());
}
const BertEncoderArchitecture* bert_of(const model::ModelConfig& config) {
  return dynamic_cast<const BertEncoderArchitecture*>(config.architecture.get());
}

/// Of the encoder of a model that translates.
std::unique_ptr<decoding::TextEncoderFactory> encoders_of(layers::TransformerWeights weights) {
  auto model = std::make_shared<SharedEncoder>();
  model->info = {.width = weights.options.d_model, .first_layer = 1, .last_layer = weights.options.encoder_layers};
  weights.options.cross_attention = architecture::CrossAttention::kLast;  // the outputs of the layers are not kept
  model->weights.encoder = std::move(weights);
  return std::make_unique<EngineTextEncoders>(std::move(model));
}

}  // namespace

std::string unsupported_encoder(const model::ModelConfig& config) {
  const std::string family = config.architecture->family();
  if (family == "bert" || family == "bert-classifier") return "";
  return family == "transformer" ? unsupported(config) : "the family '" + family + "'";
}

std::unique_ptr<decoding::TextEncoderFactory> make_text_encoders(const model::ModelConfig& config,
                                                                 const model::Safetensors& weights,
                                                                 arithmetic::Precision precision) {
  if (const auto* transformer = transformer_of(config)) {
    return encoders_of(layers::pack_encoder(transformer->options, weights, precision));
  }
  const BertEncoderArchitecture* bert = bert_of(config);
  if (bert == nullptr) throw std::invalid_argument("engine::make_text_encoders: neither a Transformer nor a BERT");
  const auto labels = static_cast<int64_t>(config.architecture->labels().size());
  auto model = std::make_shared<SharedEncoder>();
  model->weights = layers::pack_bert(bert->options, labels, weights, precision);
  model->info = {.width = bert->options.d_model,
                 .first_layer = 0,
                 .last_layer = bert->options.layers,
                 .has_pooler = true,
                 .predicts_tokens = labels == 0,
                 .labels = labels};
  return std::make_unique<EngineTextEncoders>(std::move(model));
}

std::unique_ptr<decoding::TextEncoderFactory> make_packed_text_encoders(const model::ModelConfig& config,
                                                                        const model::Safetensors& packed) {
  const TransformerArchitecture* transformer = transformer_of(config);
  if (transformer == nullptr) throw std::invalid_argument("engine::make_packed_text_encoders: not a Transformer");
  return encoders_of(from_packed(transformer->options, packed));
}

}  // namespace ventris::engine
