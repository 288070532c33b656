#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "data/pair_store.h"
#include "preparation/run_tokenizers.h"
#include "settings/run_config.h"

namespace ventris::training {

/// How large batches may be: training.batch_tokens and training.length_cost.
struct BatchSize {
  int64_t tokens = 0;
  double length_cost = 0;
};

BatchSize batch_size_of(const settings::TrainingConfig& config);

/// How many sentences with this longest side (padded, with eos) a batch may have; 0 = none.
int64_t sentences_that_fit(const BatchSize& size, int64_t longest_side);

/// For messages: "at most 1,204 sentences of 10 tokens, 231 of 50".
std::string largest_batches(const BatchSize& size, const std::vector<int64_t>& lengths);

/// Sets both so that they limit nothing, until they are known.
void forget_batch_size(settings::TrainingConfig& config);

/// A warning if training.batch_memory is more than the `available` bytes that the process could have in all (0 =
/// unknown), on a CPU; empty = there is no problem.
std::string memory_problem(const settings::TrainingConfig& config, int64_t available);

/// Bytes that this process has and could still get; 0 = unknown.
int64_t memory_of_process();

/// What else counts when batches are measured.
struct MeasuredRun {
  int processes = 1;
  int64_t other_bytes = 0;  ///< memory that the run will have beside what it has now
};

/// The largest batches with which each process of a run stays within training.batch_memory.
/// Measures batches of short, average and long pairs with a model that is deleted again, then batches of the corpus
/// with a half of the memory that is left, and logs the result. Throws ConfigError if the memory is not enough for the
/// model and the longest pair, and Interrupted after a stop signal.
BatchSize measure_batch_size(const settings::RunConfig& config, const preparation::Tokenizers& tokenizers,
                             const data::PairStore& pairs, const MeasuredRun& run);

}  // namespace ventris::training
