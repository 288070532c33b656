#pragma once
#include <string>
#include <vector>

#include "documents/placement.h"

/// Placeholders without names and numbers (%s, {}), which take the next value.
namespace ventris::documents {

/// Whether they come in another order than in the source, so that a program would fill in the wrong values.
bool has_other_order(const MarkedText& sentence, const MaskedText& masked, const AlignedText& translation);

/// Gives the conversions of a message numbers ("%2$s"): those of the objects of its sentences, and of the gaps in front
/// of each sentence and behind the last one. False, and nothing is changed: one of them cannot be numbered, or a gap
/// that must stay (`gaps_change` is false) has one.
bool number_conversions(const std::vector<MarkedText*>& sentences, std::vector<std::string>& gaps, bool gaps_change);

}  // namespace ventris::documents
