#pragma once
#include <torch/torch.h>

#include <memory>

#include "backend/scorer_tools.h"
#include "decoding/pair_scorer.h"
#include "nn/seq2seq.h"

namespace ventris::backend {

/// Makes a scorer of pairs by teacher forcing, with one pass over padded batches. The model must be in eval mode and on
/// options.device. The attention is that of its nn::AttentionBlocks::cross.
std::unique_ptr<decoding::PairScorer> make_module_pair_scorer(nn::Seq2Seq model, const ScorerOptions& options);

}  // namespace ventris::backend
