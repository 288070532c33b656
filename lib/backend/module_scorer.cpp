#include "backend/module_scorer.h"

#include <utility>

#include "backend/pair_scorer.h"

namespace ventris::backend {
namespace {

/// Adds padding, selection of candidates and penalties to the step model of any family.
class ModuleScorer : public decoding::StepScorer {
 public:
  ModuleScorer(nn::Seq2SeqImpl& model, const ScorerOptions& options)
      : steps_(model.make_step_model()),
        vocab_(static_cast<int32_t>(model.tgt_vocab())),
        options_(options),
        selector_(options) {}

  decoding::ScorerInfo info() const override {
    return {options_.ids.bos, options_.ids.eos, vocab_, options_.max_length};
  }

  void reset() override { steps_->reset(); }

  void admit(std::span<const std::span<const int32_t>> sources) override {
    const c10::InferenceMode inference;
    const PaddedSources padded = pad_sources(sources, options_);
    steps_->admit(padded.ids, padded.mask);
  }

  decoding::Continuations advance(const decoding::StepRequest& request) override {
    const c10::InferenceMode inference;
    steps_->follow(request.parents);
    const std::vector<int64_t> last(request.last_ids.begin(), request.last_ids.end());
    return selector_.select(steps_->log_probs(torch::tensor(last).to(options_.device)), request);
  }

 private:
  std::unique_ptr<nn::StepModel> steps_;
  int32_t vocab_;
  ScorerOptions options_;
  ContinuationSelector selector_;
};

class ModuleFactory : public decoding::ScorerFactory {
 public:
  ModuleFactory(nn::Seq2Seq model, const ScorerOptions& options) : model_(std::move(model)), options_(options) {}
  std::unique_ptr<decoding::StepScorer> make() const override { return make_module_scorer(model_, options_); }
  std::unique_ptr<decoding::PairScorer> make_pair_scorer() const override {
    return make_module_pair_scorer(model_, options_);
  }

 private:
  nn::Seq2Seq model_;
  ScorerOptions options_;
};

}  // namespace

std::unique_ptr<decoding::StepScorer> make_module_scorer(const nn::Seq2Seq& model, const ScorerOptions& options) {
  return std::make_unique<ModuleScorer>(*model, options);
}

std::unique_ptr<decoding::ScorerFactory> make_module_factory(nn::Seq2Seq model, const ScorerOptions& options) {
  return std::make_unique<ModuleFactory>(std::move(model), options);
}

}  // namespace ventris::backend
