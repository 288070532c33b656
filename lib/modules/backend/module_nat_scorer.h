#pragma once
#include <memory>

#include "architecture/transformer_nat_options.h"
#include "backend/scorer_tools.h"
#include "nat/scorer.h"
#include "nn/nat_model.h"

namespace ventris::backend {

/// A scorer for a model that writes all tokens at once; the model must be in eval mode and on options.device.
std::unique_ptr<nat::NatScorer> make_nat_scorer(nn::NatModel model, const architecture::NatOptions& settings,
                                                const ScorerOptions& options);

/// Makes decoders and pair scorers for one model, for any number of threads.
std::unique_ptr<decoding::ScorerFactory> make_nat_factory(nn::NatModel model, const architecture::NatOptions& settings,
                                                          const ScorerOptions& options);

}  // namespace ventris::backend
