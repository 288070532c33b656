#pragma once
#include <torch/torch.h>

#include <vector>

#include "encoding/input.h"

namespace ventris::encoding {

/// Some inputs, padded at their ends.
struct PaddedBatch {
  torch::Tensor ids;   ///< [batch, len] long
  torch::Tensor mask;  ///< [batch, 1, len] bool, true = may look
};
PaddedBatch pad(const std::vector<const Input*>& batch, const core::SpecialIds& ids, torch::Device device);

}  // namespace ventris::encoding
