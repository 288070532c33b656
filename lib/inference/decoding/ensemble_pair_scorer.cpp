#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/process.h"
#include "decoding/ensemble_scorer.h"
#include "decoding/pair_rows.h"

namespace ventris::decoding {
namespace {

void score_group(StepScorer& scorer, std::span<const Pair> pairs, std::span<std::vector<float>> log_probs) {
  PairRows rows(pairs);
  scorer.reset();
  scorer.admit(rows.sources());
  const ScorerInfo info = scorer.info();
  for (size_t position = 0; rows.follow(position, info.bos, info.eos); ++position) {
    core::throw_if_stopped("scoring");
    StepRequest request;
    request.parents = rows.parents();
    request.last_ids = rows.last_ids();
    request.forced = rows.next_ids();
    const Continuations found = scorer.advance(request);
    for (size_t row = 0; row < rows.pairs().size(); ++row) {
      log_probs[rows.pairs()[row]].push_back(found.log_probs[row]);
    }
  }
  scorer.reset();
}

/// The first model's that provides attention.
AttentionShape attention_of(std::span<const std::unique_ptr<PairScorer>> models) {
  for (const auto& model : models) {
    if (model->attention_shape().layers > 0) return model->attention_shape();
  }
  return {};
}

}  // namespace

std::vector<std::vector<float>> score_by_steps(StepScorer& scorer, std::span<const Pair> pairs) {
  std::vector<std::vector<float>> log_probs(pairs.size());
  each_group(pairs, [&](size_t first, size_t count) {
    score_group(scorer, pairs.subspan(first, count), std::span(log_probs).subspan(first, count));
  });
  return log_probs;
}

EnsemblePairScorer::EnsemblePairScorer(std::vector<std::unique_ptr<PairScorer>> models, std::vector<float> shares,
                                       std::unique_ptr<StepScorer> steps)
    : models_(std::move(models)), shares_(std::move(shares)), steps_(std::move(steps)), shape_(attention_of(models_)) {
  float sum = 0;
  for (size_t i = 0; i < models_.size(); ++i) {
    const AttentionShape shape = models_[i]->attention_shape();
    const bool used = shape_.layers > 0 && shape.layers == shape_.layers && shape.heads == shape_.heads;
    attention_shares_.push_back(used ? shares_[i] : 0);
    sum += attention_shares_.back();
  }
  for (float& share : attention_shares_) share /= std::max(sum, std::numeric_limits<float>::min());
}

int64_t EnsemblePairScorer::max_length() const {
  int64_t least = models_.front()->max_length();
  for (const auto& model : models_) least = std::min(least, model->max_length());
  return least;
}

void EnsemblePairScorer::check(std::span<const Pair> pairs, const PairQuestion& question) const {
  if (question.attention && (question.layer < 0 || question.layer >= shape_.layers || question.head >= shape_.heads)) {
    throw std::invalid_argument("PairScorer: the models have no such layer or head");
  }
  for (const Pair& pair : pairs) {
    const auto longest = static_cast<int64_t>(std::max(pair.source.size(), pair.tokens()));
    if (pair.source.empty() || longest > max_length()) {
      throw std::invalid_argument("PairScorer: a source is empty, or a pair is too long");
    }
  }
}

std::vector<PairAnswer> EnsemblePairScorer::answer(std::span<const Pair> pairs, const PairQuestion& question) {
  check(pairs, question);
  std::vector<Answers> of_models;
  for (size_t i = 0; i < models_.size(); ++i) {
    PairQuestion part = question;
    part.log_probs = question.log_probs && !steps_;
    part.attention = question.attention && attention_shares_[i] > 0;
    of_models.push_back(part.log_probs || part.attention ? models_[i]->answer(pairs, part) : Answers(pairs.size()));
  }
  Answers answers(pairs.size());
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    if (!steps_) answers[pair].log_probs = mean_log_probs(of_models, pair);
    answers[pair].attention = mean_attention(of_models, pair);
  }
  if (steps_ && question.log_probs) {
    auto log_probs = score_by_steps(*steps_, pairs);
    for (size_t pair = 0; pair < pairs.size(); ++pair) answers[pair].log_probs = std::move(log_probs[pair]);
  }
  return answers;
}

std::vector<float> EnsemblePairScorer::mean_log_probs(std::span<const Answers> of_models, size_t pair) const {
  std::vector<float> mean(of_models.front()[pair].log_probs.size()), of_token(of_models.size());
  for (size_t token = 0; token < mean.size(); ++token) {
    for (size_t i = 0; i < of_models.size(); ++i) of_token[i] = of_models[i][pair].log_probs[token];
    mean[token] = mean_of_probs(of_token, shares_);
  }
  return mean;
}

std::vector<float> EnsemblePairScorer::mean_attention(std::span<const Answers> of_models, size_t pair) const {
  std::vector<float> mean;
  for (size_t i = 0; i < of_models.size(); ++i) {
    const std::vector<float>& attention = of_models[i][pair].attention;
    mean.resize(std::max(mean.size(), attention.size()));
    for (size_t j = 0; j < attention.size(); ++j) mean[j] += attention_shares_[i] * attention[j];
  }
  return mean;
}

}  // namespace ventris::decoding
