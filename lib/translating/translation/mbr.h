#pragma once
#include <string>
#include <vector>

namespace ventris::translation {

/// The similarity for minimum Bayes risk.
enum class Utility { kNone, kChrf, kBleu };

/// The mean score in [0, 100] of each text with every other text as its reference: the expected utility that minimum
/// Bayes risk decoding maximises (Kumar and Byrne 2004) if all texts are equally likely. A text that occurs several
/// times counts as often. A single text gets 100. Throws Interrupted after a stop signal (core/process.h).
std::vector<double> expected_utilities(const std::vector<std::string>& texts, Utility utility);

}  // namespace ventris::translation
