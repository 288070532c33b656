#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "data/epoch_order.h"
#include "data/pair_store.h"
#include "text/tokenizer.h"

namespace ventris::data {

/// Raised whenever the same corpus and settings give other batches or another order: checkpoints count in it.
constexpr int kOrderVersion = 2;

/// How pairs are put together.
struct BatchOptions {
  int64_t tokens = 4096;            ///< most padded tokens a batch: sentences x longest side, bos or eos counted;
                          ///< where segmentations are redrawn (SubwordSampler) up to twice that and 3 a sentence
  int64_t max_sentences = 0;  ///< 0 = no other limit
  uint64_t seed = 1;
  std::vector<double> shares = {};  ///< of the store's corpora in an epoch, summing to 1; empty = by size
  uint64_t window = 1 << 19;  ///< pairs that are sorted by length together, at least 1; takes 40 bytes each
};

/// Padded ids of some pairs, row by row.
struct Batch {
  int64_t sentences = 0;
  int64_t src_len = 0;
  int64_t tgt_len = 0;
  std::vector<int32_t> source;  ///< [sentences, src_len] ids, eos, padding
  std::vector<int32_t> target_in;  ///< [sentences, tgt_len] bos, ids, padding
  std::vector<int32_t> target_out;  ///< [sentences, tgt_len] ids, eos, padding
  std::vector<float> weights;  ///< [sentences] what each one's loss is multiplied by; empty = 1
  int64_t target_tokens = 0;  ///< target_out without padding
  double target_weight = 0;  ///< the same, each token counted with its sentence's weight: divides a loss
};

/// The batches of an epoch, window by window: pairs of similar length together, in an order that (seed, epoch) alone
/// decides, so that a batch is named by its place and is the same whenever it is asked for. Every pair that EpochOrder
/// puts into a window is in exactly one batch. Keeps a reference to the store.
class BatchPlan {
 public:
  /// Throws ConfigError if the longest pair does not fit `options.tokens` (setting, limit and length are named), and
  /// std::invalid_argument if there is no pair.
  BatchPlan(const PairStore& store, const BatchOptions& options);

  uint32_t windows() const { return order_.windows(); }  ///< of an epoch: 1 for all but large stores

  /// Pairs of each batch of a window of this epoch (both numbered from 0). Throws as PairStore::lengths does.
  std::vector<std::vector<uint32_t>> epoch(uint64_t number, uint32_t window = 0) const;

 private:
  const PairStore& store_;
  BatchOptions options_;
  EpochOrder order_;
};

/// Makes the arrays of a batch out of its examples. Used by several threads at once.
class BatchMaker {
 public:
  virtual ~BatchMaker() = default;
  virtual Batch make(std::span<const SentencePair> pairs) const = 0;
};

/// Pads pairs on both sides; the target twice, as decoder input and as what it should predict.
class PairBatchMaker : public BatchMaker {
 public:
  explicit PairBatchMaker(const text::SpecialIds& ids = {}) : ids_(ids) {}
  Batch make(std::span<const SentencePair> pairs) const override;

 private:
  text::SpecialIds ids_;
};

/// The pairs of these numbers.
std::vector<SentencePair> read_pairs(const PairStore& store, const std::vector<uint32_t>& numbers);

/// Splits a batch's pairs into `parts` of about equal padded size, in a fixed way; some are empty if there are fewer
/// pairs than parts. Throws std::invalid_argument unless `parts` is at least 1.
std::vector<std::vector<uint32_t>> split_pairs(const std::vector<uint32_t>& pairs, int parts);

/// A place in the endless row of batches.
struct Position {
  uint64_t epoch = 0;
  uint64_t batch = 0;  ///< number of batches of this window already handed out
  uint32_t window = 0;  ///< of the epoch
};

}  // namespace ventris::data
