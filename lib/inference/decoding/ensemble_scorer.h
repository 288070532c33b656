#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "decoding/combination.h"
#include "decoding/pair_scorer.h"
#include "decoding/row_scorer.h"

/// The scorers of an ensemble (decoding/ensemble_factory.h).
namespace ventris::decoding {

/// Combines the rows of several models.
class EnsembleScorer : public StepScorer {
 public:
  /// `shares`: one for each model, their sum is 1. `never`: ids that are never continuations. Throws
  /// std::invalid_argument if the special ids or the vocabulary sizes of the models differ.
  EnsembleScorer(std::vector<std::unique_ptr<RowScorer>> models, std::vector<float> shares, Combination combination,
                 std::vector<int32_t> never);

  ScorerInfo info() const override { return info_; }
  void admit(std::span<const std::span<const int32_t>> sources) override;
  Continuations advance(const StepRequest& request) override;
  void reset() override;

 private:
  void select(const StepRequest& request, size_t first, size_t count);
  void select_row(const StepRequest& request, size_t row, int32_t* ids, float* scores);
  void select_wanted_means(const StepRequest& request, size_t row);

  std::vector<std::unique_ptr<RowScorer>> models_;
  std::vector<float> shares_;
  Combination combination_;
  std::vector<int32_t> never_;
  ScorerInfo info_;
  std::vector<int32_t> excluded_;   // never_ and eos
  std::vector<const float*> rows_;  // a row of each model
  std::vector<float> combined_;     // [vocab]
  std::vector<int32_t> ids_;        // [rows, continuations]
  std::vector<float> scores_;
  std::vector<float> wanted_;  // [StepRequest::wanted]
};

/// Combines the answers of several models.
class EnsemblePairScorer : public PairScorer {
 public:
  /// `steps` computes the log-probabilities, token by token, because each needs whole rows; null = they are the means
  /// of the models' probabilities.
  EnsemblePairScorer(std::vector<std::unique_ptr<PairScorer>> models, std::vector<float> shares,
                     std::unique_ptr<StepScorer> steps);

  int64_t max_length() const override;
  AttentionShape attention_shape() const override { return shape_; }
  std::vector<PairAnswer> answer(std::span<const Pair> pairs, const PairQuestion& question) override;

 private:
  using Answers = std::vector<PairAnswer>;

  void check(std::span<const Pair> pairs, const PairQuestion& question) const;
  std::vector<float> mean_log_probs(std::span<const Answers> of_models, size_t pair) const;
  std::vector<float> mean_attention(std::span<const Answers> of_models, size_t pair) const;

  std::vector<std::unique_ptr<PairScorer>> models_;
  std::vector<float> shares_;
  std::unique_ptr<StepScorer> steps_;
  AttentionShape shape_;                 // of the first model that provides attention
  std::vector<float> attention_shares_;  // 0 = the attention of the model is not used
};

/// The log-probabilities of the tokens of each pair, computed by decoding all pairs together, token by token.
std::vector<std::vector<float>> score_by_steps(StepScorer& scorer, std::span<const Pair> pairs);

}  // namespace ventris::decoding
