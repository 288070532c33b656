#pragma once
#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "architecture/transformer_nat.h"
#include "backend/module_scorer.h"
#include "nn/nat_model.h"

/// What decoding and scoring with a model that writes all tokens at once have in common.
namespace ventris::backend {

/// Encoded sources with the number of target positions of each.
struct NatRows {
  torch::Tensor src, src_mask;   ///< [rows, src_len] long, [rows, 1, src_len] bool
  nn::Memory memory;             ///< of these rows
  std::vector<int64_t> lengths;  ///< target positions of each row, at least 1
  torch::Tensor positions;       ///< the same [rows] (long), on the device
  torch::Tensor tgt_mask;        ///< [rows, 1, longest] bool, true = may look

  /// The rows `kept` of encoded sources, of which each may be taken several times, with these lengths.
  NatRows(const PaddedSources& sources, const nn::Memory& encoded, const std::vector<int64_t>& kept,
          std::vector<int64_t> its_lengths);

  int64_t size() const { return static_cast<int64_t>(lengths.size()); }
  /// What the decoder makes of its first input: [rows, longest, width].
  torch::Tensor first_pass(nn::NatModelImpl& model) const;
};

/// Calls work(first, count, log_probs) for blocks of rows of hidden [rows, len, width]; log_probs [count, len, vocab]
/// are in f32 and new. A block has few enough rows that its log-probabilities do not need much memory.
void for_log_probs(nn::NatModelImpl& model, const torch::Tensor& hidden,
                   const std::function<void(int64_t first, int64_t count, const torch::Tensor& log_probs)>& work);

/// The log-probabilities (nats) of the tokens of a CTC translation and of its end (decoding/ctc.h). log_probs
/// [positions, vocab].
std::vector<float> ctc_log_probs(const torch::Tensor& log_probs, std::span<const int32_t> tokens, int32_t blank);

}  // namespace ventris::backend
