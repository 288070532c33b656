#pragma once
#include <torch/torch.h>

#include <memory>
#include <span>

namespace ventris::nn {

/// A model that translates token by token, in eval mode and for one thread. A row is a target prefix with its source.
/// What is kept of a row from step to step (attention keys and values, recurrent states) is the family's own business.
class StepModel {
 public:
  virtual ~StepModel() = default;

  /// Encodes sentences and appends a row for each, with an empty prefix, after the rows that are there.
  /// src [sentences, src_len] long, padded at the end; src_mask [sentences, 1, src_len] bool, true = may look.
  virtual void admit(const torch::Tensor& src, const torch::Tensor& src_mask) = 0;

  /// Row i becomes what row parents[i] was; rows may be repeated and left out. Call before each log_probs(), at least
  /// one row; tokens are appended only by log_probs().
  virtual void follow(std::span<const int32_t> parents) = 0;

  /// Appends a token to the prefix of each row, ids [rows] long (bos first), and returns the log-probabilities of the
  /// token after it, [rows, vocab] float, in memory of their own.
  virtual torch::Tensor log_probs(const torch::Tensor& ids) = 0;

  /// Forgets all rows.
  virtual void reset() = 0;
};

class Seq2SeqImpl;

/// The step model for families that have no faster one: decodes every prefix anew at each step.
std::unique_ptr<StepModel> make_prefix_step_model(std::shared_ptr<Seq2SeqImpl> model);

}  // namespace ventris::nn
