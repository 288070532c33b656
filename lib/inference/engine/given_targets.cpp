#include "engine/given_targets.h"

#include <algorithm>
#include <utility>

#include "core/process.h"
#include "decoding/pair_rows.h"
#include "engine/needs.h"
#include "engine/output_layer.h"
#include "engine/whole_decoder.h"
#include "layers/layers.h"

namespace ventris::engine {
namespace {

using decoding::Pair;
using decoding::PairAnswer;
using decoding::PairQuestion;

/// out [src_len] = the attention weights [heads, src_len] of a head, or their mean over all heads (-1).
void attention_of_head(const float* weights, int64_t heads, int64_t src_len, int64_t head, float* out) {
  for (int64_t j = 0; j < src_len; ++j) {
    float sum = 0;
    for (int64_t h = 0; h < heads; ++h) sum += head < 0 || h == head ? weights[h * src_len + j] : 0;
    out[j] = head < 0 ? sum / static_cast<float>(heads) : sum;
  }
}

class GivenTargets : public decoding::PairScorer {
 public:
  GivenTargets(std::shared_ptr<const TransformerWeights> weights, const core::SpecialIds& ids)
      : weights_(std::move(weights)),
        ids_(ids),
        context_{arithmetic::kernels(), weights_->decoder_options, work_},
        encoder_({arithmetic::kernels(), weights_->options, work_}, *weights_),
        decoder_(context_, *weights_, Sight::kUpToItself),
        output_(arithmetic::kernels(), weights_->generator, {}, ids.eos) {}

  int64_t max_length() const override { return weights_->options.max_positions; }
  decoding::MemoryNeeds memory() const override { return pair_memory_needs(weights_->options); }
  decoding::AttentionShape attention_shape() const override {
    return {weights_->options.decoder_layers, weights_->decoder_options.heads};
  }
  std::vector<PairAnswer> answer(std::span<const Pair> pairs, const PairQuestion& question) override;

 private:
  void answer_group(std::span<const Pair> pairs, const PairQuestion& question, std::span<PairAnswer> answers);
  void encode(std::span<const Pair> pairs);
  void read_targets(std::span<const Pair> pairs);
  void give_log_probs(std::span<const Pair> pairs, const float* states, std::span<PairAnswer> answers);
  void give_attention(std::span<const Pair> pairs, int64_t head, std::span<PairAnswer> answers) const;

  std::shared_ptr<const TransformerWeights> weights_;
  core::SpecialIds ids_;
  layers::Workspace work_;
  Context context_;
  Encoder encoder_;
  WholeDecoder decoder_;
  Output output_;
  std::vector<nat::NatRow> rows_;           // of a group: the pairs that have tokens
  std::vector<int32_t> last_ids_, next_ids_;  // of each position: the token before it, and that which stands there
  std::vector<int64_t> positions_;
};

std::vector<PairAnswer> GivenTargets::answer(std::span<const Pair> pairs, const PairQuestion& question) {
  decoding::check_pairs(pairs, question, attention_shape(), max_length());
  std::vector<PairAnswer> answers(pairs.size());
  const auto use = [&](size_t first, size_t count) {
    core::throw_if_stopped("scoring");
    answer_group(pairs.subspan(first, count), question, std::span(answers).subspan(first, count));
  };
  decoding::each_group(pairs, use, kGivenTokens);
  return answers;
}

void GivenTargets::answer_group(std::span<const Pair> pairs, const PairQuestion& question,
                                std::span<PairAnswer> answers) {
  read_targets(pairs);
  if (rows_.empty()) return;
  encode(pairs);
  float* x = decoder_.input(static_cast<int64_t>(last_ids_.size()));
  layers::embed(context_, weights_->target, last_ids_, positions_, x);
  const float* states =
      decoder_.run({.rows = rows_, .watched_layer = question.attention ? question.layer : int64_t{-1}});
  if (question.log_probs) give_log_probs(pairs, states, answers);
  if (question.attention) give_attention(pairs, question.head, answers);
}

void GivenTargets::encode(std::span<const Pair> pairs) {
  std::vector<std::span<const int32_t>> sources;
  std::vector<int64_t> lengths;
  for (const Pair& pair : pairs) {
    layers::check_ids(pair.source, weights_->options.src_vocab);
    sources.push_back(pair.source);
    lengths.push_back(static_cast<int64_t>(pair.source.size()));
  }
  encoder_.encode(sources);
  decoder_.read(encoder_, lengths);
}

void GivenTargets::read_targets(std::span<const Pair> pairs) {
  rows_.clear();
  last_ids_.clear();
  next_ids_.clear();
  positions_.clear();
  for (size_t i = 0; i < pairs.size(); ++i) {
    const Pair& pair = pairs[i];
    layers::check_ids(pair.target, weights_->options.tgt_vocab);
    if (pair.tokens() == 0) continue;
    rows_.push_back({i, static_cast<int64_t>(pair.tokens())});
    for (size_t t = 0; t < pair.tokens(); ++t) {
      last_ids_.push_back(t == 0 ? ids_.bos : pair.target[t - 1]);
      next_ids_.push_back(t < pair.target.size() ? pair.target[t] : ids_.eos);
      positions_.push_back(static_cast<int64_t>(t));
    }
  }
}

void GivenTargets::give_log_probs(std::span<const Pair> pairs, const float* states, std::span<PairAnswer> answers) {
  const std::vector<float> found = output_.log_probs_of(states, next_ids_);
  auto from = found.begin();
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto end = from + static_cast<std::ptrdiff_t>(pairs[i].tokens());
    answers[i].log_probs.assign(from, end);
    from = end;
  }
}

void GivenTargets::give_attention(std::span<const Pair> pairs, int64_t head, std::span<PairAnswer> answers) const {
  const int64_t heads = weights_->decoder_options.heads;
  const float* weights = decoder_.attention();
  for (size_t i = 0; i < pairs.size(); ++i) {
    const auto src_len = static_cast<int64_t>(pairs[i].source.size());
    answers[i].attention.resize(pairs[i].tokens() * pairs[i].source.size());
    float* out = answers[i].attention.data();
    for (size_t t = 0; t < pairs[i].tokens(); ++t, weights += heads * src_len, out += src_len) {
      attention_of_head(weights, heads, src_len, head, out);
    }
  }
}

}  // namespace

std::unique_ptr<decoding::PairScorer> make_given_targets(std::shared_ptr<const TransformerWeights> weights,
                                                         const core::SpecialIds& ids) {
  return std::make_unique<GivenTargets>(std::move(weights), ids);
}

}  // namespace ventris::engine
