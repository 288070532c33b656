#pragma once
#include <map>
#include <string>

#include "architecture/bert_options.h"
#include "support/tiny_bundle.h"

namespace ventris::test {

/// The settings of a BERT of one layer.
inline architecture::BertOptions tiny_bert_options(int64_t vocab) {
  return {.vocab = vocab, .layers = 1, .d_model = 4, .d_ff = 8, .heads = 2, .max_positions = 16};
}

/// The tokenizer of tiny_text.h with the piece [MASK].
inline text::Tokenizer tiny_bert_tokenizer() {
  const auto lines = tiny_text();
  text::TokenizerTraining training;
  training.vocab_size = 150;
  training.user_pieces = {architecture::BertArchitecture::kMask};
  return {text::learn_tokenizer(source_of(lines), training), "tiny tokenizer"};
}

/// What a bundle of such a BERT says.
inline model::Package tiny_bert_package() {
  const auto tokenizer = tiny_bert_tokenizer();
  model::Package package;
  package.config.architecture =
      std::make_shared<const architecture::BertArchitecture>(tiny_bert_options(tokenizer.size()));
  package.source_spm = package.target_spm = tokenizer.bytes();
  return package;
}

/// All tensors of such a BERT, the tied ones once.
inline std::string tiny_bert_weights(const architecture::Architecture& bert) {
  std::map<std::string, std::string> metadata{
      {"alias:cls.predictions.decoder.weight", "bert.embeddings.word_embeddings.weight"},
      {"alias:cls.predictions.decoder.bias", "cls.predictions.bias"}};
  TensorList tensors;
  bert.each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
    if (!metadata.contains("alias:" + name)) tensors.add(name, shape);
  });
  metadata["format"] = "pt";
  return model::write_safetensors(tensors.views(), metadata);
}

inline void write_tiny_bert(const std::string& path) {
  const model::Package package = tiny_bert_package();
  model::write_bundle(path, package, tiny_bert_weights(*package.config.architecture));
}

}  // namespace ventris::test
