#pragma once
#include <string>

#include "architecture/bert_options.h"
#include "architecture/family_fields.h"

/// What the families with the encoder of BERT have in common: its settings, and the names and shapes of its tensors.
namespace ventris::architecture {

/// The settings of the encoder; `visit` is one of the visitors of family_fields.h. Of the positions, `special_tokens`
/// are taken by special tokens.
template <typename V, typename Options>
void bert_encoder_fields(V& visit, Options& options, int64_t special_tokens) {
  constexpr int64_t kMostPositions = 1 << 16;
  const std::string count = special_tokens == 2 ? "Two" : "Three", number = std::to_string(special_tokens);
  visit.size({"d_model", "Width of the model: features of each position between the layers. A multiple of `heads`."},
             options.d_model);
  visit.size({"d_ff", "Features inside the feed-forward part of a layer."}, options.d_ff);
  visit.size({"heads", "Attention heads. Each of them looks at `d_model` / `heads` features."}, options.heads);
  visit.size({"layers", "Layers of the encoder."}, options.layers);
  visit.size({"max_positions", "Longest input that the model can take, in tokens. " + count +
                                   " of them are special tokens, so `data.max_length` must be at most "
                                   "`max_positions` - " +
                                   number + "."},
             options.max_positions, 8, kMostPositions);
  visit.dropout({"dropout", "Probability of dropout of the embeddings and of the output of each part of a layer."},
                options.dropout);
  visit.dropout({"attention_dropout", "Dropout of attention weights."}, options.attention_dropout);
  visit({"norm_epsilon", "Added to the variance in layer norms."}, options.norm_epsilon, {.least = 0, .over = 0});
}

/// Throws ConfigError unless `heads` divides `d_model`.
void check_bert_heads(const core::JsonReader& reader, const BertOptions& options);

/// Names and shapes of the parameters, in the order in which the modules of families/bert.h register them.
class BertTensorList {
 public:
  /// Keeps references to both.
  BertTensorList(const BertOptions& options, const Architecture::TensorVisitor& visit)
      : options_(options), visit_(visit) {}

  void linear(const std::string& name, int64_t in, int64_t out) const;
  void norm(const std::string& name) const;  ///< `name`.LayerNorm
  void encoder() const;                      ///< module "bert": embeddings, layers, pooler

 private:
  void embeddings(const std::string& name) const;
  void layer(const std::string& name) const;

  const BertOptions& options_;
  const Architecture::TensorVisitor& visit_;
};

}  // namespace ventris::architecture
