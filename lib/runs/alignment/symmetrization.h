#pragma once
#include "alignment/links.h"
#include "core/json_reader.h"

namespace ventris::alignment {

/// How the links of the two directions are combined.
enum class Symmetrization {
  kGrowDiagFinalAnd,  ///< kGrowDiag, then links of either direction whose two words both have none
  kGrowDiag,          ///< kIntersection, and then links of either direction beside those, of words without a link
  kIntersection,      ///< links that both directions have
  kUnion,             ///< links that either direction has
  kForward,           ///< each target word has at most one link
  kBackward           ///< each source word has at most one link
};

/// Their names: grow-diag-final-and, ...
const core::Choices<Symmetrization>& symmetrizations();

/// The links of a sentence pair from those of its two directions. Source: Koehn et al. 2005, "Edinburgh system
/// description for the 2005 IWSLT speech translation evaluation", figure 1. Growing goes through the links in their
/// order, round by round, so that the result does not depend on how sets are stored: a round looks at the links that
/// were there when it began.
Links symmetrize(const Links& forward, const Links& backward, Symmetrization how);

}  // namespace ventris::alignment
