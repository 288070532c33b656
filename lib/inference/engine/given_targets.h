#pragma once
#include <memory>

#include "core/special_ids.h"
#include "decoding/pair_scorer.h"
#include "layers/weights.h"

namespace ventris::engine {

/// Source and target tokens of the pairs that are computed together, unless one pair has more.
inline constexpr int64_t kGivenTokens = 1024;

/// Computes all positions of given targets at once. Only with layers::sees_prefixes_at_once().
std::unique_ptr<decoding::PairScorer> make_given_targets(std::shared_ptr<const layers::TransformerWeights> weights,
                                                         const core::SpecialIds& ids);

}  // namespace ventris::engine
