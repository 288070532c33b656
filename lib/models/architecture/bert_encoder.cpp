#include "architecture/bert_encoder.h"

#include "core/error.h"

namespace ventris::architecture {

void check_bert_heads(const core::JsonReader& reader, const BertOptions& options) {
  if (options.d_model % options.heads == 0) return;
  fail<ConfigError>(reader.path_of("d_model"), ": must be a multiple of heads (", options.heads, "), got ",
                    options.d_model);
}

void BertTensorList::linear(const std::string& name, int64_t in, int64_t out) const {
  visit_(name + ".weight", {out, in});
  visit_(name + ".bias", {out});
}

void BertTensorList::norm(const std::string& name) const {
  visit_(name + ".LayerNorm.weight", {options_.d_model});
  visit_(name + ".LayerNorm.bias", {options_.d_model});
}

void BertTensorList::embeddings(const std::string& name) const {
  visit_(name + ".word_embeddings.weight", {options_.vocab, options_.d_model});
  visit_(name + ".position_embeddings.weight", {options_.max_positions, options_.d_model});
  visit_(name + ".token_type_embeddings.weight", {2, options_.d_model});
  norm(name);
}

void BertTensorList::layer(const std::string& name) const {
  for (const char* part : {"query", "key", "value"}) {
    linear(name + ".attention.self." + part, options_.d_model, options_.d_model);
  }
  linear(name + ".attention.output.dense", options_.d_model, options_.d_model);
  norm(name + ".attention.output");
  linear(name + ".intermediate.dense", options_.d_model, options_.d_ff);
  linear(name + ".output.dense", options_.d_ff, options_.d_model);
  norm(name + ".output");
}

void BertTensorList::encoder() const {
  embeddings("bert.embeddings");
  for (int64_t i = 0; i < options_.layers; ++i) layer("bert.encoder.layer." + std::to_string(i));
  linear("bert.pooler.dense", options_.d_model, options_.d_model);
}

void BertEncoderArchitecture::check_tokenizers(bool shared) const {
  if (!shared) {
    fail<ConfigError>("tokenizer.shared: a ", family(), " model reads one language; it must be true, got false");
  }
}

}  // namespace ventris::architecture
