#pragma once
#include <string>

#include "nn/seq2seq.h"

namespace ventris::backend {

/// A TorchScript file written by ventris-export, as a model: its own encode, decode and generator methods are called.
/// It has no attention to look at and cannot be trained. `name` is what it is called in messages, `tgt_vocab` what its
/// configuration says. Throws ModelError if the file cannot be loaded. A TorchScript file is a program and loading it
/// trusts it.
nn::Seq2Seq load_script_model(const std::string& path, const std::string& name, int64_t tgt_vocab,
                              torch::Device device);

}  // namespace ventris::backend
