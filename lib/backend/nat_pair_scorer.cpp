#include "backend/nat_pair_scorer.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "backend/nat_rows.h"
#include "backend/pair_scorer.h"
#include "decoding/nat.h"
#include "nn/attention_watch.h"

namespace ventris::backend {
namespace {

using decoding::Pair;
using decoding::PairAnswer;
using decoding::PairQuestion;
using torch::Tensor;

class NatPairScorer : public decoding::PairScorer {
 public:
  NatPairScorer(nn::NatModel model, const architecture::NatOptions& settings, const ScorerOptions& options)
      : model_(std::move(model)), settings_(settings), options_(options) {
    if (!settings.ctc()) cross_ = model_->attention_blocks().cross;
  }

  int64_t max_length() const override { return options_.max_length; }
  decoding::AttentionShape attention_shape() const override {
    if (cross_.empty()) return {};
    return {static_cast<int64_t>(cross_.size()), cross_.front()->heads()};
  }
  std::vector<PairAnswer> answer(std::span<const Pair> pairs, const PairQuestion& question) override;

 private:
  int64_t positions(const Pair& pair) const;
  std::vector<float> log_probs_of(const Pair& pair, const Tensor& log_probs, const Tensor& of_lengths) const;
  std::vector<float> attention_of(const Pair& pair, const Tensor& weights) const;

  nn::NatModel model_;
  architecture::NatOptions settings_;
  ScorerOptions options_;
  std::vector<const nn::AttentionBlock*> cross_;
};

/// The target positions that a pair needs.
int64_t NatPairScorer::positions(const Pair& pair) const {
  const auto source = static_cast<int64_t>(pair.source.size()), target = static_cast<int64_t>(pair.target.size());
  if (settings_.predicts_length()) return std::max<int64_t>(target, 1);
  if (settings_.ctc()) return settings_.positions(source);
  return std::max(settings_.positions(source), static_cast<int64_t>(pair.tokens()));
}

/// log_probs [positions, vocab] of a pair, of_lengths [classes] if the length is predicted.
std::vector<float> NatPairScorer::log_probs_of(const Pair& pair, const Tensor& log_probs,
                                               const Tensor& of_lengths) const {
  if (settings_.ctc()) {
    std::vector<float> values = ctc_log_probs(log_probs, pair.target, options_.ids.pad);
    values.resize(pair.tokens());
    return values;
  }
  std::vector<int64_t> wanted(pair.target.begin(), pair.target.end());
  if (pair.ends && !settings_.predicts_length()) wanted.push_back(options_.ids.eos);
  const auto count = static_cast<int64_t>(wanted.size());
  const Tensor ids = torch::tensor(wanted, torch::kLong).to(log_probs.device()).unsqueeze(1);
  const Tensor found = log_probs.narrow(0, 0, count).gather(1, ids).to(torch::kCPU).contiguous();
  const auto* first = found.const_data_ptr<float>();
  std::vector<float> values(first, first + count);
  if (pair.ends && settings_.predicts_length()) {
    const auto source = static_cast<int64_t>(pair.source.size());
    values.push_back(of_lengths[decoding::length_class(count, source, settings_.length_range)].item<float>());
  }
  return values;
}

/// weights [positions, src_len] of a pair.
std::vector<float> NatPairScorer::attention_of(const Pair& pair, const Tensor& weights) const {
  const auto source = static_cast<int64_t>(pair.source.size());
  const size_t rows = settings_.predicts_length() ? pair.target.size() : pair.tokens();
  const Tensor part = weights.narrow(0, 0, static_cast<int64_t>(rows)).narrow(1, 0, source).contiguous();
  std::vector<float> found(part.const_data_ptr<float>(), part.const_data_ptr<float>() + part.numel());
  found.resize(pair.tokens() * pair.source.size());
  return found;
}

std::vector<PairAnswer> NatPairScorer::answer(std::span<const Pair> pairs, const PairQuestion& question) {
  check_pairs(pairs, question, attention_shape(), options_.max_length);
  std::vector<PairAnswer> answers(pairs.size());
  if (pairs.empty()) return answers;
  const torch::NoGradGuard no_grad;
  std::vector<std::span<const int32_t>> spans;
  std::vector<int64_t> kept, lengths;
  for (const Pair& pair : pairs) {
    spans.push_back(pair.source);
    kept.push_back(static_cast<int64_t>(kept.size()));
    lengths.push_back(positions(pair));
  }
  const PaddedSources sources = pad_sources(spans, options_);
  const NatRows rows(sources, model_->encode(sources.ids, sources.mask), kept, lengths);
  const nn::AttentionWatch watch(question.attention ? std::vector{cross_[static_cast<size_t>(question.layer)]}
                                                    : std::vector<const nn::AttentionBlock*>());
  const Tensor hidden = rows.first_pass(*model_);
  if (question.log_probs) {
    Tensor of_lengths;  // [rows, classes]
    if (settings_.predicts_length()) of_lengths = model_->length_log_probs(rows.memory).to(torch::kCPU);
    for_log_probs(*model_, hidden, [&](int64_t first, int64_t count, const Tensor& log_probs) {
      for (int64_t i = 0; i < count; ++i) {
        const auto row = static_cast<size_t>(first + i);
        answers[row].log_probs = log_probs_of(pairs[row], log_probs[i].narrow(0, 0, lengths[row]),
                                              of_lengths.defined() ? of_lengths[first + i] : Tensor());
      }
    });
  }
  if (!question.attention) return answers;
  const Tensor& all = watch.weights(0);  // [rows, heads, longest, src_len]
  const Tensor weights =
      (question.head < 0 ? all.mean(1) : all.select(1, question.head)).to(torch::kCPU, torch::kFloat);
  for (size_t row = 0; row < pairs.size(); ++row) {
    answers[row].attention = attention_of(pairs[row], weights[static_cast<int64_t>(row)]);
  }
  return answers;
}

}  // namespace

std::unique_ptr<decoding::PairScorer> make_nat_pair_scorer(nn::NatModel model, const architecture::NatOptions& settings,
                                                           const ScorerOptions& options) {
  return std::make_unique<NatPairScorer>(std::move(model), settings, options);
}

}  // namespace ventris::backend
