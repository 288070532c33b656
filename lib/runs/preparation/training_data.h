#pragma once
#include <memory>

#include "data/pair_store.h"
#include "data/prefetcher.h"
#include "preparation/run_tokenizers.h"
#include "settings/run_config.h"

/// The training data of a run: its corpora, their shares, batches, subword sampling and changes of the text.
namespace ventris::preparation {

/// Throws ConfigError unless there is a training corpus.
void check_has_corpus(const settings::DataConfig& config);

/// Call before anything slow. Throws DataError if a file of the training or validation corpora is missing, empty or has
/// another length than its partner. Skips files that have not changed since the cache was built, and standard
/// input.
void check_files(const settings::DataConfig& config);

/// How the training corpora are read.
data::ReadOptions read_options(const settings::RunConfig& config);

/// The training pairs, in memory or in the cache. Throws as data::read_corpus and data::open_cache do.
std::unique_ptr<const data::PairStore> load_training_pairs(const settings::RunConfig& config,
                                                           const Tokenizers& tokenizers);

/// The shares of the corpora in an epoch; empty = by size.
std::vector<double> corpus_shares(const settings::DataConfig& config, const data::StoreSummary& summary);

/// The sentences before a pair, which it gets except with probability `single`; null if the settings have no context. A
/// pair with its context fits into a batch.
std::shared_ptr<const data::PairContext> pair_context(const settings::RunConfig& config, const Tokenizers& tokenizers,
                                                      double single);

/// How the pairs are grouped into batches.
data::BatchOptions batch_options(const settings::RunConfig& config, const data::PairStore& pairs);
/// How steps are made: subword sampling and changes of the text, if they are on.
data::StepOptions step_options(const settings::RunConfig& config, const data::PairStore& pairs,
                               const Tokenizers& tokenizers);

}  // namespace ventris::preparation
