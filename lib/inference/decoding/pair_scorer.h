#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "decoding/memory_needs.h"

namespace ventris::decoding {

/// A source and a given target.
struct Pair {
  std::span<const int32_t> source;  ///< with eos if the model needs it, as for StepScorer::admit; never empty
  std::span<const int32_t> target;  ///< without bos and eos; may be empty
  bool ends = true;                 ///< whether eos follows the target; false for a target that was cut

  size_t tokens() const { return target.size() + (ends ? 1 : 0); }
};

/// What to compute for pairs.
struct PairQuestion {
  bool log_probs = true;
  bool attention = false;
  int64_t layer = 0;  ///< decoder layer whose attention to the source is returned, from 0
  int64_t head = -1;  ///< from 0; -1 = the mean over all heads
};

/// The result for a pair. Parts that were not requested are empty.
struct PairAnswer {
  std::vector<float> log_probs;  ///< [tokens] nats, of the model's full distribution; eos is last if Pair::ends
  std::vector<float> attention;  ///< [tokens, source] row by row: the attention when each token is predicted
};

/// The number of decoder layers with attention, and of heads per layer; 0 = the model does not provide attention.
struct AttentionShape {
  int64_t layers = 0;
  int64_t heads = 0;
};

/// Optional interface of a model: computes log-probabilities and attention of given targets. Search does not use it.
class PairScorer {
 public:
  virtual ~PairScorer() = default;

  virtual int64_t max_length() const = 0;  ///< maximum length of source and target, in tokens with eos
  virtual AttentionShape attention_shape() const = 0;
  /// An upper bound of its memory, without the weights. A pair is a Load of one hypothesis.
  virtual MemoryNeeds memory() const { return {}; }

  /// Returns one answer per pair. Throws std::invalid_argument for a pair that is too long, an empty source, or
  /// attention that this model does not provide.
  virtual std::vector<PairAnswer> answer(std::span<const Pair> pairs, const PairQuestion& question) = 0;
};

/// Throws std::invalid_argument as PairScorer::answer() says; `shape` is the attention of the model, and `max_length`
/// its maximum in tokens with eos.
void check_pairs(std::span<const Pair> pairs, const PairQuestion& question, const AttentionShape& shape,
                 int64_t max_length);

}  // namespace ventris::decoding
