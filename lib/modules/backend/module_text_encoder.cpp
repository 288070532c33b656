#include "backend/module_text_encoder.h"

#include <string>
#include <utility>
#include <vector>

#include "backend/families.h"
#include "backend/scorer_tools.h"
#include "families/bert_classifier.h"

namespace ventris::backend {
namespace {

using decoding::TextEncoderInfo;
using decoding::TokenTexts;
using torch::Tensor;

/// A module and what it can do. Of the three kinds of modules, one or two are there.
struct SharedModule {
  std::shared_ptr<families::BertImpl> bert;  // the encoder of the two below
  std::shared_ptr<families::BertForPreTrainingImpl> pretraining;
  std::shared_ptr<families::BertForSequenceClassificationImpl> classifier;
  nn::Seq2Seq translating;
  ScorerOptions padding;
  TextEncoderInfo info;
};

/// What the encoder computes of a batch.
struct States {
  std::vector<Tensor> layers;  // [texts, len, width]; the first one has the number info.first_layer
  Tensor output;               // [texts, len, width]
  Tensor pooled;               // [texts, width], of a BERT
};

States states_of(const SharedModule& model, const PaddedSources& batch) {
  States states;
  if (model.bert) {
    auto found = model.bert->forward(batch.ids, torch::zeros_like(batch.ids), batch.mask);
    states.output = found.layers.back();
    states.layers = std::move(found.layers);
    states.pooled = found.pooled;
    return states;
  }
  nn::Memory memory = model.translating->encode(batch.ids, batch.mask);
  states.output = memory.output.defined() ? memory.output : memory.states;
  states.layers = std::move(memory.layers);
  return states;
}

class ModuleTextEncoder : public decoding::TextEncoder {
 public:
  explicit ModuleTextEncoder(std::shared_ptr<const SharedModule> model) : model_(std::move(model)) {}

  const TextEncoderInfo& info() const override { return model_->info; }

  std::span<const float> states(TokenTexts texts, std::optional<int64_t> layer) override {
    const c10::InferenceMode inference;
    const States found = states_of(*model_, pad_sources(texts, model_->padding));
    return keep(without_padding(
        layer ? found.layers.at(static_cast<size_t>(*layer - info().first_layer)) : found.output, texts));
  }

  std::span<const float> pooled(TokenTexts texts) override {
    const c10::InferenceMode inference;
    return keep(states_of(*model_, pad_sources(texts, model_->padding)).pooled);
  }

  std::span<const float> token_probabilities(TokenTexts texts, std::span<const size_t> places) override {
    const c10::InferenceMode inference;
    const States found = states_of(*model_, pad_sources(texts, model_->padding));
    const Tensor rows = torch::tensor(std::vector<int64_t>(places.begin(), places.end())).to(model_->padding.device);
    const Tensor chosen = without_padding(found.output, texts).index_select(0, rows);  // [places, width]
    return keep(model_->pretraining->predictions->forward(chosen).to(torch::kFloat).softmax(-1));
  }

  std::span<const float> label_probabilities(TokenTexts texts) override {
    const c10::InferenceMode inference;
    const PaddedSources batch = pad_sources(texts, model_->padding);
    const Tensor logits = model_->classifier->forward(batch.ids, torch::zeros_like(batch.ids), batch.mask);
    return keep(logits.to(torch::kFloat).softmax(-1));
  }

 private:
  /// x [texts, len, width] -> [tokens, width]
  static Tensor without_padding(const Tensor& x, TokenTexts texts) {
    std::vector<Tensor> rows;
    for (size_t i = 0; i < texts.size(); ++i) {
      rows.push_back(x[static_cast<int64_t>(i)].narrow(0, 0, static_cast<int64_t>(texts[i].size())));
    }
    return torch::cat(rows);
  }

  std::span<const float> keep(const Tensor& values) {
    kept_ = values.to(torch::kCPU, torch::kFloat).contiguous();
    return {kept_.const_data_ptr<float>(), static_cast<size_t>(kept_.numel())};
  }

  std::shared_ptr<const SharedModule> model_;
  Tensor kept_;
};

class ModuleTextEncoders : public decoding::TextEncoderFactory {
 public:
  explicit ModuleTextEncoders(std::shared_ptr<const SharedModule> model) : model_(std::move(model)) {}
  std::unique_ptr<decoding::TextEncoder> make_encoder() const override {
    return std::make_unique<ModuleTextEncoder>(model_);
  }

 private:
  std::shared_ptr<const SharedModule> model_;
};

TextEncoderInfo info_of(const SharedModule& model, const model::ModelConfig& config) {
  if (model.bert) {
    return {
        .width = config.architecture->width(),
        .first_layer = 0,
        .last_layer = static_cast<const architecture::BertEncoderArchitecture&>(*config.architecture).options.layers,
        .has_pooler = true,
        .predicts_tokens = model.pretraining != nullptr,
        .labels = static_cast<int64_t>(config.architecture->labels().size())};
  }
  const c10::InferenceMode inference;
  const std::vector<int32_t> eos{config.tokenizer.ids.eos};  // tells how many layers there are, and how wide they are
  const std::vector<std::span<const int32_t>> one{eos};
  const States states = states_of(model, pad_sources(one, model.padding));
  return {.width = states.output.size(2), .first_layer = 1, .last_layer = static_cast<int64_t>(states.layers.size())};
}

}  // namespace

std::unique_ptr<decoding::TextEncoderFactory> make_text_encoders(const nn::Model& module,
                                                                 const model::ModelConfig& config, torch::Device device,
                                                                 const std::string& name) {
  auto model = std::make_shared<SharedModule>();
  model->padding.device = device;
  model->padding.ids = config.tokenizer.ids;
  model->pretraining = std::dynamic_pointer_cast<families::BertForPreTrainingImpl>(module);
  model->classifier = std::dynamic_pointer_cast<families::BertForSequenceClassificationImpl>(module);
  if (model->pretraining) model->bert = model->pretraining->bert.ptr();
  if (model->classifier) model->bert = model->classifier->bert.ptr();
  if (!model->bert) model->translating = as_seq2seq(module, *config.architecture, name);
  model->info = info_of(*model, config);
  return std::make_unique<ModuleTextEncoders>(std::move(model));
}

}  // namespace ventris::backend
