#pragma once
#include <torch/torch.h>

#include "families/bert.h"

/// A classifier of texts over the state of [CLS] of a BERT. Source: Devlin et al. 2019, section 4.1. Parameter names as
/// in BertForSequenceClassification of Hugging Face's transformers.
namespace ventris::families {

class BertForSequenceClassificationImpl : public nn::ModelImpl {
 public:
  /// `labels` is the number of classes.
  BertForSequenceClassificationImpl(const BertOptions& options, int64_t labels);

  /// ids, segments [batch, len] (long), mask bool [batch, 1, len], true = may look (undefined = everywhere) -> logits
  /// [batch, labels] of the pooled state of the first position, with dropout in between.
  torch::Tensor forward(const torch::Tensor& ids, const torch::Tensor& segments, const torch::Tensor& mask);

  /// As initialise_bert.
  void initialise() override { initialise_bert(*this); }

  Bert bert{nullptr};
  nn::Dropout dropout{nullptr};
  nn::Linear classifier{nullptr};
};
TORCH_MODULE(BertForSequenceClassification);

}  // namespace ventris::families
