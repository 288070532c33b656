#pragma once
#include "architecture/transformer_nat_options.h"
#include "architecture/transformer_options.h"
#include "decoding/memory_needs.h"

namespace ventris::engine {

/// An upper bound of the memory of a scorer of such a model.
decoding::MemoryNeeds memory_needs(const architecture::TransformerOptions& options);
/// The same for a scorer of pairs, with its answers.
decoding::MemoryNeeds pair_memory_needs(const architecture::TransformerOptions& options);
/// The same for a model that writes all tokens at once.
decoding::MemoryNeeds nat_memory_needs(const architecture::NatOptions& options);
decoding::MemoryNeeds nat_pair_memory_needs(const architecture::NatOptions& options);

}  // namespace ventris::engine
