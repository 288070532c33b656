#pragma once
#include <torch/torch.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/special_ids.h"
#include "decoding/step_scorer.h"

/// What the scorers of all kinds of models have in common.
namespace ventris::backend {

/// Settings of a model's scorers.
struct ScorerOptions {
  torch::Device device = torch::kCPU;
  core::SpecialIds ids;
  std::vector<int32_t> never = ids.never(/*allow_unk=*/true);  ///< ids that are never generated
  int64_t max_length = 1024;                                   ///< positions of the model
  decoding::MemoryNeeds decoder_memory = {}, pair_memory = {};  ///< see backend/module_memory.h
};

/// Parses a device: "cpu", "cuda", "cuda:1". Throws ConfigError for other texts or if the device does not exist.
torch::Device parse_device(const std::string& text);

/// A padded batch of source sentences with its mask.
struct PaddedSources {
  torch::Tensor ids;   ///< [sentences, src_len] long
  torch::Tensor mask;  ///< [sentences, 1, src_len] bool, true = may look
};
PaddedSources pad_sources(std::span<const std::span<const int32_t>> sources, const ScorerOptions& options);

/// Turns log-probabilities [rows, vocab] into continuations, and keeps the memory of the continuations. From a GPU,
/// only the continuations are copied to the host.
class ContinuationSelector {
 public:
  explicit ContinuationSelector(ScorerOptions options) : options_(std::move(options)) {}
  decoding::Continuations select(torch::Tensor log_probs, const decoding::StepRequest& request);

 private:
  void select_best(torch::Tensor& log_probs, const decoding::StepRequest& request);
  void select_on_host(const torch::Tensor& log_probs, const decoding::StepRequest& request);
  void select_wanted(const torch::Tensor& log_probs, const decoding::StepRequest& request);

  ScorerOptions options_;
  std::vector<int32_t> ids_;
  std::vector<float> scores_;
  std::vector<float> wanted_;
};

}  // namespace ventris::backend
