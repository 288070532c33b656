#pragma once
#include <string>

#include "architecture/bert_classifier_options.h"
#include "support/tiny_bert.h"

namespace ventris::test {

/// What a bundle of a classifier of one layer with three labels says.
inline model::Package tiny_classifier_package() {
  const auto tokenizer = tiny_bert_tokenizer();
  model::Package package;
  package.path = "classifier";
  package.config.architecture = std::make_shared<const architecture::BertClassifierArchitecture>(
      tiny_bert_options(tokenizer.size()), std::vector<std::string>{"food", "people", "weather"});
  package.source_spm = package.target_spm = tokenizer.bytes();
  return package;
}

/// All its tensors.
inline std::string tiny_classifier_weights() {
  TensorList tensors;
  tiny_classifier_package().config.architecture->each_tensor(
      [&](const std::string& name, const std::vector<int64_t>& shape) { tensors.add(name, shape); });
  return model::write_safetensors(tensors.views(), {{"format", "pt"}});
}

inline void write_tiny_classifier(const std::string& path) {
  model::write_bundle(path, tiny_classifier_package(), tiny_classifier_weights());
}

}  // namespace ventris::test
