#pragma once
#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "model/package.h"

namespace ventris::exports {

/// The settings of a Transformer for a program that has the default of each setting in `needed` and no other value. The
/// width of a head must be d_model / heads, however it is given. Throws ModelError, naming the first setting that has
/// another value, or the family if the model is no Transformer.
const architecture::TransformerOptions& transformer_for(const std::string& program, const model::Package& package,
                                                        const std::vector<std::string>& needed);

/// The settings of attention that neither CTranslate2 nor The Annotated Transformer has.
inline const std::vector<std::string> kVariantsOfAttention{"cross_attention", "attention_score", "self_attention"};

}  // namespace ventris::exports
