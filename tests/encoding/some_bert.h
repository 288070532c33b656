#pragma once
#include <torch/torch.h>

#include "backend/families.h"
#include "backend/module_weights.h"
#include "encoding/input.h"
#include "encoding/open_bundle.h"
#include "support/tiny_bert.h"

namespace ventris::test {

/// A bundle of a small BERT with random weights as large as those of a trained one.
inline model::Bundle some_bert(const text::Tokenizer& tokenizer = tiny_bert_tokenizer()) {
  model::Package package;
  package.path = "bert";
  package.source_spm = package.target_spm = tokenizer.bytes();
  package.config.architecture = std::make_shared<const architecture::BertArchitecture>(architecture::BertOptions{
      .vocab = tokenizer.size(), .layers = 2, .d_model = 8, .d_ff = 16, .heads = 2, .max_positions = 32});
  torch::manual_seed(5);
  const nn::Model module = backend::make_model(*package.config.architecture);
  const torch::NoGradGuard no_grad;
  for (auto& item : module->named_parameters()) item.value().normal_(0, 0.4);
  return {package, model::Safetensors::parse(backend::save_weights(*module), "bert")};
}

/// Pointers to some inputs.
inline std::vector<const encoding::Input*> batch_of(const std::vector<encoding::Input>& inputs) {
  std::vector<const encoding::Input*> batch;
  for (const encoding::Input& input : inputs) batch.push_back(&input);
  return batch;
}

}  // namespace ventris::test
