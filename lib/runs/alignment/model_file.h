#pragma once
#include <string>

#include "alignment/alignment_model.h"
#include "alignment/sentence_pairs.h"
#include "files/files.h"
#include "metrics/word_division.h"

namespace ventris::alignment {

/// A model with its words and how text is divided into them.
struct SavedModel {
  /// Without words; `prefix` as for WordTable.
  explicit SavedModel(int prefix) : pairs(prefix) {}

  SentencePairs pairs;  ///< without pairs
  AlignmentModel model;
  metrics::Division division = metrics::Division::kText;
};

/// Writes a model as lines of text, which docs/alignments.md describes. The pairs are not written. Throws WriteError.
void write_model(files::OutputFile& output, const SentencePairs& pairs, const AlignmentModel& model,
                 metrics::Division division);

/// Reads such a file, plain or gzipped. Throws ModelError if it cannot be read, is of another kind or version, or is
/// damaged; Interrupted after a stop signal. Nothing in the file is trusted: numbers and the checksum are checked.
SavedModel read_model(const std::string& path);

}  // namespace ventris::alignment
