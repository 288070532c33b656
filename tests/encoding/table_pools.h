#pragma once
#include "encoding/encoder_pool.h"
#include "encoding/input.h"
#include "support/table_encoder.h"
#include "support/tiny_classifier.h"

namespace ventris::test {

/// The tiny BERT, computed by a TableEncoder: two layers, width 4.
inline encoding::EncoderPool bert_pool(model::Package package = tiny_bert_package()) {
  const int64_t vocab = package.config.architecture->src_vocab();
  package.path = "bert";
  const decoding::TextEncoderInfo info{
      .width = 4, .first_layer = 0, .last_layer = 2, .has_pooler = true, .predicts_tokens = true};
  return {std::move(package), TableEncoders(info, vocab), 2};
}

/// The tiny classifier with these probabilities of its labels.
inline encoding::EncoderPool classifier_pool(std::vector<float> probabilities) {
  const decoding::TextEncoderInfo info{.width = 4, .first_layer = 0, .last_layer = 1, .has_pooler = true, .labels = 3};
  return {tiny_classifier_package(), TableEncoders(info, 0, std::move(probabilities)), 2};
}

/// A model that translates.
inline encoding::EncoderPool translating_pool(int64_t layers) {
  model::Package package = tiny_package();
  package.path = "translating";
  return {std::move(package), TableEncoders({.width = 4, .first_layer = 1, .last_layer = layers}, 0), 2};
}

/// Pointers to some inputs.
inline std::vector<const encoding::Input*> batch_of(const std::vector<encoding::Input>& inputs) {
  std::vector<const encoding::Input*> batch;
  for (const encoding::Input& input : inputs) batch.push_back(&input);
  return batch;
}

}  // namespace ventris::test
