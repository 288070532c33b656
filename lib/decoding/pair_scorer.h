#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace ventris::decoding {

/// A source and a target that is there already.
struct Pair {
  std::span<const int32_t> source;  ///< ready for the model, as for StepScorer::admit; never empty
  std::span<const int32_t> target;  ///< without bos and eos; may be empty
  bool ends = true;                 ///< eos belongs to the target; not to one that was cut

  size_t tokens() const { return target.size() + (ends ? 1 : 0); }
};

/// What is asked about pairs.
struct PairQuestion {
  bool log_probs = true;
  bool attention = false;
  int64_t layer = 0;  ///< decoder layer whose attention to the source is told, from 0
  int64_t head = -1;  ///< from 0; -1 = the mean over all heads
};

/// What a model says of a pair; what was not asked for is empty.
struct PairAnswer {
  std::vector<float> log_probs;  ///< [tokens] nats, of the model's whole distribution; the last is eos if the pair ends
  std::vector<float> attention;  ///< [tokens, source] row by row: where the model looks as it predicts each token
};

/// How many decoder layers and heads of each there are to ask for; 0 = this model cannot tell.
struct AttentionShape {
  int64_t layers = 0;
  int64_t heads = 0;
};

/// The optional questions to a model: what it makes of targets that are there already, all tokens in one pass. Search
/// never asks them.
class PairScorer {
 public:
  virtual ~PairScorer() = default;

  virtual int64_t max_length() const = 0;  ///< longest source and longest target, in tokens, eos included
  virtual AttentionShape attention_shape() const = 0;

  /// One answer a pair. Throws std::invalid_argument for a pair that is too long, an empty source, or attention that
  /// this model cannot tell.
  virtual std::vector<PairAnswer> answer(std::span<const Pair> pairs, const PairQuestion& question) = 0;
};

}  // namespace ventris::decoding
