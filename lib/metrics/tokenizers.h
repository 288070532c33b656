#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ventris::metrics {

/// How a line is cut into the words that BLEU compares.
enum class Tokenization {
  k13a,  ///< punctuation split off as the WMT script mteval-v13a does; the usual choice
  kNone  ///< words are what stands between white space
};

/// Every tokenization's name on the command line and in signatures, in the order of the enumeration: "13a", "none".
const std::vector<std::string>& tokenization_names();

/// The line with its words parted by white space, as sacreBLEU 2.6 does it.
std::string tokenize(Tokenization tokenization, std::string_view line);

/// Whether 100 lines or more end in " .": text that was tokenized before, which makes scores incomparable.
bool looks_tokenized(const std::vector<std::string>& lines);

}  // namespace ventris::metrics
