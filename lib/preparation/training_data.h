#pragma once
#include <memory>

#include "data/pair_store.h"
#include "data/prefetcher.h"
#include "run/config.h"
#include "preparation/tokenizers.h"

/// What a run trains on: its corpora, how they are mixed, batched and redrawn.
namespace ventris::preparation {

/// Throws ConfigError unless there is a training corpus.
void check_has_corpus(const run::DataConfig& config);

/// Throws DataError, before anything slow, if a file of the training or validation corpora is missing, empty or of
/// another length than its partner. Those that the cache was made of as they are need no look; standard input gets
/// none.
void check_files(const run::DataConfig& config);

/// How the training corpora are read.
data::ReadOptions read_options(const run::RunConfig& config);

/// The training pairs, in memory or in the cache. Throws as data::read_corpus and data::open_cache do.
std::unique_ptr<const data::PairStore> load_training_pairs(const run::RunConfig& config, const Tokenizers& tokenizers);

/// Shares of the corpora in an epoch; empty = by size.
std::vector<double> corpus_shares(const run::DataConfig& config, const data::StoreSummary& summary);

data::BatchOptions batch_options(const run::RunConfig& config, const data::PairStore& pairs);
/// How the segmentations are redrawn, if they are.
data::StepOptions step_options(const run::RunConfig& config, const Tokenizers& tokenizers);

}  // namespace ventris::preparation
