#pragma once
#include <vector>

#include "exports/shortlist_file.h"
#include "files/folders.h"
#include "model/package.h"

namespace ventris::exports {

/// A Transformer as a folder that Marian translates and trains on: model.npz, a SentencePiece model for both sides or
/// one for each, and decoder.yml. Throws ModelError, naming the setting, for a model that Marian does not have: it has
/// positions sinusoidal_halves, zero_start, norm_epsilon 1e-6, and norms after each block (or before it, with an SSRU).
/// With a shortlist, the folder has it as lex.s2t.bin, and decoder.yml names it.
std::vector<files::NamedBytes> to_marian(const model::Bundle& bundle, const ShortlistOf& shortlist = {});

/// The same for the Marian of Bergamot and Firefox, in 8 bits: model.bin, the vocabularies and config.bergamot.yml. It
/// has no norms before blocks, no RMSNorm and no exact GELU; d_model and d_ff must be multiples of 64, and the number
/// of tokens becomes one of 8.
std::vector<files::NamedBytes> to_bergamot(const model::Bundle& bundle, const ShortlistOf& shortlist = {});

}  // namespace ventris::exports
