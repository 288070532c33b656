#pragma once
#include <torch/torch.h>

#include <memory>
#include <span>

#include "backend/module_scorer.h"
#include "decoding/pair_scorer.h"

namespace ventris::backend {

/// Makes a scorer of pairs by teacher forcing, with one pass over padded batches. The model must be in eval mode and on
/// options.device. The attention is that of its nn::AttentionBlocks::cross.
std::unique_ptr<decoding::PairScorer> make_module_pair_scorer(nn::Seq2Seq model, const ScorerOptions& options);

/// Throws std::invalid_argument as PairScorer::answer() says; `shape` is the attention of the model, and `max_length`
/// its maximum in tokens with eos.
void check_pairs(std::span<const decoding::Pair> pairs, const decoding::PairQuestion& question,
                 const decoding::AttentionShape& shape, int64_t max_length);

}  // namespace ventris::backend
