#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ventris::metrics {

/// How a line is cut into the words that BLEU compares.
enum class Tokenization {
  k13a,   ///< punctuation split off as the WMT script mteval-v13a does; the usual choice
  kIntl,  ///< Unicode punctuation and symbols split off as mteval-v14 does; ICU says which characters these are
  kZh,    ///< Chinese characters stand alone, the rest as 13a
  kChar,  ///< every character is a word
  kSpm,   ///< the pieces of a SentencePiece model (BleuOptions::pieces)
  kNone   ///< words are what stands between white space
};

/// Every tokenization's name on the command line and in signatures, in the order of the enumeration: "13a", "intl", ...
const std::vector<std::string>& tokenization_names();

/// The line with its words parted by white space, as sacreBLEU 2.6 does it. The line has none at its end. Throws
/// std::invalid_argument for kSpm, which needs a model.
std::string tokenize(Tokenization tokenization, std::string_view line);

/// Whether 100 lines or more end in " .": text that was tokenized before, which makes scores incomparable.
bool looks_tokenized(const std::vector<std::string>& lines);

}  // namespace ventris::metrics
