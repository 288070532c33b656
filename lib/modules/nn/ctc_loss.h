#pragma once
#include <torch/torch.h>

#include <span>
#include <vector>

namespace ventris::nn {

/// Targets of a decoder that writes each of them at more positions than it has tokens (CTC, Graves et al. 2006).
struct CtcTargets {
  torch::Tensor ids;  ///< [sentences, longest] long, padded with any id of the vocabulary
  std::vector<int64_t> tokens;  ///< tokens of each sentence, without padding; 0 = an empty target
  std::vector<int64_t> positions;  ///< positions of each sentence, at least 1
  int64_t blank = 0;  ///< the symbol of positions that write nothing
};

/// The sum over the sentences of -log P(target) times their weights, from logits = hidden * weight^T + bias, without
/// storing all logits at once. hidden [sentences, len, d_model]: what is after the positions of a sentence does not
/// count. weight [vocab, d_model], bias [vocab] (float), weights [sentences] (float). A sentence whose target does not
/// fit into its positions counts as 0. In bf16 under CPU autocast. On a GPU and in f64, all logits are stored. At most
/// one backward pass. Throws c10::Error for other sizes and types.
torch::Tensor generator_ctc_loss(const torch::Tensor& hidden, const torch::Tensor& weight, const torch::Tensor& bias,
                                 const CtcTargets& targets, const torch::Tensor& weights);

/// What is known of a sentence's symbols: `best` [positions] has the most probable symbol of each position, and
/// `logits` [positions, tokens + 1] those of the blank and of each token of its target.
struct SymbolLogits {
  std::vector<int64_t> best;
  std::vector<float> logits;
};

/// One result per sentence, from the logits of generator_ctc_loss, without gradients.
std::vector<SymbolLogits> generator_symbols(const torch::Tensor& hidden, const torch::Tensor& weight,
                                            const torch::Tensor& bias, const CtcTargets& targets);

}  // namespace ventris::nn
