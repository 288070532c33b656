#pragma once
#include <cstdint>
#include <vector>

#include "data/corpus.h"
#include "run/config.h"
#include "preparation/tokenizers.h"

/// The corpora of a run, read once without keeping them.
namespace ventris::doctor {

/// How a tokenizer fits the text of its side.
struct TokenizerFit {
  int64_t pieces = 0;
  int64_t rare = 0;    ///< pieces that occur fewer than 10 times, special ones and bytes included
  int64_t tokens = 0;  ///< of the corpora
  int64_t unknown = 0;  ///< tokens that are no piece
};

/// What was read.
struct CorporaLook {
  std::vector<data::CorpusCounts> counts;  ///< of each corpus
  data::StoreSummary summary;              ///< of all pairs that training would use
  double epoch_target_tokens = 0;          ///< with eos; each corpus counts by its share of an epoch
  data::ParallelCorpus
      sample;  ///< some of them, each corpus by its share, drawn evenly; all if they are few without shares
  TokenizerFit source, target;             ///< of a shared tokenizer each side's share
  int64_t valid_pairs = 0;
  int64_t valid_sources_seen = 0;  ///< validation lines whose source is one of a training pair
  int64_t valid_pairs_seen = 0;    ///< whose source and target are
};

/// Throws as data::read_corpus does. Memory: 50,000 pairs, the validation corpus' hashes.
CorporaLook look_at_corpora(const run::RunConfig& config, const preparation::Tokenizers& tokenizers);

}  // namespace ventris::doctor
