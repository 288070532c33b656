#pragma once
#include <vector>

#include "exports/pytorch_file.h"
#include "model/package.h"

/// The weights of a Transformer for the code of The Annotated Transformer.
namespace ventris::exports {

/// The entries of its state_dict, with sinusoids as `src_embed.1.pe` and `tgt_embed.1.pe`. Its layer norm divides by
/// the unbiased standard deviation, and adds its epsilon there. Therefore `a_2` is the weight of the layer norm times
/// sqrt(d_model / (d_model - 1)); only the epsilon stays different. Throws ModelError, with the setting, for a model
/// that it cannot compute: other families and kinds of attention, `norm` "post", `activation` "gelu", a layer norm of
/// embeddings.
std::vector<NamedTensor> annotated_transformer(const model::Bundle& bundle);

/// These tensors as a safetensors file. The format has no tied tensors, so they are stored several times.
std::string safetensors_file(const std::vector<NamedTensor>& tensors);

}  // namespace ventris::exports
