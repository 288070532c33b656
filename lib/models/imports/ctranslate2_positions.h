#pragma once
#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "imports/bundle_weights.h"
#include "imports/ctranslate2_variables.h"

namespace ventris::imports {

/// Takes the positions of both sides: those that are stored, or else those that CTranslate2 computes. If they are our
/// sinusoids, options.positions is kSinusoidal; otherwise, they become a table (kLearned). Sets options.max_positions,
/// and says in `notes` how long a sentence can be. Throws ModelError for tables that are too short.
void take_positions(const CTranslate2Variables& variables, architecture::TransformerOptions& options,
                    BundleWeights& weights, std::vector<std::string>& notes);

/// The positions that CTranslate2 computes if none are stored: all sines before all cosines, from position 1, with
/// wavelengths of which the last is 10000 times the first. `width` is an even number from 4. Returns [count, width].
std::vector<float> computed_positions(int64_t count, int64_t width);

}  // namespace ventris::imports
