#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/corpus_reader.h"

/// Labelled text: on each line a label, a TAB and a text. It is stored as pairs, so that it is cached, shuffled, mixed
/// and batched like them: the source has the ids of the text, the target one number, that of its label.
namespace ventris::data {

/// The numbers of labels: their positions in a list.
class LabelNumbers {
 public:
  explicit LabelNumbers(const std::vector<std::string>& labels);

  /// Throws DataError with `path`, `line` (from 1) and the known labels if the label is not one of them.
  int32_t number_of(const std::string& label, const std::string& path, int64_t line) const;

 private:
  std::map<std::string, int32_t> numbers_;
};

/// "a, b, c", or the first ten and how many more there are.
std::string list_labels(const std::vector<std::string>& labels);

/// The labels of all texts that are not blank, in the order of their bytes. Throws DataError for a line without exactly
/// two columns, for an empty label, and if there are fewer than two labels; Interrupted when a stop signal arrives.
std::vector<std::string> collect_labels(std::span<const CorpusSpec> corpora);

}  // namespace ventris::data
