#include "backend/module_pair_scorer.h"

#include <algorithm>
#include <stdexcept>

#include "nn/attention_watch.h"
#include "nn/masks.h"

namespace ventris::backend {
namespace {

using decoding::Pair;
using decoding::PairAnswer;
using decoding::PairQuestion;
using torch::Tensor;

constexpr int64_t kLogitsAtOnce = 1 << 22;  // limits the memory for [tokens, vocab] numbers

/// The input of the decoder and the tokens that it should predict, [batch, tgt_len] each, padded at the end.
struct PaddedTargets {
  Tensor inputs, labels;
};

PaddedTargets pad_targets(std::span<const Pair> pairs, const ScorerOptions& options) {
  size_t longest = 0;
  for (const Pair& pair : pairs) longest = std::max(longest, pair.tokens());
  const std::vector<int64_t> sizes{static_cast<int64_t>(pairs.size()), static_cast<int64_t>(longest)};
  const Tensor inputs = torch::full(sizes, options.ids.pad, torch::kLong);
  const Tensor labels = torch::full(sizes, options.ids.pad, torch::kLong);
  for (size_t row = 0; row < pairs.size(); ++row) {
    const auto& target = pairs[row].target;
    const size_t tokens = pairs[row].tokens();
    int64_t* input = inputs.data_ptr<int64_t>() + row * longest;
    int64_t* label = labels.data_ptr<int64_t>() + row * longest;
    for (size_t i = 0; i < tokens; ++i) {
      input[i] = i == 0 ? options.ids.bos : target[i - 1];
      label[i] = i < target.size() ? target[i] : options.ids.eos;
    }
  }
  return {inputs.to(options.device), labels.to(options.device)};
}

/// Row `row` of [batch, tgt_len, src_len] without its padding.
std::vector<float> unpadded(const Tensor& attention, size_t row, const Pair& pair) {
  const auto source = static_cast<int64_t>(pair.source.size()), tokens = static_cast<int64_t>(pair.tokens());
  const Tensor part = attention[static_cast<int64_t>(row)].narrow(0, 0, tokens).narrow(1, 0, source).contiguous();
  const auto* data = part.const_data_ptr<float>();
  return {data, data + part.numel()};
}

class ModulePairScorer : public decoding::PairScorer {
 public:
  ModulePairScorer(nn::Seq2Seq model, const ScorerOptions& options)
      : model_(std::move(model)), options_(options), cross_(model_->attention_blocks().cross) {}

  int64_t max_length() const override { return options_.max_length; }
  decoding::MemoryNeeds memory() const override { return options_.pair_memory; }
  decoding::AttentionShape attention_shape() const override {
    if (cross_.empty()) return {};
    return {static_cast<int64_t>(cross_.size()), cross_.front()->heads()};
  }
  std::vector<PairAnswer> answer(std::span<const Pair> pairs, const PairQuestion& question) override;

 private:
  /// The output of the decoder for a batch.
  struct Decoded {
    Tensor hidden;     // [batch, tgt_len, d_model]
    Tensor attention;  // [batch, tgt_len, src_len] if requested, otherwise undefined
  };

  Decoded decode(const nn::Memory& memory, const Tensor& tgt, const PairQuestion& question) const;
  Tensor token_log_probs(const Tensor& hidden, const Tensor& labels) const;

  nn::Seq2Seq model_;
  ScorerOptions options_;
  std::vector<const nn::AttentionBlock*> cross_;
};

/// tgt [batch, tgt_len] long, from bos on.
ModulePairScorer::Decoded ModulePairScorer::decode(const nn::Memory& memory, const Tensor& tgt,
                                                   const PairQuestion& question) const {
  const Tensor tgt_mask = nn::subsequent_mask(tgt.size(1), options_.device);
  if (!question.attention) return {model_->decode(memory, tgt, tgt_mask), {}};
  const nn::AttentionWatch watch({cross_[static_cast<size_t>(question.layer)]});
  const Tensor hidden = model_->decode(memory, tgt, tgt_mask);
  const Tensor& weights = watch.kept(0);  // [batch, heads, tgt_len, src_len]
  return {hidden, question.head < 0 ? weights.mean(1) : weights.select(1, question.head)};
}

/// hidden [batch, tgt_len, d_model], labels [batch, tgt_len] -> [batch * tgt_len] on the host; 0 at padding.
Tensor ModulePairScorer::token_log_probs(const Tensor& hidden, const Tensor& labels) const {
  const Tensor rows = labels.flatten().ne(options_.ids.pad).nonzero().squeeze(1);  // [tokens]
  const Tensor wanted = labels.flatten().index_select(0, rows).unsqueeze(1);   // [tokens, 1]
  const Tensor states = hidden.flatten(0, 1).index_select(0, rows);            // [tokens, d_model]
  Tensor all = torch::zeros({labels.numel()}, torch::dtype(torch::kFloat).device(labels.device()));
  const int64_t at_once = std::max<int64_t>(kLogitsAtOnce / model_->tgt_vocab(), 1);
  for (int64_t begin = 0; begin < rows.size(0); begin += at_once) {
    const int64_t count = std::min(at_once, rows.size(0) - begin);
    const Tensor part = model_->log_probs(states.narrow(0, begin, count)).to(torch::kFloat);  // [count, vocab]
    all.index_copy_(0, rows.narrow(0, begin, count), part.gather(1, wanted.narrow(0, begin, count)).squeeze(1));
  }
  return all.to(torch::kCPU);
}

std::vector<PairAnswer> ModulePairScorer::answer(std::span<const Pair> pairs, const PairQuestion& question) {
  decoding::check_pairs(pairs, question, attention_shape(), options_.max_length);
  std::vector<PairAnswer> answers(pairs.size());
  const torch::NoGradGuard no_grad;
  const PaddedTargets targets = pad_targets(pairs, options_);
  const int64_t length = targets.labels.size(1);
  if (length == 0) return answers;
  std::vector<std::span<const int32_t>> spans;
  for (const Pair& pair : pairs) spans.push_back(pair.source);
  const PaddedSources sources = pad_sources(spans, options_);
  const Decoded decoded = decode(model_->encode(sources.ids, sources.mask), targets.inputs, question);
  if (question.log_probs) {
    const Tensor found = token_log_probs(decoded.hidden, targets.labels);
    const auto* data = found.const_data_ptr<float>();
    for (size_t row = 0; row < pairs.size(); ++row) {
      const float* first = data + row * static_cast<size_t>(length);
      answers[row].log_probs.assign(first, first + pairs[row].tokens());
    }
  }
  if (question.attention) {
    const Tensor attention = decoded.attention.to(torch::kCPU, torch::kFloat);
    for (size_t row = 0; row < pairs.size(); ++row) answers[row].attention = unpadded(attention, row, pairs[row]);
  }
  return answers;
}

}  // namespace

std::unique_ptr<decoding::PairScorer> make_module_pair_scorer(nn::Seq2Seq model, const ScorerOptions& options) {
  return std::make_unique<ModulePairScorer>(std::move(model), options);
}

}  // namespace ventris::backend
