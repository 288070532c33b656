#pragma once
#include <memory>

#include "architecture/transformer_nat.h"
#include "backend/module_scorer.h"
#include "decoding/decoder.h"
#include "nn/nat_model.h"

namespace ventris::backend {

/// A decoder for a model that writes all tokens at once; the model must be in eval mode and on options.device.
/// - With a predicted length: the most probable token at each position, for each of the
/// SearchOptions::length_candidates
///   best lengths. The value of the end is the log-probability of the length. The hypotheses are sorted by score.
/// - The same with mask-predict: the tokens that the model is least sure of are written again,
/// SearchOptions::iterations
///   passes in all. Source: Ghazvininejad et al. 2019.
/// - With eos: the most probable token at each position, up to the first eos.
/// - With CTC: the most probable path, collapsed; its score is that of all paths with the same translation.
std::unique_ptr<decoding::Decoder> make_nat_decoder(nn::NatModel model, const architecture::NatOptions& settings,
                                                    const ScorerOptions& options);

/// Makes decoders and pair scorers (backend/nat_pair_scorer.h) for one model, for any number of threads.
std::unique_ptr<decoding::ScorerFactory> make_nat_factory(nn::NatModel model, const architecture::NatOptions& settings,
                                                          const ScorerOptions& options);

}  // namespace ventris::backend
