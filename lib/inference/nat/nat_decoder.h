#pragma once
#include <memory>

#include "decoding/decoder.h"
#include "nat/scorer.h"

namespace ventris::nat {

/// A decoder for a model that writes all tokens at once.
/// - With a predicted length: the most probable token at each position, for each of the
///   SearchOptions::length_candidates best lengths. The value of the end is the log-probability of the length. The
///   hypotheses are sorted by score.
/// - The same with mask-predict: the tokens that the model is least sure of are written again,
///   SearchOptions::iterations passes in all. Source: Ghazvininejad et al. 2019.
/// - With eos: the most probable token at each position, up to the first eos.
/// - With CTC: the most probable path, collapsed; its score is that of all paths with the same translation.
/// decode() throws std::invalid_argument for an empty source, ModelError for scores that are not numbers, and
/// Interrupted after a stop signal.
std::unique_ptr<decoding::Decoder> make_nat_decoder(std::unique_ptr<NatScorer> scorer);

}  // namespace ventris::nat
