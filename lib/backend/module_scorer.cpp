#include "backend/module_scorer.h"

#include <utility>

#include "backend/pair_scorer.h"
#include "decoding/row_scorer.h"

namespace ventris::backend {
namespace {

torch::Tensor last_ids_on(torch::Device device, std::span<const int32_t> ids) {
  return torch::tensor(std::vector<int64_t>(ids.begin(), ids.end())).to(device);
}

/// Adds padding, selection of candidates and penalties to the step model of any family.
class ModuleScorer : public decoding::StepScorer {
 public:
  ModuleScorer(nn::Seq2SeqImpl& model, const ScorerOptions& options)
      : steps_(model.make_step_model()),
        vocab_(static_cast<int32_t>(model.tgt_vocab())),
        options_(options),
        selector_(options) {}

  decoding::ScorerInfo info() const override {
    return {options_.ids.bos, options_.ids.eos, vocab_, options_.max_length, options_.decoder_memory};
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
    return selector_.select(steps_->log_probs(last_ids_on(options_.device, request.last_ids)), request);
  }

 private:
  std::unique_ptr<nn::StepModel> steps_;
  int32_t vocab_;
  ScorerOptions options_;
  ContinuationSelector selector_;
};

/// For ensembles.
class ModuleRowScorer : public decoding::RowScorer {
 public:
  ModuleRowScorer(nn::Seq2SeqImpl& model, const ScorerOptions& options)
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

  void step(std::span<const int32_t> parents, std::span<const int32_t> last_ids) override {
    const c10::InferenceMode inference;
    steps_->follow(parents);
    log_probs_ = steps_->log_probs(last_ids_on(options_.device, last_ids));
  }

  std::span<const float> log_probs(size_t first, size_t count) override {
    const c10::InferenceMode inference;
    const auto rows = log_probs_.narrow(0, static_cast<int64_t>(first), static_cast<int64_t>(count));
    on_host_ = rows.to(torch::kCPU, torch::kFloat).contiguous();
    return {on_host_.const_data_ptr<float>(), static_cast<size_t>(on_host_.numel())};
  }

 private:
  std::unique_ptr<nn::StepModel> steps_;
  int32_t vocab_;
  ScorerOptions options_;
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
