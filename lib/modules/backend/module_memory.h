#pragma once
#include <cstdint>

#include "architecture/architecture.h"
#include "decoding/memory_needs.h"

namespace ventris::backend {

/// The sizes of a model that decide how much memory it needs. Families whose layers are of another kind give those of a
/// Transformer that is at least as large.
struct ModelSizes {
  int64_t width = 0, hidden = 0, heads = 1;
  int64_t keys = 0, values = 0;  ///< features of all heads
  int64_t encoder_layers = 1, decoder_layers = 1;
  int64_t sums = 0;  ///< of a hypothesis in a layer with linear attention or an SSRU
};

/// What is assumed of a family whose row has no `sizes` (backend/families.h).
ModelSizes assumed_sizes(const architecture::Architecture& architecture);

/// Upper bounds of the memory of a model's decoders and scorers of pairs, with LibTorch.
struct ModuleNeeds {
  decoding::MemoryNeeds decoder;
  decoding::MemoryNeeds pairs;
};

/// `script`: the model is a TorchScript file, which computes each step from the whole prefix. Throws std::out_of_range
/// as family() does.
ModuleNeeds module_needs(const architecture::Architecture& architecture, bool script);

}  // namespace ventris::backend
