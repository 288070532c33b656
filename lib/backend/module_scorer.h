#pragma once
#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

#include "core/special_ids.h"
#include "decoding/step_scorer.h"
#include "nn/seq2seq.h"

namespace ventris::backend {

/// Settings of a model's scorers.
struct ScorerOptions {
  torch::Device device = torch::kCPU;
  core::SpecialIds ids;
  std::vector<int32_t> never{ids.pad,
                             ids.bos};  ///< ids that are never generated: pad, bos, and unk unless it is allowed
  int64_t max_length = 1024;         ///< positions of the model
  decoding::MemoryNeeds decoder_memory = {}, pair_memory = {};  ///< see backend/memory_needs.h
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

/// A scorer that uses the model's step model. Sentences may be admitted while others are being translated.
std::unique_ptr<decoding::StepScorer> make_module_scorer(const nn::Seq2Seq& model, const ScorerOptions& options);

/// Makes scorers for one model (in eval mode, on options.device), for any number of threads.
std::unique_ptr<decoding::ScorerFactory> make_module_factory(nn::Seq2Seq model, const ScorerOptions& options);

}  // namespace ventris::backend
