#include "training/classification_objective.h"

#include <memory>

#include "data/labelled_batches.h"
#include "families/bert_classifier.h"
#include "nn/masks.h"

namespace ventris::training {

BatchLoss ClassificationObjective::loss(nn::ModelImpl& model, const data::Batch& batch, bool learn) const {
  using torch::Tensor;
  auto& classifier = dynamic_cast<families::BertForSequenceClassificationImpl&>(model);
  const Tensor source = to_tensor(batch.source, batch.sentences, batch.src_len, options_.device);
  const Tensor labels = to_tensor(batch.classes, batch.sentences, 1, options_.device);  // [texts, 1]
  const Tensor logits =
      classifier.forward(source, torch::zeros_like(source), nn::padding_mask(source, options_.ids.pad));
  const Tensor scores = logits.to(torch::kFloat).log_softmax(-1);  // [texts, labels]
  Tensor nll = -scores.gather(1, labels).squeeze(1);               // [texts]
  const double smoothing = options_.label_smoothing;
  Tensor loss = smoothing > 0 ? nll * (1 - smoothing) - scores.mean(1) * smoothing : nll;
  if (!batch.weights.empty()) {
    const Tensor weights = torch::tensor(batch.weights).to(options_.device);  // [texts]
    nll = nll * weights;
    loss = loss * weights;
  }
  BatchLoss found{loss.sum(), nll.sum().detach()};
  if (learn) return found;
  const Tensor right = scores.argmax(1).eq(labels.squeeze(1)).sum();
  found.measures.push_back({"accuracy", right.item<double>(), static_cast<double>(batch.sentences)});
  return found;
}

Task make_classification_task(const settings::RunConfig& config, const model::Package& /*package*/) {
  ClassificationOptions options;
  options.label_smoothing = config.training.label_smoothing;
  options.device = torch::Device(config.training.device);
  return {std::make_shared<data::LabelledBatchMaker>(), std::make_shared<ClassificationObjective>(options)};
}

}  // namespace ventris::training
