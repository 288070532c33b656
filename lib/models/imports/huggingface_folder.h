#pragma once
#include <memory>
#include <string>

#include "imports/tensor_source.h"

namespace ventris::imports {

/// The weights in a folder of Hugging Face's transformers: model.safetensors, or else pytorch_model.bin. Throws
/// ModelError if there are none, or if they are divided into several files.
std::unique_ptr<TensorSource> huggingface_weights(const std::string& folder);

/// A file of the folder. Throws ModelError with what was expected if it cannot be read.
std::string huggingface_file(const std::string& folder, const std::string& name);

}  // namespace ventris::imports
