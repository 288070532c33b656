#pragma once
#include <memory>

#include "imports/tensor_source.h"

namespace ventris::imports {

/// The tensors of a fairseq model under the names of fairseq 0.12, whatever the version is: without "model.", with
/// norms by their names, and with projections of queries, keys and values that are tensors of their own. What has no
/// effect is left out, except for "encoder.version" and "decoder.version".
std::unique_ptr<TensorSource> fairseq_tensors(std::unique_ptr<TensorSource> stored);

}  // namespace ventris::imports
