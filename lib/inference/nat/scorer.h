#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "architecture/transformer_nat_options.h"
#include "core/special_ids.h"
#include "decoding/memory_needs.h"
#include "decoding/pair_scorer.h"
#include "decoding/step_scorer.h"

/// The interface of models that write all tokens at once to what decodes and scores with them. It has neither text nor
/// tensors.
namespace ventris::nat {

/// What decoding needs to know about a model.
struct NatInfo {
  architecture::NatOptions options;
  core::SpecialIds ids;        ///< pad is the blank of CTC, and bos the mask token
  std::vector<int32_t> never;  ///< ids that are never written: pad, bos, and unk unless it is allowed
  int64_t max_length = 0;      ///< maximum length of source and target, in tokens with eos
  decoding::AttentionShape attention = {};  ///< of the decoder to the source
  int64_t positions_at_once = 4096;  ///< positions that are best computed together, unless a sentence has more
  decoding::MemoryNeeds decoder_memory = {};   ///< of a NatScorer that decodes
  decoding::MemoryNeeds pair_memory = {};      ///< of one that scores pairs
};

/// The ids that are never the symbol of a position. The blank of CTC is one, and eos only if it ends translations.
std::vector<int32_t> excluded_symbols(const NatInfo& info);

/// A translation to be written: of a sentence, counted from 0 since encode(), at this many positions (at least 1).
struct NatRow {
  size_t sentence = 0;
  int64_t positions = 1;
};

/// One pass of the decoder over some rows, whose sentences are in ascending order.
struct NatPass {
  std::span<const NatRow> rows;
  /// What the decoder reads at each position of each row, one row after another; where the id is bos, it is a mask
  /// token. Empty = what the model reads at first.
  std::span<const int32_t> ids = {};
  std::span<const uint8_t> wanted = {};  ///< of the same positions, those whose symbols are needed (1); empty = all
  int64_t watched_layer = -1;            ///< decoder layer whose attention is needed; -1 = none
};

/// Symbols of some positions, the same number for each: tokens, or the blank of CTC.
struct Symbols {
  std::vector<int32_t> ids;
  std::vector<float> log_probs;  ///< nats
};

/// What a pass found for one row. It is valid only during the call that gets it.
class NatOutput {
 public:
  /// The `count` most probable symbols of each wanted position, best first, [wanted positions, count] row by row,
  /// without excluded_symbols(). Ties: with count 1, the lowest id; otherwise a fixed order that is the backend's.
  /// If there are fewer symbols, the others have -infinity. A log-probability is NaN if the model's logits
  /// are not numbers.
  virtual Symbols best(int64_t count) = 0;
  /// The log-probabilities of these symbols at each wanted position, [wanted positions, symbols] row by row.
  virtual std::vector<float> log_probs_of(std::span<const int32_t> symbols) = 0;
  /// The attention to the source in the watched layer, of one head, or the mean of all heads (-1): [positions,
  /// src_len].
  virtual std::vector<float> attention(int64_t head) = 0;

 protected:
  ~NatOutput() = default;
};

/// A model for one thread.
class NatScorer {
 public:
  virtual ~NatScorer() = default;
  virtual const NatInfo& info() const = 0;

  /// Encodes sentences (source ids, never empty) in place of those before.
  virtual void encode(std::span<const std::span<const int32_t>> sources) = 0;
  /// The log-probabilities of the differences -range to range between the lengths of target and source, [sentences, 2 *
  /// range + 1]. Only for models that predict lengths. Valid until the next call.
  virtual std::span<const float> length_log_probs() = 0;
  /// Runs the decoder and calls use(row, its output) for each row, in order.
  using Use = std::function<void(size_t row, NatOutput& output)>;
  virtual void run(const NatPass& pass, const Use& use) = 0;
};

/// The log-probabilities (nats) of the tokens of a CTC translation and of its end (nat/ctc.h).
std::vector<float> ctc_log_probs(NatOutput& output, std::span<const int32_t> tokens, int32_t blank);

/// Makes a scorer for each decoder and pair scorer (nat/nat_decoder.h, nat_pair_scorer.h). Several threads may
/// call `make` at the same time.
std::unique_ptr<decoding::ScorerFactory> make_nat_factory(std::function<std::unique_ptr<NatScorer>()> make);

}  // namespace ventris::nat
