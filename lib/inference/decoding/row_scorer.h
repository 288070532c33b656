#pragma once
#include <cstdint>
#include <span>

#include "decoding/step_scorer.h"

namespace ventris::decoding {

/// A model as an ensemble needs it (decoding/ensemble_factory.h): like a StepScorer, but a step gives the whole
/// distribution of each row instead of its best continuations. One thread at a time.
class RowScorer {
 public:
  virtual ~RowScorer() = default;

  virtual ScorerInfo info() const = 0;

  /// As StepScorer::admit.
  virtual void admit(std::span<const std::span<const int32_t>> sources) = 0;

  /// One decoder step: row i becomes what row parents[i] was, followed by last_ids[i]; both [rows], as in StepRequest.
  virtual void step(std::span<const int32_t> parents, std::span<const int32_t> last_ids) = 0;

  /// The log-probabilities (nats) of all tokens as the next one, [count, vocab], for the rows [first, first + count) of
  /// the last step. A caller with many rows takes a few at a time, to save memory. Valid until the next call.
  virtual std::span<const float> log_probs(size_t first, size_t count) = 0;

  /// Forgets all rows.
  virtual void reset() = 0;
};

}  // namespace ventris::decoding
