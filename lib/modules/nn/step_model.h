#pragma once
#include <torch/torch.h>

#include <memory>
#include <span>

namespace ventris::nn {

/// A model that decodes token by token, in eval mode and on one thread. A row is a target prefix with its source. Each
/// family decides what it keeps of a row from step to step (attention keys and values, recurrent states).
class StepModel {
 public:
  virtual ~StepModel() = default;

  /// Encodes sentences and appends one row for each, with an empty prefix, after the existing rows.
  /// src [sentences, src_len] long, padded at the end; src_mask [sentences, 1, src_len] bool, true = may look.
  virtual void admit(const torch::Tensor& src, const torch::Tensor& src_mask) = 0;

  /// Replaces row i by the old row parents[i]; rows may be repeated or dropped, but at least one must remain. Call it
  /// before each log_probs(). Does not append tokens; log_probs() does.
  virtual void follow(std::span<const int32_t> parents) = 0;

  /// Appends a token to the prefix of each row, ids [rows] long (bos first), and returns the log-probabilities of the
  /// next token, [rows, vocab] float, in new memory.
  virtual torch::Tensor log_probs(const torch::Tensor& ids) = 0;

  /// Forgets all rows.
  virtual void reset() = 0;
};

class Seq2SeqImpl;

/// The step model for families without a faster one: decodes the whole prefix at each step.
std::unique_ptr<StepModel> make_prefix_step_model(std::shared_ptr<Seq2SeqImpl> model);

}  // namespace ventris::nn
