#include "decoding/ensemble_factory.h"

#include <stdexcept>
#include <utility>

#include "decoding/ensemble_scorer.h"

namespace ventris::decoding {
namespace {

class Ensemble : public ScorerFactory {
 public:
  Ensemble(std::vector<std::shared_ptr<const ScorerFactory>> models, EnsembleOptions options)
      : models_(std::move(models)), options_(std::move(options)) {
    if (options_.weights.empty()) options_.weights.assign(models_.size(), 1.0);
    if (models_.empty() || options_.weights.size() != models_.size()) {
      throw std::invalid_argument("make_ensemble: expected at least one model, and a weight for each");
    }
    shares_ = shares(options_.weights);
  }

  std::unique_ptr<StepScorer> make() const override {
    std::vector<std::unique_ptr<RowScorer>> scorers;
    for (const auto& model : models_) scorers.push_back(model->make_row_scorer());
    return std::make_unique<EnsembleScorer>(std::move(scorers), shares_, options_.combination, options_.never);
  }

  std::unique_ptr<PairScorer> make_pair_scorer() const override {
    std::vector<std::unique_ptr<PairScorer>> scorers;
    for (const auto& model : models_) scorers.push_back(model->make_pair_scorer());
    auto steps = options_.combination == Combination::kLogProbs ? make() : nullptr;
    return std::make_unique<EnsemblePairScorer>(std::move(scorers), shares_, std::move(steps));
  }

 private:
  std::vector<std::shared_ptr<const ScorerFactory>> models_;
  EnsembleOptions options_;
  std::vector<float> shares_;
};

}  // namespace

std::unique_ptr<ScorerFactory> make_ensemble(std::vector<std::shared_ptr<const ScorerFactory>> models,
                                             EnsembleOptions options) {
  return std::make_unique<Ensemble>(std::move(models), std::move(options));
}

}  // namespace ventris::decoding
