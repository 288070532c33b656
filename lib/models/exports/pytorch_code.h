#pragma once
#include <string>
#include <vector>

#include "exports/pytorch_file.h"
#include "model/package.h"

/// The weights of a Transformer for code in PyTorch.
namespace ventris::exports {

/// The codes for which state_dict_for() has names: "annotated", "torch.nn.Transformer", ...
std::vector<std::string> pytorch_codes();

/// The entries of the state_dict of a code, with the sinusoids that it stores. "annotated" is annotated_transformer()
/// (annotated.h). Throws ModelError, with the setting, for a model that the code cannot compute, and for one whose
/// output layer has a bias if that of the code has none.
std::vector<NamedTensor> state_dict_for(const std::string& code, const model::Bundle& bundle);

}  // namespace ventris::exports
