#include "encoding/embedder.h"

#include <algorithm>
#include <utility>

#include "backend/families.h"
#include "core/error.h"
#include "encoding/batch.h"
#include "encoding/open_bundle.h"

namespace ventris::encoding {
namespace {

using torch::Tensor;

/// The values of a vector [width].
std::vector<float> values_of(const Tensor& vector) {
  const Tensor host = vector.to(torch::kCPU, torch::kFloat).contiguous();
  const float* data = host.const_data_ptr<float>();
  return {data, data + host.numel()};
}

/// The encoder of a BERT or of a classifier; null for a model that translates.
std::shared_ptr<families::BertImpl> bert_inside(const nn::Model& module) {
  if (const auto bert = std::dynamic_pointer_cast<families::BertForPreTrainingImpl>(module)) return bert->bert.ptr();
  const auto classifier = std::dynamic_pointer_cast<families::BertForSequenceClassificationImpl>(module);
  return classifier ? classifier->bert.ptr() : nullptr;
}

}  // namespace

Embedder::Embedder(const model::Bundle& bundle, torch::Device device, const EmbedderOptions& options)
    : inputs_(bundle.package), options_(options), device_(device) {
  const nn::Model module = module_of(bundle, device);
  bert_ = bert_inside(module);
  if (!bert_) translating_ = backend::as_seq2seq(module, *bundle.package.config.architecture, bundle.package.path);
  check_pooling();
  Input one;  // tells how many layers there are, and how wide they are
  one.ids = {inputs_.ids().eos};
  width_ = states_of({&one}).tokens.size(2);
}

void Embedder::check_pooling() const {
  const bool mean = options_.pooling == Pooling::kMean;
  if (!mean && !bert_) {
    fail<ConfigError>("--pooling: only a BERT has [CLS] and a pooler; this model has none, so use mean");
  }
  if (!mean && options_.words) fail<ConfigError>("--words, --pooling: the vector of a word is a mean; use mean");
  if (options_.pooling == Pooling::kPooler && options_.layer) {
    fail<ConfigError>("--layer: the pooler reads the last layer; leave out --layer, or use another --pooling");
  }
}

/// The layer that was asked for; the first of `layers` has the number `first`.
Tensor Embedder::chosen(const std::vector<Tensor>& layers, int64_t first, const Tensor& output) const {
  if (!options_.layer) return output;
  const int64_t last = first + static_cast<int64_t>(layers.size()) - 1;
  if (layers.empty()) fail<ConfigError>("--layer: this model has no layers to choose from; leave it out");
  if (*options_.layer < first || *options_.layer > last) {
    fail<ConfigError>("--layer: the model has layers ", first, " to ", last, ", got ", *options_.layer);
  }
  return layers[static_cast<size_t>(*options_.layer - first)];
}

Embedder::States Embedder::states_of(const std::vector<const Input*>& batch) const {
  const c10::InferenceMode inference;
  const PaddedBatch padded = pad(batch, inputs_.ids(), device_);
  if (bert_) {
    const auto states = bert_->forward(padded.ids, torch::zeros_like(padded.ids), padded.mask);
    return {chosen(states.layers, 0, states.layers.back()), states.pooled};
  }
  const nn::Memory memory = translating_->encode(padded.ids, padded.mask);
  return {chosen(memory.layers, 1, memory.output.defined() ? memory.output : memory.states), {}};
}

Vectors Embedder::sentence_of(const States& states, int64_t row, const Input& input) const {
  const Tensor tokens = states.tokens[row];  // [len, width]
  if (options_.pooling == Pooling::kPooler) return {values_of(states.pooled[row]), {true}};
  if (options_.pooling == Pooling::kCls) return {values_of(tokens[0]), {true}};
  const Pieces pieces = pieces_of(input, inputs_.ids());
  return {values_of(tokens.narrow(0, static_cast<int64_t>(pieces.begin), static_cast<int64_t>(pieces.count)).mean(0)),
          {true}};
}

Vectors Embedder::words_of(const States& states, int64_t row, const Input& input) const {
  const Tensor tokens = states.tokens[row].to(torch::kCPU, torch::kFloat).contiguous();  // [len, width]
  const float* token = tokens.const_data_ptr<float>();
  const auto width = static_cast<size_t>(width_);
  // Words that were cut off have no vectors.
  const auto count =
      static_cast<size_t>(input.words.empty() ? 0 : *std::max_element(input.words.begin(), input.words.end()) + 1);
  Vectors words{std::vector<float>(count * width, 0.0F), std::vector<bool>(count, false)};
  std::vector<float> pieces(count, 0.0F);  // of each word
  for (size_t i = 0; i < input.words.size(); ++i) {
    if (input.words[i] < 0) continue;
    const auto word = static_cast<size_t>(input.words[i]);
    for (size_t k = 0; k < width; ++k) words.values[word * width + k] += token[i * width + k];
    pieces[word] += 1;
    words.known[word] = true;
  }
  for (size_t i = 0; i < words.values.size(); ++i) words.values[i] /= std::max(pieces[i / width], 1.0F);
  return words;
}

std::vector<Vectors> Embedder::embed(const std::vector<const Input*>& batch) const {
  const c10::InferenceMode inference;
  const States states = states_of(batch);
  std::vector<Vectors> all;
  for (size_t i = 0; i < batch.size(); ++i) {
    const auto row = static_cast<int64_t>(i);
    all.push_back(options_.words ? words_of(states, row, *batch[i]) : sentence_of(states, row, *batch[i]));
  }
  return all;
}

}  // namespace ventris::encoding
