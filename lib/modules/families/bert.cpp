#include "families/bert.h"

#include <cmath>
#include <string>
#include <utility>

#include "attention/fused_attention.h"
#include "attention/gpu_attention.h"
#include "nn/cpu_types.h"
#include "nn/module_parameters.h"

namespace ventris::families {
namespace {

using torch::Tensor;
using torch::nn::ModuleDict;
using torch::nn::ModuleList;

constexpr double kStandardDeviation = 0.02;  // of the initial weights

torch::nn::LayerNorm make_norm(const BertOptions& options) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({options.d_model}).eps(options.norm_epsilon));
}

/// A module without parameters of its own that only gives its children the names of the reference.
ModuleDict group(const std::vector<std::pair<std::string, std::shared_ptr<torch::nn::Module>>>& children) {
  ModuleDict dict;
  dict->update(children);
  return dict;
}

}  // namespace

BertEmbeddingsImpl::BertEmbeddingsImpl(const BertOptions& options) {
  word_embeddings = register_module("word_embeddings", nn::Embedding(options.vocab, options.d_model));
  position_embeddings = register_module("position_embeddings", nn::Embedding(options.max_positions, options.d_model));
  token_type_embeddings = register_module("token_type_embeddings", nn::Embedding(2, options.d_model));
  LayerNorm = register_module("LayerNorm", make_norm(options));
  dropout = register_module("dropout", nn::Dropout(options.dropout));
}

Tensor BertEmbeddingsImpl::forward(const Tensor& ids, const Tensor& segments) {
  const int64_t length = ids.size(1), most = position_embeddings->weight.size(0);
  TORCH_CHECK(length <= most, "BertEmbeddings: ", length, " tokens are more than the ", most,
              " positions of the model");
  const Tensor positions = position_embeddings->weight.narrow(0, 0, length);  // [len, d_model]
  return dropout(LayerNorm(word_embeddings(ids) + positions + token_type_embeddings(segments)));
}

BertOutputImpl::BertOutputImpl(const BertOptions& options, int64_t in) {
  dense = register_module("dense", nn::Linear(in, options.d_model));
  LayerNorm = register_module("LayerNorm", make_norm(options));
  dropout = register_module("dropout", nn::Dropout(options.dropout));
}

Tensor BertOutputImpl::forward(const Tensor& x, const Tensor& input) {
  return LayerNorm(dropout->add_to(input, dense(x)));
}

BertSelfAttentionImpl::BertSelfAttentionImpl(const BertOptions& options) : heads_(options.heads) {
  query = register_module("query", nn::Linear(options.d_model, options.d_model));
  key = register_module("key", nn::Linear(options.d_model, options.d_model));
  value = register_module("value", nn::Linear(options.d_model, options.d_model));
  dropout = register_module("dropout", nn::Dropout(options.attention_dropout));
}

Tensor BertSelfAttentionImpl::forward(const Tensor& x, const Tensor& mask) {
  if (nn::has_cpu_kernels(x)) {
    const bool drops = is_training() && dropout->p > 0;
    return attention::cpu_attention({query(x), key(x), value(x)}, heads_, mask, drops ? dropout->p : 0,
                                    drops ? nn::draw_dropout_seed() : 0);
  }
  const auto split = [this](const Tensor& y) {
    return y.view({y.size(0), y.size(1), heads_, y.size(2) / heads_}).transpose(1, 2);  // [batch, heads, len, d_head]
  };
  const Tensor q = split(query(x)), k = split(key(x)), v = split(value(x));
  if (x.is_cuda()) return attention::gpu_attention(q, k, v, mask, is_training() ? dropout->p : 0);
  Tensor scores = at::matmul(q, k.transpose(-2, -1)) / std::sqrt(static_cast<double>(q.size(-1)));
  if (mask.defined()) scores = scores.masked_fill(mask.unsqueeze(1).logical_not(), -1e9);  // [batch, heads, len, len]
  return at::matmul(dropout(scores.softmax(-1)), v).transpose(1, 2).reshape(x.sizes());
}

BertAttentionImpl::BertAttentionImpl(const BertOptions& options) {
  self = register_module("self", BertSelfAttention(options));
  output = register_module("output", BertOutput(options, options.d_model));
}

Tensor BertAttentionImpl::forward(const Tensor& x, const Tensor& mask) { return output(self(x, mask), x); }

BertIntermediateImpl::BertIntermediateImpl(const BertOptions& options) {
  dense = register_module("dense", nn::Linear(options.d_model, options.d_ff));
}

BertLayerImpl::BertLayerImpl(const BertOptions& options) {
  attention = register_module("attention", BertAttention(options));
  intermediate = register_module("intermediate", BertIntermediate(options));
  output = register_module("output", BertOutput(options, options.d_ff));
}

Tensor BertLayerImpl::forward(const Tensor& x, const Tensor& mask) {
  const Tensor attended = attention(x, mask);
  return output(intermediate(attended), attended);
}

BertImpl::BertImpl(const BertOptions& options) {
  embeddings = register_module("embeddings", BertEmbeddings(options));
  layer_ = ModuleList();
  for (int64_t i = 0; i < options.layers; ++i) layer_->push_back(BertLayer(options));
  encoder = register_module("encoder", group({{"layer", layer_.ptr()}}));
  pooled_ = nn::Linear(options.d_model, options.d_model);
  pooler = register_module("pooler", group({{"dense", pooled_.ptr()}}));
}

BertStates BertImpl::forward(const Tensor& ids, const Tensor& segments, const Tensor& mask) {
  BertStates states;
  states.layers.push_back(embeddings(ids, segments));
  for (const auto& layer : *layer_) {
    states.layers.push_back(layer->as<BertLayerImpl>()->forward(states.layers.back(), mask));
  }
  states.pooled = pooled_(states.layers.back().select(1, 0)).tanh();  // [batch, d_model]
  return states;
}

BertPredictionsImpl::BertPredictionsImpl(const BertOptions& options, const Tensor& word_embeddings) {
  bias = register_parameter("bias", torch::zeros({options.vocab}));
  dense_ = nn::Linear(options.d_model, options.d_model);
  norm_ = make_norm(options);
  transform = register_module("transform", group({{"dense", dense_.ptr()}, {"LayerNorm", norm_.ptr()}}));
  decoder = register_module("decoder", nn::Linear(options.d_model, options.vocab));
  decoder->share_weight(word_embeddings);
  decoder->share_bias(bias);
}

Tensor BertPredictionsImpl::transformed(const Tensor& states) { return norm_(at::gelu(dense_(states))); }

BertForPreTrainingImpl::BertForPreTrainingImpl(const BertOptions& settings) : options(settings) {
  bert = register_module("bert", Bert(options));
  predictions = BertPredictions(options, bert->embeddings->word_embeddings->weight);
  seq_relationship_ = nn::Linear(options.d_model, 2);
  cls_ = register_module("cls",
                         group({{"predictions", predictions.ptr()}, {"seq_relationship", seq_relationship_.ptr()}}));
}

void initialise_bert(torch::nn::Module& module) {
  const torch::NoGradGuard no_grad;
  for (const auto& [name, value] : nn::distinct_named_parameters(module)) {
    if (value.dim() == 2) value.normal_(0, kStandardDeviation);
    if (name.ends_with("bias")) value.zero_();
  }
}

}  // namespace ventris::families
