#pragma once
#include <optional>
#include <string>
#include <vector>

#include "alignment/aligner.h"
#include "data/corpus_reader.h"
#include "metrics/word_division.h"

namespace ventris::alignment {

/// What `ventris-align` does.
struct AlignJob {
  std::vector<data::CorpusFiles> train = {};    ///< to estimate a model from
  std::string model = {};                       ///< a saved model instead; "" = none
  std::optional<data::CorpusFiles> input = {};  ///< pairs to link; none = those of `train`, in their order
  std::string output = "-";                ///< file for the links, one line for each pair; .gz = compressed
  std::string save = {};                        ///< file for the model; "" = none
  std::string probabilities = {};               ///< file for the probabilities of the links; "" = none
  std::vector<std::string> words = {};          ///< two files for the lines, divided into words; empty = none
  std::optional<metrics::Division> division = {};        ///< none = that of the saved model, or kText
  std::optional<int> prefix = {};               ///< letters that words of a class have in common; none = kPrefix
  bool strict = false;                     ///< invalid UTF-8 is an error
  AlignOptions options = {};
};

/// Reads all text into memory, estimates a model or reads one, and writes what is asked for. If this fails or is
/// stopped, nothing is written. Logs warnings about lines without links, and a summary. Throws ConfigError for a job
/// that contradicts itself; DataError as data::check_files does, and for text without a pair that can have links;
/// ModelError as read_model(); WriteError; Interrupted after a stop signal.
void align_files(const AlignJob& job);

}  // namespace ventris::alignment
