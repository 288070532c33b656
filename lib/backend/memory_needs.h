#pragma once
#include "architecture/architecture.h"
#include "decoding/memory_needs.h"

namespace ventris::backend {

/// Upper bounds of the memory of a model's decoders and scorers of pairs, with LibTorch.
struct ModuleNeeds {
  decoding::MemoryNeeds decoder;
  decoding::MemoryNeeds pairs;
};

/// `script`: the model is a TorchScript file, which computes each step from the whole prefix.
ModuleNeeds module_needs(const architecture::Architecture& architecture, bool script);

}  // namespace ventris::backend
