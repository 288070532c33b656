#pragma once
#include <string>

#include "encoding/line_files.h"

namespace ventris::encoding {

enum class FillFormat {
  kText,  ///< "word probability", the words for a [MASK] separated by TABs, several [MASK]s by " ||| "
  kJsonl  ///< one JSON object per line
};

/// What `ventris-fill` does.
struct FillOptions {
  std::string model = {};
  int64_t n_best = 5;
  FillFormat format = FillFormat::kText;
  LineOptions lines = {};
};

/// Fills every [MASK] of the lines of a file. A line without [MASK] gives an empty line, or in JSON an empty list; so
/// does a [MASK] that was cut off with the end of a line that is too long. Throws ConfigError, ModelError, DataError,
/// WriteError and Interrupted.
void fill_file(const FillOptions& options);

}  // namespace ventris::encoding
