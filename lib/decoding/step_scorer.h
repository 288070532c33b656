#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/special_ids.h"
#include "decoding/pair_scorer.h"

/// The one interface between search and models: ids in, ids and log-probabilities out; neither text nor tensors.
namespace ventris::decoding {

/// How to draw a token instead of taking the best ones: first the temperature, then top_k, then top_p over what that
/// leaves.
struct Sampling {
  bool enabled = false;
  int32_t top_k = 0;         ///< draw among this many best; 0 = all
  double top_p = 1.0;        ///< draw among the fewest best tokens that hold this much probability, in (0, 1]
  double temperature = 1.0;  ///< log-probabilities are divided by it before drawing, > 0
};

/// Something against a token: in ranking and drawing, its log-probability counts `factor` times.
struct Penalty {
  int32_t row = 0;
  int32_t id = 0;
  float factor = 1.0F;  ///< at least 1; infinity = the token is no continuation
};

/// What a log-probability counts under a penalty's factor.
float penalised(float log_prob, float factor);

/// One step of every live hypothesis ("row") of a batch.
struct StepRequest {
  std::span<const int32_t> parents;    ///< [rows] new row i continues old row parents[i]; rows may repeat and vanish
  std::span<const int32_t> last_ids;   ///< [rows] newest token of each new row; bos for a row fresh from admit()
  int32_t continuations = 1;              ///< how many next tokens to return for each row, best first
  std::span<const int32_t> forced;     ///< [rows] or empty: if >= 0, the row's only continuation (then padding)
  std::span<const uint8_t> forbid_eos; ///< [rows] or empty: 1 = eos is no continuation
  std::span<const Penalty> penalties;  ///< sorted by row, each (row, id) once; none for rows that are forced
  Sampling sampling;                   ///< if enabled: each row's one continuation is drawn
  std::span<const double> noise;       ///< [rows] if sampling: uniform in [0, 1), decides the draw
};

/// Best continuations, [rows, continuations] row by row, ranked by penalised log-probabilities; those told (nats) are
/// of the model's whole distribution, whatever is forced, forbidden, penalised or drawn. Missing continuations have id
/// -1 and log-probability -infinity. Equal ranks: lower id first. Valid until the next call to the scorer.
struct Continuations {
  std::span<const int32_t> ids;
  std::span<const float> log_probs;
};

/// Which ids are special to a search.
struct ScorerInfo {
  int32_t bos = core::SpecialIds{}.bos;
  int32_t eos = core::SpecialIds{}.eos;
  int32_t vocab = 0;         ///< size of the target vocabulary
  int64_t max_length = 0;    ///< longest target the model can produce, in tokens with eos
};

class StepScorer {
 public:
  virtual ~StepScorer() = default;

  virtual ScorerInfo info() const = 0;

  /// Encodes sentences (source ids, ready for the model: with eos if its policy says so; never empty) and appends a row
  /// for each after the rows of the last step, in this order. The next request may name them as parents.
  virtual void admit(std::span<const std::span<const int32_t>> sources) = 0;

  /// One decoder step. Pad and bos are never continuations; unk is only if the scorer was made so.
  virtual Continuations advance(const StepRequest& request) = 0;

  /// Forgets all rows.
  virtual void reset() = 0;
};

/// Makes scorers that share one copy of the weights; each may be used by one thread at a time.
class ScorerFactory {
 public:
  virtual ~ScorerFactory() = default;
  virtual std::unique_ptr<StepScorer> make() const = 0;
  virtual std::unique_ptr<PairScorer> make_pair_scorer() const = 0;
};

/// For scorers that have a row's log-probabilities [vocab] in memory: writes `continuations` best ids and their
/// log-probabilities as Continuations describes, honouring forced, forbid_eos, penalties and sampling of row `row` and
/// the ids in `never`.
void select_continuations(std::span<const float> log_probs, const StepRequest& request, size_t row,
                          std::span<const int32_t> never, int32_t eos, int32_t* ids, float* scores);

}  // namespace ventris::decoding
