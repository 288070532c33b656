#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "arithmetic/matrix.h"
#include "decoding/memory_needs.h"

namespace ventris::engine {

using arithmetic::Aligned;
using arithmetic::InputRows;
using arithmetic::Inputs;
using arithmetic::Kernels;
using arithmetic::Matrix;
using arithmetic::RunningSum;

/// The last layer of a model that writes all tokens at once: from states to the best symbols of each position. The
/// logits are computed in blocks of rows and of columns, each of which is then overwritten.
class SymbolLayer {
 public:
  static decoding::MemoryNeeds needs();

  static constexpr int64_t kRowsAtOnce = 128;    ///< rows that are computed together: their logits stay in the cache
  static constexpr int64_t kPanelsAtOnce = 16;  ///< panels that are computed together

  /// `excluded`: ids that are never a best symbol.
  SymbolLayer(const Kernels& kernels, const Matrix& generator, std::vector<int32_t> excluded);

  /// Finds the `count` best symbols of states [rows, d_model], which must stay as they are until the next call.
  void find(const float* states, int64_t rows, int64_t count = 1);
  /// The best symbols of each row of states, best first, and their log-probabilities; NaN if the logits are not
  /// numbers: [rows, count]. Ties: the lower id first. If there are fewer symbols, the others are 0 with -infinity.
  std::span<const int32_t> ids() const { return ids_; }
  std::span<const float> log_probs() const { return best_; }

  /// The log-probabilities of some symbols in the rows [first, first + count) of find(): [count, symbols].
  std::vector<float> log_probs_of(size_t first, size_t count, std::span<const int32_t> symbols);

 private:
  void find_some(size_t first, int64_t rows);
  void look_for_best(size_t row, const float* logits, int64_t first, int64_t count);
  void insert(size_t row, int32_t id, float logit);

  const Kernels& kernels_;
  const Matrix& generator_;
  std::vector<int32_t> excluded_;
  Inputs inputs_;
  Aligned<float> block_;
  const float* states_ = nullptr;
  size_t best_count_ = 1;                            // symbols of a row that are found
  std::vector<RunningSum> sums_;                     // of each row
  std::vector<int32_t> ids_;                         // [rows, best_count_]
  std::vector<float> best_;                          // the logits of ids_, and in the end their log-probabilities
  std::vector<std::pair<int64_t, size_t>> columns_;  // of log_probs_of(): symbols with their places, sorted
};

}  // namespace ventris::engine
