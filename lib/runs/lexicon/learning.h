#pragma once
#include <cstdint>
#include <vector>

#include "data/corpus_reader.h"
#include "lexicon/ibm_model1.h"
#include "model/lexicon.h"
#include "text/tokenizer.h"

/// Lexicons for shortlists: which target pieces translate a source piece, learnt from a parallel corpus.
namespace ventris::lexicon {

struct LexiconOptions {
  std::vector<data::CorpusFiles> corpora;
  int64_t best = 100;           ///< target pieces of each source piece, from 1 to model::Lexicon::kMostPieces
  int iterations = 5;           ///< of the estimation (ibm_model1.h), from 1 to 100
  int64_t max_pairs = 2'000'000;  ///< if more are left by the filter, a random sample of this many is used; at least 1
  uint64_t seed = 1;  ///< of that sample
  int threads = 1;  ///< the result does not depend on it
};

/// A lexicon, and what it was learnt from.
struct LearntLexicon {
  model::Lexicon lexicon;
  std::vector<data::CorpusCounts> counts;  ///< of each corpus, before a sample is taken
  int64_t pairs = 0;  ///< that were used
};

/// Reads the corpora into memory and learns a lexicon. Throws ConfigError for options outside their limits; DataError
/// as data::read_corpus does, and if more than a third of the tokens of a side are unknown
/// to its tokenizer; Interrupted after a stop signal.
LearntLexicon learn_lexicon(const text::Tokenizer& source, const text::Tokenizer& target,
                            const LexiconOptions& options);

/// The lexicon of a table: the best `best` targets of each source id, without special ids, and the targets of the
/// corpus by their frequency.
model::Lexicon lexicon_of(const TranslationTable& table, const data::ParallelCorpus& corpus,
                          const model::LexiconTokenizers& tokenizers, int64_t best);

}  // namespace ventris::lexicon
