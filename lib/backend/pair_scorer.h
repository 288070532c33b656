#pragma once
#include <torch/torch.h>

#include <memory>
#include <vector>

#include "backend/module_scorer.h"
#include "decoding/pair_scorer.h"

namespace ventris::backend {

/// Answers about pairs by teacher forcing: one pass over padded batches, whatever encodes and decodes.
class BatchPairScorer : public decoding::PairScorer {
 public:
  explicit BatchPairScorer(ScorerOptions options) : options_(std::move(options)) {}
  int64_t max_length() const override { return options_.max_length; }
  std::vector<decoding::PairAnswer> answer(std::span<const decoding::Pair> pairs,
                                           const decoding::PairQuestion& question) override;

 protected:
  /// What the decoder makes of a batch.
  struct Decoded {
    torch::Tensor hidden;     ///< [batch, tgt_len, d_model]
    torch::Tensor attention;  ///< [batch, tgt_len, src_len] if asked for, otherwise undefined
  };

  /// src [batch, src_len] long, src_mask [batch, 1, src_len] -> memory [batch, src_len, d_model].
  virtual torch::Tensor encode(const torch::Tensor& src, const torch::Tensor& src_mask) = 0;
  /// tgt [batch, tgt_len] long, from bos on; tgt_mask [1, tgt_len, tgt_len].
  virtual Decoded decode(const torch::Tensor& memory, const torch::Tensor& src_mask, const torch::Tensor& tgt,
                         const torch::Tensor& tgt_mask, const decoding::PairQuestion& question) = 0;
  /// hidden states [tokens, d_model] -> log-probabilities [tokens, vocab].
  virtual torch::Tensor log_probs(const torch::Tensor& hidden) = 0;

 private:
  void check(std::span<const decoding::Pair> pairs, const decoding::PairQuestion& question) const;
  torch::Tensor token_log_probs(const torch::Tensor& hidden, const torch::Tensor& labels);

  ScorerOptions options_;
};

/// Answers of a module, which must be in eval mode and on options.device.
std::unique_ptr<decoding::PairScorer> make_module_pair_scorer(nn::EncoderDecoder model, const ScorerOptions& options);

}  // namespace ventris::backend
