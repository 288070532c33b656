#include "backend/module_scorer.h"

#include <utility>
#include <vector>

#include "backend/module_pair_scorer.h"
#include "decoding/row_scorer.h"

namespace ventris::backend {
namespace {

/// Adds padding to the step model of any family. `Interface` is decoding::StepScorer or decoding::RowScorer.
template <typename Interface>
class StepModelScorer : public Interface {
 public:
  StepModelScorer(nn::Seq2SeqImpl& model, const ScorerOptions& options)
      : steps_(model.make_step_model()), vocab_(static_cast<int32_t>(model.tgt_vocab())), options_(options) {}

  decoding::ScorerInfo info() const override {
    return {options_.ids.bos, options_.ids.eos, vocab_, options_.max_length, options_.decoder_memory};
  }

  void reset() override { steps_->reset(); }

  void admit(std::span<const std::span<const int32_t>> sources) override {
    const c10::InferenceMode inference;
    const PaddedSources padded = pad_sources(sources, options_);
    steps_->admit(padded.ids, padded.mask);
  }

 protected:
  /// The log-probabilities [rows, vocab] after one step.
  torch::Tensor log_probs_after(std::span<const int32_t> parents, std::span<const int32_t> last_ids) {
    steps_->follow(parents);
    const std::vector<int64_t> ids(last_ids.begin(), last_ids.end());
    return steps_->log_probs(torch::tensor(ids).to(options_.device));
  }

 private:
  std::unique_ptr<nn::StepModel> steps_;
  int32_t vocab_;
  ScorerOptions options_;
};

/// Adds selection of continuations and penalties.
class ModuleScorer : public StepModelScorer<decoding::StepScorer> {
 public:
  ModuleScorer(nn::Seq2SeqImpl& model, const ScorerOptions& options)
      : StepModelScorer(model, options), selector_(options) {}

  decoding::Continuations advance(const decoding::StepRequest& request) override {
    const c10::InferenceMode inference;
    return selector_.select(log_probs_after(request.parents, request.last_ids), request);
  }

 private:
  ContinuationSelector selector_;
};

/// For ensembles.
class ModuleRowScorer : public StepModelScorer<decoding::RowScorer> {
 public:
  using StepModelScorer::StepModelScorer;

  void step(std::span<const int32_t> parents, std::span<const int32_t> last_ids) override {
    const c10::InferenceMode inference;
    log_probs_ = log_probs_after(parents, last_ids);
  }

  std::span<const float> log_probs(size_t first, size_t count) override {
    const c10::InferenceMode inference;
    const auto rows = log_probs_.narrow(0, static_cast<int64_t>(first), static_cast<int64_t>(count));
    on_host_ = rows.to(torch::kCPU, torch::kFloat).contiguous();
    return {on_host_.const_data_ptr<float>(), static_cast<size_t>(on_host_.numel())};
  }

 private:
  torch::Tensor log_probs_;  // of the last step: [rows, vocab]
  torch::Tensor on_host_;
};

class ModuleFactory : public decoding::ScorerFactory {
 public:
  ModuleFactory(nn::Seq2Seq model, const ScorerOptions& options) : model_(std::move(model)), options_(options) {}
  std::unique_ptr<decoding::StepScorer> make() const override { return make_module_scorer(model_, options_); }
  std::unique_ptr<decoding::PairScorer> make_pair_scorer() const override {
    return make_module_pair_scorer(model_, options_);
  }
  std::unique_ptr<decoding::RowScorer> make_row_scorer() const override {
    return std::make_unique<ModuleRowScorer>(*model_, options_);
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
