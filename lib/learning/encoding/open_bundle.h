#pragma once
#include <string>

#include "families/bert.h"
#include "families/bert_classifier.h"
#include "model/package.h"

namespace ventris::encoding {

/// Opens a bundle whose weights are all finite. From then on, LibTorch uses one thread per operation. Throws ModelError
/// if it is missing, damaged, or an export.
model::Bundle open_bundle(const std::string& path);

/// The module of a bundle, in eval mode. Throws ModelError.
nn::Model module_of(const model::Bundle& bundle, torch::Device device);

/// The same, as a BERT with the heads of its pre-training. Throws ModelError if it is of another family.
families::BertForPreTraining bert_of(const model::Bundle& bundle, torch::Device device);

/// The same, as a classifier. Throws ModelError if it is of another family.
families::BertForSequenceClassification classifier_of(const model::Bundle& bundle, torch::Device device);

}  // namespace ventris::encoding
