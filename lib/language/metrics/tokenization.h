#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace ventris::metrics {

/// How a line is divided into the words that BLEU compares.
enum class Tokenization {
  k13a,   ///< splits off punctuation like the WMT script mteval-v13a; the usual choice
  kIntl,  ///< splits off Unicode punctuation and symbols (as defined by ICU) like mteval-v14
  kZh,    ///< each Chinese character is a word, the rest as 13a
  kChar,  ///< every character is a word
  kSpm,   ///< the pieces of a SentencePiece model (BleuOptions::pieces)
  kNone   ///< splits only at white space
};

/// The names on the command line and in signatures, in the order of the enumeration: "13a", "intl", ...
const std::vector<std::string>& tokenization_names();

/// The words of the line, separated by white space, as in sacreBLEU 2.6. `line` must not end with white space. Throws
/// std::invalid_argument for kSpm, which needs a model.
std::string tokenize(Tokenization tokenization, std::string_view line);

/// Whether 100 or more lines end in " .". Such text was probably tokenized, which makes scores incomparable.
bool looks_tokenized(const std::vector<std::string>& lines);

}  // namespace ventris::metrics
