#pragma once
#include <string>
#include <vector>

#include "imports/imported.h"

namespace ventris::imports {

/// Whether a file has the format of safetensors, or is one of torch.save.
bool is_state_dict(const std::string& path);

/// What a state dict does not say.
struct PytorchOptions {
  std::vector<std::string> tokenizers;  ///< SentencePiece models: of both sides, or of source and target
  int64_t heads = 0;                    ///< 0 = d_model / 64, as in most models
};

/// A state dict of code in PyTorch with names that are known (pytorch_names.h). Throws ModelError for any other file,
/// and ConfigError without a tokenizer, or for a number of heads that does not fit.
Imported from_pytorch_model(const std::string& path, const PytorchOptions& given);

}  // namespace ventris::imports
