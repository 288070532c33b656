#include "backend/script_scorer.h"

#include <torch/script.h>

#include "backend/pair_scorer.h"
#include "core/error.h"
#include "nn/masks.h"

namespace ventris::backend {
namespace {

using torch::Tensor;

/// Runs a method as it stands: shapes change at every step, and to specialise for each costs more than it saves. The
/// switch is a thread's own.
Tensor call(const torch::jit::Module& module, const char* method, std::vector<c10::IValue> inputs) {
  const torch::jit::GraphOptimizerEnabledGuard plain(false);
  return module.get_method(method)(std::move(inputs)).toTensor();
}

class ScriptScorer : public decoding::StepScorer {
 public:
  ScriptScorer(torch::jit::Module model, int32_t vocab, const ScorerOptions& options)
      : model_(std::move(model)), vocab_(vocab), options_(options), selector_(options) {}

  decoding::ScorerInfo info() const override { return {options_.bos, options_.eos, vocab_, options_.max_length}; }

  void reset() override {
    sources_.clear();
    targets_.clear();
    fresh_ = true;
  }

  void admit(std::span<const std::span<const int32_t>> sources) override {
    for (const auto& source : sources) {
      sources_.emplace_back(source.begin(), source.end());
      targets_.emplace_back();
    }
    fresh_ = true;
  }

  decoding::Candidates advance(const decoding::StepRequest& request) override;

 private:
  void follow(const decoding::StepRequest& request);
  void encode();
  Tensor targets() const;

  torch::jit::Module model_;
  int32_t vocab_;
  ScorerOptions options_;
  CandidateSelector selector_;
  std::vector<std::vector<int32_t>> sources_;  // of each row
  std::vector<std::vector<int64_t>> targets_;  // of each row, from bos on
  bool fresh_ = true;                          // rows were admitted: memory_ is not theirs yet
  Tensor memory_, mask_;                       // [rows, src_len, d_model], [rows, 1, src_len]
};

void ScriptScorer::encode() {
  const std::vector<std::span<const int32_t>> sources(sources_.begin(), sources_.end());
  const PaddedSources padded = pad_sources(sources, options_);
  memory_ = call(model_, "encode", {padded.ids, padded.mask});
  mask_ = padded.mask;
  fresh_ = false;
}

void ScriptScorer::follow(const decoding::StepRequest& request) {
  if (fresh_) encode();
  bool same = request.parents.size() == sources_.size();
  std::vector<std::vector<int32_t>> sources;
  std::vector<std::vector<int64_t>> targets;
  for (size_t row = 0; row < request.parents.size(); ++row) {
    const auto parent = static_cast<size_t>(request.parents[row]);
    same = same && parent == row;
    sources.push_back(sources_.at(parent));
    targets.push_back(targets_.at(parent));
    targets.back().push_back(request.last_ids[row]);
  }
  sources_ = std::move(sources);
  targets_ = std::move(targets);
  if (same) return;
  const Tensor index =
      torch::tensor(std::vector<int64_t>(request.parents.begin(), request.parents.end())).to(options_.device);
  memory_ = memory_.index_select(0, index);
  mask_ = mask_.index_select(0, index);
}

/// [rows, tgt_len] long, padded at the end.
Tensor ScriptScorer::targets() const {
  size_t longest = 0;
  for (const auto& target : targets_) longest = std::max(longest, target.size());
  auto ids =
      torch::full({static_cast<int64_t>(targets_.size()), static_cast<int64_t>(longest)}, options_.pad, torch::kLong);
  for (size_t row = 0; row < targets_.size(); ++row) {
    std::copy(targets_[row].begin(), targets_[row].end(), ids.data_ptr<int64_t>() + row * longest);
  }
  return ids.to(options_.device);
}

decoding::Candidates ScriptScorer::advance(const decoding::StepRequest& request) {
  const torch::NoGradGuard no_grad;
  follow(request);
  const Tensor ids = targets();
  const Tensor mask = nn::subsequent_mask(ids.size(1)).to(options_.device);
  const Tensor hidden = call(model_, "decode", {memory_, mask_, ids, mask});  // [rows, tgt_len, d_model]
  std::vector<int64_t> ends;
  for (const auto& target : targets_) ends.push_back(static_cast<int64_t>(target.size()) - 1);
  const Tensor last = torch::tensor(ends).to(options_.device).view({-1, 1, 1}).expand({-1, 1, hidden.size(2)});
  const Tensor states = hidden.gather(1, last).squeeze(1);  // [rows, d_model]
  const Tensor log_probs = call(model_.attr("generator").toModule(), "forward", {states});
  return selector_.select(log_probs.to(torch::kFloat).clone(), request);
}

/// Log-probabilities of pairs; an export has no method that tells its attention.
class ScriptPairScorer : public BatchPairScorer {
 public:
  ScriptPairScorer(torch::jit::Module model, const ScorerOptions& options)
      : BatchPairScorer(options), model_(std::move(model)) {}

  decoding::AttentionShape attention_shape() const override { return {}; }

 protected:
  Tensor encode(const Tensor& src, const Tensor& src_mask) override { return call(model_, "encode", {src, src_mask}); }
  Tensor log_probs(const Tensor& hidden) override {
    return call(model_.attr("generator").toModule(), "forward", {hidden});
  }
  Decoded decode(const Tensor& memory, const Tensor& src_mask, const Tensor& tgt, const Tensor& tgt_mask,
                 const decoding::PairQuestion& /*question*/) override {
    return {call(model_, "decode", {memory, src_mask, tgt, tgt_mask}), {}};
  }

 private:
  torch::jit::Module model_;
};

class ScriptFactory : public decoding::ScorerFactory {
 public:
  ScriptFactory(torch::jit::Module model, int32_t vocab, const ScorerOptions& options)
      : model_(std::move(model)), vocab_(vocab), options_(options) {}
  std::unique_ptr<decoding::StepScorer> make() const override {
    return std::make_unique<ScriptScorer>(model_, vocab_, options_);
  }
  std::unique_ptr<decoding::PairScorer> make_pair_scorer() const override {
    return std::make_unique<ScriptPairScorer>(model_, options_);
  }

 private:
  torch::jit::Module model_;
  int32_t vocab_;
  ScorerOptions options_;
};

}  // namespace

std::unique_ptr<decoding::ScorerFactory> make_script_factory(const std::string& path, int32_t vocab,
                                                             const ScorerOptions& options) {
  try {
    torch::jit::Module model = torch::jit::load(path, options.device);
    model.eval();
    return std::make_unique<ScriptFactory>(std::move(model), vocab, options);
  } catch (const c10::Error& error) {
    fail<ModelError>(path, ": LibTorch cannot load this TorchScript file: ", error.what_without_backtrace());
  }
}

}  // namespace ventris::backend
