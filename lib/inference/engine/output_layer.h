#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "arithmetic/matrix.h"
#include "decoding/memory_needs.h"
#include "decoding/step_scorer.h"

namespace ventris::engine {

using arithmetic::Aligned;
using arithmetic::InputRows;
using arithmetic::Inputs;
using arithmetic::Kernels;
using arithmetic::kPanel;
using arithmetic::Matrix;
using arithmetic::RunningSum;

/// Rows that are multiplied with the same columns.
struct OutputPart {
  size_t first, rows;  ///< rows [first, first + rows)
  const Matrix* weights;
  const int32_t* ids;  ///< of the columns; null = 0, 1, 2, ...
};

/// The last layer: from decoder states to the best next tokens. The vocabulary is computed in blocks, and the logits of
/// all blocks are in memory at once only for a few rows at a time: those for which a token is drawn, and those in which
/// different logits become the same log-probability at the end of the best ones.
class Output {
 public:
  /// `never`: ids that are never continuations.
  Output(const Kernels& kernels, const Matrix& generator, std::vector<int32_t> never, int32_t eos);

  /// What best() needs for a vocabulary of this size.
  static decoding::MemoryNeeds needs(int64_t vocab);
  /// What log_probs_of() needs.
  static decoding::MemoryNeeds needs_of_chosen();

  static constexpr int64_t kColumns = 16 * kPanel;  ///< logits of a row that are computed together
  /// Logits of whole rows that are in memory at the same time; at least one row.
  static constexpr int64_t kLogits = 1 << 22;

  /// Frees all memory.
  void release();

  /// states [rows, d_model] -> the continuations of each row, as decoding::StepScorer::advance returns them.
  decoding::Continuations best(const float* states, const decoding::StepRequest& request);

  /// The same with only some ids for each row: those of the parts to which it belongs, each once. The log-probabilities
  /// are those of a distribution over these ids. The ids of a row have one order, whatever the other rows are: then its
  /// result is the same to the last bit. Forced and wanted ids are among them.
  decoding::Continuations best(const float* states, const decoding::StepRequest& request,
                               std::span<const OutputPart> parts);

  /// states [rows, d_model] -> the log-probabilities of all ids, [rows, vocab].
  void log_probs(const float* states, int64_t rows, float* out);

  /// The log-probability of one id of each row.
  std::vector<float> log_probs_of(const float* states, std::span<const int32_t> ids);

 private:
  struct Token {
    int32_t id;
    float logit;
  };

  /// What is known of a row so far.
  struct Best {
    float limit;  // a logit must be over it
    size_t found;
    Token* tokens;  // [continuations + 1], best first; ids without penalties
    int32_t forced;  // or -1
    bool bars_eos;
    size_t first_penalty, end_penalty;  // places in StepRequest::penalties
  };

  /// An id that may be a continuation.
  struct Ranked {
    int32_t id;
    float log_prob;
    float rank;  // the log-probability after penalties

    /// Whether it comes before another one.
    bool operator<(const Ranked& other) const { return rank > other.rank || (rank == other.rank && id < other.id); }
  };

  /// Columns of a block and their logits in a row.
  struct Block {
    const int32_t* ids;  // null = first, first + 1, ...
    int64_t first;
    const float* logits;
    int64_t count;
    float largest;  // of the logits

    int32_t id(int64_t i) const { return ids == nullptr ? static_cast<int32_t>(first + i) : ids[i]; }
    /// The column of an id in the block; -1 = it is not there.
    int64_t column_of(int32_t id) const {
      const int64_t column = ids == nullptr ? id - first : std::find(ids, ids + count, id) - ids;
      return column < count ? column : -1;
    }
  };

  /// What is computed of all logits of a row.
  enum class Reduction { kLogSumExp, kMaximum };

  /// Computes the logits of rows in blocks and calls use(row, block) for each.
  template <typename Use>
  void each_block(const float* states, int64_t rows, std::span<const OutputPart> parts, Reduction reduction,
                  const Use& use);
  template <typename Use>
  void each_block_of(const OutputPart& part, const float* states, Reduction reduction, const Use& use);
  std::span<const OutputPart> parts_of(std::span<const OutputPart> parts, std::span<const size_t> rows);
  void find_best(const float* states, const decoding::StepRequest& request, std::span<const OutputPart> parts);
  void start(size_t row, const decoding::StepRequest& request, Token* tokens);
  void look_for_best(Best& best, const Block& block, const decoding::StepRequest& request);
  void note(size_t row, const Block& block, const decoding::StepRequest& request);
  void note_wanted(size_t row, const Block& block, const decoding::StepRequest& request);
  void note_forced(size_t row, const Block& block, const decoding::StepRequest& request);
  bool note_penalised(const Best& best, const Token& token, const decoding::StepRequest& request);
  bool rank(size_t row, const decoding::StepRequest& request);
  bool rank_first(size_t row);
  void select_special(const float* states, const decoding::StepRequest& request, std::span<const OutputPart> parts);
  void select_special_rows(std::span<const size_t> rows, const decoding::StepRequest& request,
                           std::span<const OutputPart> parts);
  void log_probs(const float* states, int64_t rows, std::span<const OutputPart> parts, float* out);
  static void insert(Best& best, size_t most, const Token& token);
  bool excluded(int32_t id, bool bars_eos) const;
  float log_sum(size_t row) const;

  const Kernels& kernels_;
  const Matrix& generator_;
  std::vector<int32_t> never_;
  int32_t eos_;
  Inputs inputs_;
  Aligned<float> block_;
  std::vector<RunningSum> sums_;  // of each row; with Reduction::kMaximum, only `largest`
  std::vector<Best> best_;
  std::vector<Token> tokens_;  // [rows, continuations + 1]
  std::vector<float> penalised_;  // [StepRequest::penalties]: logits of those ids that were seen
  std::vector<Ranked> ranked_;  // of one row
  std::vector<size_t> special_;  // rows that need all their logits: with a draw, or with ties after rounding
  std::vector<OutputPart> special_parts_;  // of some special rows
  std::vector<float> log_probs_;  // of the same rows: [rows at once, vocabulary]
  std::vector<float> states_;  // of the same rows
  std::vector<int32_t> ids_;  // [rows, continuations]
  std::vector<float> scores_;
  std::vector<float> wanted_;  // [StepRequest::wanted]
};

}  // namespace ventris::engine
