#pragma once
#include <string>

#include "encoding/embedder.h"
#include "encoding/line_files.h"

namespace ventris::encoding {

enum class EmbedFormat {
  kAuto,   ///< kNpy if the name of the output ends in ".npy", else kJsonl
  kJsonl,  ///< one JSON object per line
  kNpy     ///< one matrix of 32-bit floats: a row for each line, or for each word of all lines
};

/// What `ventris-embed` does.
struct EmbedOptions {
  std::string model = {};
  EmbedFormat format = EmbedFormat::kAuto;
  EmbedderOptions vectors = {};
  LineOptions lines = {};
};

/// Writes the vectors of the lines of a file. A blank line has no vector: null in JSON, zeros in .npy, or no words. So
/// has a word that was cut off with the end of a line that is too long. A .npy output is kept in memory until the end,
/// because its size comes first. Throws ConfigError, ModelError, DataError, WriteError and Interrupted.
void embed_file(const EmbedOptions& options);

}  // namespace ventris::encoding
