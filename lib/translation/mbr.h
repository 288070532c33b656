#pragma once
#include <string>
#include <vector>

namespace ventris::translation {

/// What candidates are compared by when the one most like all others is chosen.
enum class Utility { kNone, kChrf, kBleu };

/// The mean score in [0, 100] of each text with every other one as its reference: the expected utility that minimum
/// Bayes risk decoding maximises (Kumar and Byrne 2004), every text being equally likely. Texts that come several times
/// count as often. A single text's is 100. Throws Interrupted after a stop signal (core/process.h).
std::vector<double> expected_utilities(const std::vector<std::string>& texts, Utility utility);

}  // namespace ventris::translation
