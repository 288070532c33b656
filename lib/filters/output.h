#pragma once
#include <cstdint>
#include <string>

#include "filters/json_lines.h"
#include "translation/translator.h"

namespace ventris::filters {

enum class OutputFormat {
  kText,   ///< the best translation, a line each, with what else is asked for behind " ||| "
  kMoses,  ///< every candidate: ID ||| text ||| [links |||] [WordScores= ... |||] F0= <log-probability> ||| <score>
  kJsonl   ///< a JSON object a line
};

/// How translations are written.
struct OutputOptions {
  OutputFormat format = OutputFormat::kText;
  bool word_scores = false;  ///< the log-probability of each token
  bool alignment = false;    ///< links between words
  bool n_best = false;       ///< in JSON: all candidates too
};

/// A translation as text with its line ends. `number` counts lines from 0.
std::string format_translation(const translation::Translation& translation, const OutputOptions& options,
                               int64_t number);

/// The same as a JSON object that begins with what `input` says. The input's "id" stays; without one it is `number`.
std::string format_translation(const translation::Translation& translation, const OutputOptions& options,
                               int64_t number, const JsonLine& input);

}  // namespace ventris::filters
