#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "architecture/transformer_options.h"

namespace ventris::layers {

/// Which experts the rows of a batch take (TransformerOptions::experts).
class Routing {
 public:
  struct Choice {
    int64_t row, expert;
    float share;  ///< of the expert in the result of the row
  };

  /// Gives each row of logits [rows, experts], which are overwritten, the `experts_per_token` experts with the largest
  /// ones; of equal ones, the first. The share of a single expert is its softmax over all (Fedus et al. 2021); those of
  /// two are their softmax over both (Lepikhin et al. 2021).
  void choose(float* logits, int64_t rows, const architecture::TransformerOptions& options);
  /// Those of expert 0, in the order of the rows, then those of expert 1, and so on.
  std::span<const Choice> all() const { return by_expert_; }
  /// The number of rows that take an expert.
  int64_t count(int64_t expert) const { return ends_[expert] - (expert == 0 ? 0 : ends_[expert - 1]); }

  /// The memory that a row takes.
  static int64_t bytes_of_row(const architecture::TransformerOptions& options);

 private:
  void sort_by_expert(int64_t experts);

  std::vector<Choice> by_row_, by_expert_;
  std::vector<int64_t> ends_;  // where the choices of each expert end in `by_expert_`
};

}  // namespace ventris::layers
