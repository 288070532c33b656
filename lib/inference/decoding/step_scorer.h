#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/special_ids.h"
#include "decoding/memory_needs.h"
#include "decoding/pair_scorer.h"

/// The interface between search and models: ids in, ids and log-probabilities out. It has neither text nor tensors.
namespace ventris::decoding {

/// How to draw a token instead of taking the best ones. The temperature applies first, then top_k, then top_p to the
/// remaining tokens.
struct Sampling {
  bool enabled = false;
  int32_t top_k = 0;         ///< draw from this many best tokens; 0 = all
  double top_p = 1.0;        ///< draw from the fewest best tokens with this total probability, in (0, 1]
  double temperature = 1.0;  ///< log-probabilities are divided by it before drawing, > 0
};

/// A penalty on a token: ranking and drawing use its log-probability multiplied by `factor`.
struct Penalty {
  int32_t row = 0;
  int32_t id = 0;
  float factor = 1.0F;  ///< at least 1; infinity = the token is never a continuation
};

/// A token whose log-probability a row's hypothesis needs, wherever it ranks.
struct Wanted {
  int32_t row = 0;
  int32_t id = 0;
};

/// A log-probability after a penalty with this factor.
float penalised(float log_prob, float factor);

/// One step of all unfinished hypotheses ("rows") of a batch.
struct StepRequest {
  std::span<const int32_t> parents;  ///< [rows] new row i continues old row parents[i]; rows may repeat or be dropped
  std::span<const int32_t> last_ids;  ///< [rows] newest token of each new row; bos for a new row of admit()
  int32_t continuations = 1;  ///< how many next tokens to return for each row, best first
  std::span<const int32_t> forced;  ///< [rows] or empty: if >= 0, the row's only continuation (others are padding)
  std::span<const uint8_t> forbid_eos;  ///< [rows] or empty: 1 = eos is not a continuation
  std::span<const Penalty> penalties;  ///< sorted by row and id, each (row, id) once; none for forced rows
  std::span<const Wanted> wanted;  ///< sorted by row, each (row, id) once
  bool log_probs = true;  ///< false: only the ids are needed, so the log-probability of a continuation may be 0 instead
                          ///< (but not instead of NaN); the ids are those that are best with log-probabilities
  Sampling sampling;  ///< if enabled: the only continuation of each row is drawn
  std::span<const double> noise;  ///< [rows] if sampling: uniform in [0, 1), determines the draw
};

/// The best continuations, [rows, continuations] row by row, ranked by penalised log-probabilities. `log_probs` (nats)
/// are those of the model's full distribution, independent of forced, forbidden, penalised or drawn tokens. Missing
/// continuations have id -1 and log-probability -infinity. Ties: lower id first. Valid until the next call to the
/// scorer.
struct Continuations {
  std::span<const int32_t> ids;
  std::span<const float> log_probs;
  std::span<const float> wanted = {};  ///< [StepRequest::wanted] the log-probabilities of these tokens
};

/// What a search needs to know about a model.
struct ScorerInfo {
  int32_t bos = core::SpecialIds{}.bos;
  int32_t eos = core::SpecialIds{}.eos;
  int32_t vocab = 0;  ///< size of the target vocabulary
  int64_t max_length = 0;  ///< maximum length of the target, in tokens with eos
  MemoryNeeds memory = {};  ///< an upper bound of its memory, without the weights
  bool refills = false;  ///< whether sentences should be admitted while others are under way, as soon as there is room
};

class StepScorer {
 public:
  virtual ~StepScorer() = default;

  virtual ScorerInfo info() const = 0;

  /// Encodes sentences (source ids, with eos if the tokenizer policy of the model has it; never empty) and appends one
  /// row for each, in this order, after the rows of the last step. The next request may name them as parents.
  virtual void admit(std::span<const std::span<const int32_t>> sources) = 0;

  /// One decoder step. Pad and bos are never continuations; unk is one only if the scorer was made to allow it.
  virtual Continuations advance(const StepRequest& request) = 0;

  /// Forgets all rows. It may keep its memory for the next ones.
  virtual void reset() = 0;

  /// Forgets all rows and frees their memory.
  virtual void release() { reset(); }
};

class Decoder;
class RowScorer;

/// Makes decoders and scorers that share one copy of the weights. Each may be used by one thread at a time, and may
/// outlive the factory. Several threads may make them at the same time.
class ScorerFactory {
 public:
  virtual ~ScorerFactory() = default;

  /// What translates (decoding/decoder.h); by default, a search with a scorer of make().
  virtual std::unique_ptr<Decoder> make_decoder() const;
  /// Throws std::logic_error if the model does not write token by token.
  virtual std::unique_ptr<StepScorer> make() const = 0;
  virtual std::unique_ptr<PairScorer> make_pair_scorer() const = 0;
  /// For ensembles (decoding/row_scorer.h). Throws std::logic_error if the model does not write token by token; by
  /// default, it does not.
  virtual std::unique_ptr<RowScorer> make_row_scorer() const;
};

/// For scorers that have the log-probabilities [vocab] of a row in memory: writes the best `request.continuations` ids
/// and their log-probabilities as described at Continuations. Applies forced, forbid_eos, penalties and sampling of row
/// `row`, and excludes the ids in `never`.
void select_continuations(std::span<const float> log_probs, const StepRequest& request, size_t row,
                          std::span<const int32_t> never, int32_t eos, int32_t* ids, float* scores);

/// The places of a row in StepRequest::penalties, as [first, second).
std::pair<size_t, size_t> penalties_of(const StepRequest& request, size_t row);
/// The same in StepRequest::wanted.
std::pair<size_t, size_t> wanted_of(const StepRequest& request, size_t row);

/// For the same scorers: writes the log-probabilities of the row's wanted tokens to their places in `scores`
/// [request.wanted].
void select_wanted(std::span<const float> log_probs, const StepRequest& request, size_t row, std::span<float> scores);

}  // namespace ventris::decoding
