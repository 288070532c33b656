#include "encoding/classifier.h"

#include <cmath>

#include "core/error.h"
#include "encoding/batch.h"
#include "encoding/open_bundle.h"

namespace ventris::encoding {

using torch::Tensor;

Classifier::Classifier(const model::Bundle& bundle, torch::Device device)
    : inputs_(bundle.package),
      labels_(bundle.package.config.architecture->labels()),
      path_(bundle.package.path),
      model_(classifier_of(bundle, device)),
      device_(device) {}

std::vector<Classified> Classifier::classify(const std::vector<const Input*>& batch) const {
  const c10::InferenceMode inference;
  auto model = model_;
  const PaddedBatch padded = pad(batch, inputs_.ids(), device_);
  const Tensor logits = model->forward(padded.ids, torch::zeros_like(padded.ids), padded.mask);
  const auto [values, indices] = logits.to(torch::kFloat).softmax(-1).sort(true, 1, true);  // [texts, labels]
  const Tensor probabilities = values.to(torch::kCPU).contiguous(), order = indices.to(torch::kCPU).contiguous();
  const auto* probability = probabilities.const_data_ptr<float>();
  const auto* label = order.const_data_ptr<int64_t>();
  std::vector<Classified> all(batch.size());
  for (Classified& guesses : all) {
    for (size_t i = 0; i < labels_.size(); ++i, ++probability, ++label) {
      if (!std::isfinite(*probability)) {
        fail<ModelError>(path_, ": gave a probability that is not finite; its weights are not usable");
      }
      guesses.push_back({static_cast<size_t>(*label), static_cast<double>(*probability)});
    }
  }
  return all;
}

}  // namespace ventris::encoding
