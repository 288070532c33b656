#pragma once
#include <cstdint>
#include <vector>

#include "data/corpus.h"
#include "preparation/run_tokenizers.h"
#include "settings/run_config.h"

/// Reads the corpora of a run once, without keeping them.
namespace ventris::doctor {

/// How well a tokenizer fits the text of its side.
struct TokenizerFit {
  int64_t pieces = 0;
  int64_t rare = 0;    ///< pieces that occur fewer than 10 times, including special tokens and bytes
  int64_t tokens = 0;  ///< tokens of the corpora
  int64_t unknown = 0;  ///< unknown tokens
};

/// The result of reading.
struct CorporaLook {
  std::vector<data::CorpusCounts> counts;  ///< of each corpus
  data::StoreSummary summary;              ///< of all pairs that training would use
  double epoch_target_tokens = 0;          ///< with eos; corpora are weighted by their shares of an epoch
  data::ParallelCorpus
      sample;  ///< a sample of the pairs, by the shares of the corpora; all pairs if few and without shares
  TokenizerFit source, target;             ///< for a shared tokenizer, one for each side
  int64_t same_pairs = 0;        ///< training pairs whose two sides are the same text
  int64_t valid_same_pairs = 0;  ///< the same of the validation corpus
  bool swapped = false;          ///< whether source and target of the validation are in each other's languages
  int64_t valid_pairs = 0;
  int64_t valid_sources_seen = 0;  ///< validation pairs whose source occurs in the training corpus
  int64_t valid_pairs_seen = 0;    ///< validation pairs that occur in the training corpus
};

/// Throws as data::read_corpus does. Memory: 50,000 pairs, and hashes of the validation corpus.
CorporaLook look_at_corpora(const settings::RunConfig& config, const preparation::Tokenizers& tokenizers);

}  // namespace ventris::doctor
