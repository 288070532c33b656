#pragma once
#include <string>

#include "encoding/line_files.h"

namespace ventris::encoding {

enum class ClassifyFormat {
  kText,  ///< the label; with `n_best`, "label probability" for each of the best, separated by TABs
  kJsonl  ///< one JSON object per line
};

/// What `ventris-classify` does.
struct ClassifyOptions {
  std::string model = {};
  int64_t n_best = 0;    ///< labels to write with their probabilities; 0 = the best alone, in JSON all
  bool gold = false;     ///< the label and a TAB come before each text; the accuracy is logged
  bool summary = false;  ///< with `gold`: write the scores of the whole file instead of labels
  ClassifyFormat format = ClassifyFormat::kText;
  LineOptions lines = {};
};

/// Writes the labels of the lines of a file. A blank line gives an empty line, or in JSON the label null, and does not
/// count for the accuracy. Throws ConfigError, ModelError, WriteError and Interrupted; DataError also for a line with
/// another number of columns or a label that the model does not have, if there are labels.
void classify_file(const ClassifyOptions& options);

}  // namespace ventris::encoding
