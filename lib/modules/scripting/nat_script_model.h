#pragma once
#include <string>

#include "nn/nat_model.h"

namespace ventris::scripting {

/// Loads a TorchScript file of ventris-export as a model that writes all tokens at once. It calls the file's methods
/// encode, length_log_probs, first_input, embed, decode and generator, and otherwise is as load_script_model().
/// `length_classes`: what length_log_probs returns for each source; 0 = the model does not predict lengths.
nn::NatModel load_nat_script_model(const std::string& path, const std::string& name, int64_t tgt_vocab,
                                   int64_t length_classes, torch::Device device);

}  // namespace ventris::scripting
