#pragma once
#include <map>
#include <string>

#include "architecture/bert_options.h"
#include "architecture/transformer_options.h"

/// The encoder of BERT is that of a Transformer with other settings and under other names.
namespace ventris::architecture {

/// The settings of a Transformer whose encoder layers compute what those of this BERT do: post-norm, the exact GELU.
/// The encoder alone has a meaning; there are no decoder layers.
TransformerOptions encoder_options(const BertOptions& options);

/// The names of the parts of a layer with weights and biases: in a Transformer ("self_attn.linears.0", behind
/// "encoder.layers.N."), and in a BERT ("attention.self.query", behind "bert.encoder.layer.N.").
const std::map<std::string, std::string>& bert_layer_parts();

/// The names of all tensors of the encoder layers, in a Transformer and in a BERT.
std::map<std::string, std::string> bert_layer_tensors(int64_t layers);

}  // namespace ventris::architecture
