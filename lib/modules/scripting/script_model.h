#pragma once
#include <string>

#include "nn/seq2seq.h"

namespace ventris::scripting {

/// Loads a TorchScript file of ventris-export as a model, which calls the file's methods encode, decode and generator.
/// It does not provide attention and cannot be trained. `name` is its name in messages, `tgt_vocab` the value from its
/// configuration. Throws ModelError if the file cannot be loaded. A TorchScript file is a program: load only files that
/// you trust.
nn::Seq2Seq load_script_model(const std::string& path, const std::string& name, int64_t tgt_vocab,
                              torch::Device device);

}  // namespace ventris::scripting
