#pragma once
#include <memory>

#include "decoding/pair_scorer.h"
#include "nat/scorer.h"

namespace ventris::nat {

/// A scorer of pairs for a model that writes all tokens at once: one pass with what the decoder reads at first. The
/// value of a token is its log-probability at its position, that of the end the log-probability of the length, or of
/// eos. With CTC, the values are those of nat/ctc.h, over all paths. Attention to the source is that of the
/// position of each token; the end of a predicted length has none (zeros). Models with CTC provide no attention,
/// because a token has no single position.
std::unique_ptr<decoding::PairScorer> make_nat_pair_scorer(std::unique_ptr<NatScorer> scorer);

}  // namespace ventris::nat
