#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "data/epoch_order.h"
#include "data/pair_store.h"
#include "data/token_links.h"
#include "text/tokenizer.h"

namespace ventris::data {

class PairContext;
class PairModifier;

/// Increased whenever the same corpus and settings give other batches or another order. Checkpoints depend on it.
constexpr int kOrderVersion = 2;

/// How pairs are grouped into batches.
struct BatchOptions {
  int64_t tokens = 4096;  ///< maximum padded tokens per batch: sentences x longest side, with bos or eos and marks;
                          ///< with subword sampling, a batch may have twice as many plus 3 per sentence and 4 per
                          ///< sentence of context
  int64_t max_sentences = 0;  ///< maximum sentences per batch; 0 = no limit
  uint64_t seed = 1;
  std::vector<double> shares = {};  ///< shares of the store's corpora in an epoch, which sum to 1; empty = by size
  double length_cost = 0;  ///< a sentence whose longest side has n tokens counts as n (1 + length_cost n) of `tokens`
  int64_t marks = 0;  ///< most tokens that PairMarks add to a side
  uint64_t window = 1 << 19;  ///< pairs that are sorted by length together, at least 1; 40 bytes per pair
};

/// How many tokens of BatchOptions::tokens a sentence with this longest side counts as.
double counted_tokens(int64_t longest_side, double length_cost);

/// Padded ids of some pairs, row by row.
struct Batch {
  int64_t sentences = 0;
  int64_t src_len = 0;
  int64_t tgt_len = 0;
  std::vector<int32_t> source;  ///< [sentences, src_len] ids, eos, padding
  std::vector<int32_t> target_in;  ///< [sentences, tgt_len] bos, ids, padding
  std::vector<int32_t> target_out;  ///< [sentences, tgt_len] ids, eos, padding
  std::vector<float> weights;  ///< [sentences] line weights, which multiply the losses; empty = all 1
  std::vector<int32_t> segments;  ///< [sentences, src_len] 0 or 1: the part of the source; empty in most tasks
  std::vector<int32_t> classes;  ///< [sentences] the class of each source; empty in most tasks
  std::vector<TokenLink> links;  ///< between tokens, for guided alignment; empty in all other runs
  int64_t target_tokens = 0;  ///< target_out without padding
  double target_weight = 0;  ///< the same, weighted by sentence; the loss is divided by it
  int64_t update = 0;  ///< in training: the number of the update, from 0, for losses that change during a run
};

/// The batches of an epoch, window by window. A batch has pairs of similar length. Batches and their order are a
/// function of (seed, epoch), so a batch can be computed again from its position. Every pair that EpochOrder puts into
/// a window is in exactly one batch. Keeps a reference to the store.
class BatchPlan {
 public:
  /// Throws ConfigError if the longest pair counts as more than `options.tokens` (the message has setting, limit and
  /// length), and std::invalid_argument if there are no pairs. With a modifier, the lengths are those of the changed
  /// pairs, which `threads` threads tokenize for each window; with a context, it counts, too.
  BatchPlan(const PairStore& store, const BatchOptions& options, std::shared_ptr<const PairModifier> modifier = nullptr,
            int threads = 1, std::shared_ptr<const PairContext> context = nullptr);

  uint32_t windows() const { return order_.windows(); }  ///< per epoch; 1 except for large stores

  /// The pairs of each batch of a window of an epoch (both counted from 0). Throws as PairStore::lengths does.
  std::vector<std::vector<uint32_t>> epoch(uint64_t number, uint32_t window = 0) const;

 private:
  const PairStore& store_;
  BatchOptions options_;
  std::shared_ptr<const PairModifier> modifier_;
  int threads_;
  std::shared_ptr<const PairContext> context_;
  EpochOrder order_;
};

/// Where the examples of a batch come from, for tasks that draw at random or need further examples.
struct BatchSource {
  const PairStore& store;
  std::span<const uint32_t> numbers;  ///< of the examples, in the store
  uint64_t epoch = 0;
};

/// Makes the arrays of a batch from its examples. Several threads call it at the same time.
class BatchMaker {
 public:
  virtual ~BatchMaker() = default;

  /// `pairs` are the examples `source.numbers`, perhaps with another segmentation. The result is a function of the
  /// arguments, so random choices must be derived from the epoch and the numbers.
  virtual Batch make(std::span<const SentencePair> pairs, const BatchSource& source) const = 0;
};

/// Ids that tell a multilingual model the languages of a corpus.
struct PairMarks {
  std::vector<int32_t> before, after;  ///< around the ids of a source; `after` follows eos
  std::vector<int32_t> target;  ///< at the beginning of a target, which the model learns to write
};

/// Pads pairs. The target is stored twice: as the decoder input and as the tokens to predict.
class PairBatchMaker : public BatchMaker {
 public:
  /// With `linker`, batches with a source have links between tokens. `marks`: of each corpus of the store, for batches
  /// with a source; empty = none.
  explicit PairBatchMaker(const core::SpecialIds& ids = {}, std::shared_ptr<const TokenLinker> linker = nullptr,
                          std::vector<PairMarks> marks = {})
      : ids_(ids), linker_(std::move(linker)), marks_(std::move(marks)) {}
  Batch make(std::span<const SentencePair> pairs) const;
  Batch make(std::span<const SentencePair> pairs, const BatchSource& source) const override;

 private:
  const PairMarks& marks_of(const BatchSource& source, size_t row) const;
  void add_links(std::span<const SentencePair> pairs, const BatchSource& source, Batch& batch) const;

  core::SpecialIds ids_;
  std::shared_ptr<const TokenLinker> linker_;  // null = no links
  std::vector<PairMarks> marks_;
};

/// The pairs with these numbers.
std::vector<SentencePair> read_pairs(const PairStore& store, const std::vector<uint32_t>& numbers);

/// Splits the pairs of a batch into `parts` parts of about equal padded size, deterministically. If there are fewer
/// pairs than parts, some parts are empty. Throws std::invalid_argument unless `parts` is at least 1.
std::vector<std::vector<uint32_t>> split_pairs(const std::vector<uint32_t>& pairs, int parts);

/// A position in the endless sequence of batches.
struct Position {
  uint64_t epoch = 0;
  uint64_t batch = 0;  ///< number of batches of this window that were already used
  uint32_t window = 0;  ///< of the epoch
};

}  // namespace ventris::data
