#pragma once
#include <cstdint>
#include <memory>

#include "data/corpus_reader.h"
#include "data/pair_store.h"
#include "modifiers/term_forms.h"

namespace ventris::data {

/// The pairs of a corpus from which forms are counted: about 100 MB of memory for ordinary sentences.
constexpr uint64_t kMostFormPairs = 200'000;

/// The forms in the first pairs of a store that has texts and links. Throws DataError if a pair cannot be read, and
/// Interrupted after a stop signal.
std::shared_ptr<const modifiers::TermForms> forms_in(const PairStore& pairs, metrics::Division division);

/// The same from the files of a corpus.
std::shared_ptr<const modifiers::TermForms> forms_in(const CorpusSpec& corpus, LinkReader& links);

}  // namespace ventris::data
