#pragma once
#include "architecture/transformer.h"
#include "decoding/memory_needs.h"

namespace ventris::engine {

/// An upper bound of the memory of a scorer of such a model.
decoding::MemoryNeeds memory_needs(const architecture::TransformerOptions& options);
/// The same for a model that writes all tokens at once.
decoding::MemoryNeeds nat_memory_needs(const architecture::TransformerOptions& options);

}  // namespace ventris::engine
