#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace ventris::constraints {

/// Shares the places of a beam among banks (dynamic beam allocation, Post and Vilar 2018, section 3.3). Bank i has the
/// hypotheses with i tokens of required phrases; `hypotheses` is their number. Each bank gets the same share, and the
/// last one the rest. Places that a bank cannot fill go to the others, the last ones first. Returns the places of each
/// bank; their sum is `places`, or the number of hypotheses if that is less.
std::vector<size_t> share_places(size_t places, std::span<const size_t> hypotheses);

}  // namespace ventris::constraints
