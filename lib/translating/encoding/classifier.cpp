#include "encoding/classifier.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "encoding/expected_family.h"

namespace ventris::encoding {

Classifier::Classifier(const EncoderPool& encoders)
    : encoders_(encoders), inputs_(encoders.package()), labels_(encoders.package().config.architecture->labels()) {
  expect_family(encoders.package(), "bert-classifier");
}

std::vector<Classified> Classifier::classify(const std::vector<const Input*>& batch) const {
  const auto texts = texts_of(batch);
  const auto encoder = encoders_.lend();
  const float* probability = (*encoder)->label_probabilities(texts).data();
  std::vector<Classified> all(batch.size());
  for (Classified& guesses : all) {
    for (size_t label = 0; label < labels_.size(); ++label, ++probability) {
      if (!std::isfinite(*probability)) {
        fail<ModelError>(encoders_.package().path,
                         ": gave a probability that is not finite; its weights are not usable");
      }
      guesses.push_back({label, static_cast<double>(*probability)});
    }
    std::ranges::stable_sort(guesses, std::ranges::greater(), &LabelGuess::probability);
  }
  return all;
}

}  // namespace ventris::encoding
