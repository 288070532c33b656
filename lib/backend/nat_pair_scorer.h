#pragma once
#include <memory>

#include "architecture/transformer_nat.h"
#include "backend/module_scorer.h"
#include "decoding/pair_scorer.h"
#include "nn/nat_model.h"

namespace ventris::backend {

/// Makes a scorer of pairs for a model that writes all tokens at once: one pass with what the decoder reads at first.
/// The model must be in eval mode and on options.device. The value of a token is its log-probability at its position,
/// that of the end the log-probability of the length, or of eos. With CTC, the values are those of decoding/ctc.h, over
/// all paths. Attention to the source is that of the position of each token; the end of a predicted length has none
/// (zeros). Models with CTC provide no attention, because a token has no single position.
std::unique_ptr<decoding::PairScorer> make_nat_pair_scorer(nn::NatModel model, const architecture::NatOptions& settings,
                                                           const ScorerOptions& options);

}  // namespace ventris::backend
