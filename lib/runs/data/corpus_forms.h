#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "data/corpus_reader.h"
#include "data/pair_store.h"
#include "modifiers/term_forms.h"

namespace ventris::data {

/// The pairs from which forms are counted: about 100 MB of memory for ordinary sentences.
constexpr uint64_t kMostFormPairs = 200'000;

/// The forms of each corpus of a store. They are not mixed, because corpora may have different languages.
using CorpusForms = std::vector<modifiers::TermForms>;

/// The forms in a store that has texts and links. The first pairs of each corpus are counted, kMostFormPairs in all.
/// Throws DataError if a pair cannot be read, and Interrupted after a stop signal.
std::shared_ptr<const CorpusForms> forms_in(const PairStore& pairs, metrics::Division division);

/// The same from the files of one corpus.
modifiers::TermForms forms_in(const CorpusSpec& corpus, LinkReader& links);

}  // namespace ventris::data
