#pragma once
#include <cstdint>
#include <memory>

#include "layers/weights.h"
#include "nat/scorer.h"

namespace ventris::engine {

using layers::TransformerWeights;

/// Positions that are best computed together, unless a sentence has more.
inline constexpr int64_t kNatPositions = 512;

/// A model that writes all tokens at once, which several threads share.
struct NatModel {
  TransformerWeights weights;
  nat::NatInfo info;
};

/// A scorer for one thread. The weights must be those of info.options.
std::unique_ptr<nat::NatScorer> make_nat_scorer(std::shared_ptr<const NatModel> model);

}  // namespace ventris::engine
