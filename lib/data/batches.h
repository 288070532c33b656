#pragma once
#include <cstdint>
#include <vector>

#include "data/corpus.h"

namespace ventris::data {

/// How pairs are put together.
struct BatchOptions {
  int64_t tokens = 4096;      ///< most padded tokens a batch: sentences x longest side, bos or eos counted
  int64_t max_sentences = 0;  ///< 0 = no other limit
  uint64_t seed = 1;
};

/// Padded ids of some pairs, row by row.
struct Batch {
  int64_t sentences = 0;
  int64_t src_len = 0;
  int64_t tgt_len = 0;
  std::vector<int32_t> source;      ///< [sentences, src_len] ids, eos, padding
  std::vector<int32_t> target_in;   ///< [sentences, tgt_len] bos, ids, padding
  std::vector<int32_t> target_out;  ///< [sentences, tgt_len] ids, eos, padding
  int64_t target_tokens = 0;        ///< target_out without padding: what a loss is divided by
  int64_t source_tokens = 0;        ///< source without padding
};

/// The batches of an epoch: pairs of similar length together, in an order that (seed, epoch) alone decides, so that a
/// batch is named by its place and is the same whenever it is asked for. Every pair is in exactly one batch an epoch.
/// Keeps a reference to the corpus.
class BatchPlan {
 public:
  /// Throws ConfigError if the longest pair does not fit `options.tokens` (setting, limit and length are named), and
  /// std::invalid_argument if there is no pair.
  BatchPlan(const ParallelCorpus& corpus, const BatchOptions& options);

  /// Pairs of each batch of this epoch (numbered from 0).
  std::vector<std::vector<uint32_t>> epoch(uint64_t number) const;

 private:
  const ParallelCorpus& corpus_;
  BatchOptions options_;
};

/// Pads pairs into a batch.
Batch make_batch(const ParallelCorpus& corpus, const std::vector<uint32_t>& pairs, const text::SpecialIds& ids);

/// Splits a batch's pairs into `parts` of about equal padded size, in a fixed way; some are empty if there are fewer
/// pairs than parts. Throws std::invalid_argument unless `parts` is at least 1.
std::vector<std::vector<uint32_t>> split_pairs(const std::vector<uint32_t>& pairs, int parts);

/// A place in the endless row of batches.
struct Position {
  uint64_t epoch = 0;
  uint64_t batch = 0;  ///< number of batches of this epoch already handed out
};

}  // namespace ventris::data
