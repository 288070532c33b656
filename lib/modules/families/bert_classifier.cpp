#include "families/bert_classifier.h"

namespace ventris::families {

BertForSequenceClassificationImpl::BertForSequenceClassificationImpl(const BertOptions& options, int64_t labels) {
  bert = register_module("bert", Bert(options));
  dropout = register_module("dropout", nn::Dropout(options.dropout));
  classifier = register_module("classifier", nn::Linear(options.d_model, labels));
}

torch::Tensor BertForSequenceClassificationImpl::forward(const torch::Tensor& ids, const torch::Tensor& segments,
                                                         const torch::Tensor& mask) {
  return classifier(dropout(bert(ids, segments, mask).pooled));  // [batch, labels]
}

}  // namespace ventris::families
