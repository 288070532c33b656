#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/corpus_reader.h"

/// Labelled text: on each line a label, a TAB and a text. It is stored as pairs, so that it is cached, shuffled, mixed
/// and batched like them: the source has the ids of the text, the target one number, that of its label.
namespace ventris::data {

/// The labels of all texts that are not blank, in the order of their bytes. Throws DataError for a line without exactly
/// two columns, for an empty label, and if there are fewer than two labels; Interrupted when a stop signal arrives.
std::vector<std::string> collect_labels(std::span<const CorpusSpec> corpora);

}  // namespace ventris::data
