#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "data/pair_store.h"
#include "preparation/opened_run.h"
#include "preparation/run_tokenizers.h"

/// How well the tokenizers of a model from which a run starts fit the training text.
namespace ventris::preparation {

/// What a tokenizer makes of one side of a corpus.
struct TextFit {
  int64_t tokens = 0;   ///< without eos and without the tag of the corpus
  int64_t words = 0;    ///< tokens that begin a word, which is what stands between spaces
  int64_t unknown = 0;  ///< tokens that are unk
};

/// Counts one side of all pairs or, if there are more than `most`, of pairs spread evenly over the store. The side must
/// have ids of the tokenizer. Throws DataError if a pair cannot be read.
TextFit fit_of(const data::PairStore& pairs, std::vector<int32_t> data::SentencePair::* side,
               const text::Tokenizer& tokenizer, uint64_t most = 1 << 16);

/// For the log: "1.31 pieces per word, 0.02 % unknown".
std::string describe(const TextFit& fit);

/// Logs how the tokenizers of the model from which a new run starts (training.finetune_from, or the source of
/// training.encoder_from) fit its training corpus; warns if over 0.1 % of the tokens are unknown. Does nothing for
/// other runs and for runs that are resumed. Throws as fit_of() does.
void log_text_fit(const OpenedRun& run, const data::PairStore& pairs, const Tokenizers& tokenizers);

}  // namespace ventris::preparation
