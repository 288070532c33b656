#pragma once
#include <cstdint>
#include <string>

#include "documents/document_translator.h"
#include "filters/json_lines.h"
#include "translation/translator.h"

namespace ventris::filters {

enum class OutputFormat {
  kText,   ///< one line: the best translation; then other requested fields, each after " ||| "
  kMoses,  ///< all candidates: ID ||| text ||| [links |||] [WordScores= ... |||] F0= <log-probability> ||| <score>
  kJsonl   ///< one JSON object per line
};

/// How translations are written.
struct OutputOptions {
  OutputFormat format = OutputFormat::kText;
  bool word_scores = false;  ///< write the log-probability of each token
  bool alignment = false;    ///< write links between words
  bool n_best = false;       ///< in JSON: write all candidates
  bool segments = false;     ///< in JSON: write how many sentences were translated
  bool unmet = false;        ///< in JSON: write which phrases are missing, or there although they are forbidden

  /// Whether scores or log-probabilities are among what is written.
  bool writes_scores() const { return format != OutputFormat::kText || word_scores; }
};

/// An answer as text with line ends. `number` counts texts from 0.
std::string format_answer(const documents::Answer& answer, const OutputOptions& options, int64_t number);

/// The same as a JSON object that begins with the members of `input`. If the input has no "id", it is `number`.
std::string format_answer(const documents::Answer& answer, const OutputOptions& options, int64_t number,
                          const JsonLine& input);

}  // namespace ventris::filters
