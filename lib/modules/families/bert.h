#pragma once
#include <torch/torch.h>

#include <vector>

#include "architecture/bert_options.h"
#include "nn/dropout.h"
#include "nn/linear.h"
#include "nn/model.h"

/// BERT: a bidirectional Transformer encoder that learns masked words and next-sentence prediction.
/// Source: Devlin et al. 2019. Parameter names as in BertForPreTraining of Hugging Face's transformers.
namespace ventris::families {

using architecture::BertOptions;

/// Token, position and segment embeddings, then layer norm and dropout.
class BertEmbeddingsImpl : public torch::nn::Module {
 public:
  explicit BertEmbeddingsImpl(const BertOptions& options);
  /// ids, segments [batch, len] (long); segments are 0 or 1 -> [batch, len, d_model]. Throws c10::Error beyond
  /// max_positions.
  torch::Tensor forward(const torch::Tensor& ids, const torch::Tensor& segments);
  nn::Embedding word_embeddings{nullptr}, position_embeddings{nullptr}, token_type_embeddings{nullptr};
  torch::nn::LayerNorm LayerNorm{nullptr};
  nn::Dropout dropout{nullptr};
};
TORCH_MODULE(BertEmbeddings);

/// A linear layer whose output is added to the input of its block, followed by layer norm (post-norm).
class BertOutputImpl : public torch::nn::Module {
 public:
  BertOutputImpl(const BertOptions& options, int64_t in);
  /// x [batch, len, in], input [batch, len, d_model] -> [batch, len, d_model].
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& input);
  nn::Linear dense{nullptr};
  torch::nn::LayerNorm LayerNorm{nullptr};
  nn::Dropout dropout{nullptr};
};
TORCH_MODULE(BertOutput);

/// The projections of self-attention; module "attention.self".
class BertSelfAttentionImpl : public torch::nn::Module {
 public:
  explicit BertSelfAttentionImpl(const BertOptions& options);
  /// x [batch, len, d_model], mask bool [batch, 1, len], true = may look (undefined = everywhere)
  /// -> [batch, len, d_model].
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& mask);
  nn::Linear query{nullptr}, key{nullptr}, value{nullptr};
  nn::Dropout dropout{nullptr};

 private:
  int64_t heads_;
};
TORCH_MODULE(BertSelfAttention);

/// Self-attention with its output; x, mask and the result as in BertSelfAttentionImpl::forward.
class BertAttentionImpl : public torch::nn::Module {
 public:
  explicit BertAttentionImpl(const BertOptions& options);
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& mask);
  BertSelfAttention self{nullptr};
  BertOutput output{nullptr};
};
TORCH_MODULE(BertAttention);

/// The first half of the feed-forward block.
class BertIntermediateImpl : public torch::nn::Module {
 public:
  explicit BertIntermediateImpl(const BertOptions& options);
  /// [..., d_model] -> [..., d_ff], with the exact GELU.
  torch::Tensor forward(const torch::Tensor& x) { return at::gelu(dense(x)); }
  nn::Linear dense{nullptr};
};
TORCH_MODULE(BertIntermediate);

class BertLayerImpl : public torch::nn::Module {
 public:
  explicit BertLayerImpl(const BertOptions& options);
  /// x and mask as in BertSelfAttentionImpl::forward -> [batch, len, d_model].
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& mask);
  BertAttention attention{nullptr};
  BertIntermediate intermediate{nullptr};
  BertOutput output{nullptr};
};
TORCH_MODULE(BertLayer);

/// The result of the encoder for a batch of inputs.
struct BertStates {
  std::vector<torch::Tensor> layers;  ///< [batch, len, d_model] each: the embeddings, then the output of every layer
  torch::Tensor pooled;               ///< [batch, d_model]: tanh of a linear layer over the first position
};

/// The encoder without the heads; module "bert".
class BertImpl : public torch::nn::Module {
 public:
  explicit BertImpl(const BertOptions& options);
  /// ids, segments [batch, len] (long), mask bool [batch, 1, len], true = may look (undefined = everywhere).
  BertStates forward(const torch::Tensor& ids, const torch::Tensor& segments, const torch::Tensor& mask);
  BertEmbeddings embeddings{nullptr};
  torch::nn::ModuleDict encoder{nullptr};  ///< "layer": a ModuleList
  torch::nn::ModuleDict pooler{nullptr};   ///< "dense"

 private:
  torch::nn::ModuleList layer_{nullptr};
  nn::Linear pooled_{nullptr};
};
TORCH_MODULE(Bert);

/// Predicts hidden tokens; module "cls.predictions". The decoder shares the token embeddings.
class BertPredictionsImpl : public torch::nn::Module {
 public:
  BertPredictionsImpl(const BertOptions& options, const torch::Tensor& word_embeddings);
  /// States [..., d_model] -> [..., d_model], from which decoder computes logits.
  torch::Tensor transformed(const torch::Tensor& states);
  /// States [..., d_model] -> logits [..., vocab].
  torch::Tensor forward(const torch::Tensor& states) { return decoder(transformed(states)); }
  torch::Tensor bias;                         ///< [vocab], the bias of `decoder`
  torch::nn::ModuleDict transform{nullptr};   ///< "dense", "LayerNorm"
  nn::Linear decoder{nullptr};

 private:
  nn::Linear dense_{nullptr};
  torch::nn::LayerNorm norm_{nullptr};
};
TORCH_MODULE(BertPredictions);

/// Draws every matrix from a normal distribution with standard deviation 0.02, as the reference does; sets every bias
/// to 0.
void initialise_bert(torch::nn::Module& module);

/// BERT with both heads of its pre-training.
class BertForPreTrainingImpl : public nn::ModelImpl {
 public:
  explicit BertForPreTrainingImpl(const BertOptions& settings);

  /// As BertImpl::forward.
  BertStates encode(const torch::Tensor& ids, const torch::Tensor& segments, const torch::Tensor& mask) {
    return bert->forward(ids, segments, mask);
  }
  /// Logits [batch, 2] of pooled states: 0 = the second part follows the first, 1 = it does not.
  torch::Tensor next_sentence(const torch::Tensor& pooled) { return seq_relationship_(pooled); }

  /// As initialise_bert.
  void initialise() override { initialise_bert(*this); }

  const BertOptions options;
  Bert bert{nullptr};
  BertPredictions predictions{nullptr};  ///< registered as "cls.predictions"

 private:
  torch::nn::ModuleDict cls_{nullptr};
  nn::Linear seq_relationship_{nullptr};
};
TORCH_MODULE(BertForPreTraining);

}  // namespace ventris::families
