#include <algorithm>
#include <utility>
#include <vector>

#include "nn/masks.h"
#include "nn/seq2seq.h"
#include "nn/step_model.h"

namespace ventris::nn {
namespace {

using torch::Tensor;

/// x [..., len], padded with `fill` to `length`.
Tensor widen(const Tensor& x, int64_t length, const torch::Scalar& fill) {
  return x.size(-1) == length ? x : at::constant_pad_nd(x, {0, length - x.size(-1)}, fill);
}

/// Concatenates rows of different lengths.
Tensor stack_rows(const Tensor& all, const Tensor& more, const torch::Scalar& fill) {
  if (!all.defined()) return more;
  const int64_t length = std::max(all.size(-1), more.size(-1));
  return torch::cat({widen(all, length, fill), widen(more, length, fill)}, 0);
}

class PrefixStepModel : public StepModel {
 public:
  explicit PrefixStepModel(Seq2Seq model) : model_(std::move(model)) {}

  void admit(const Tensor& src, const Tensor& src_mask) override {
    sources_ = stack_rows(sources_, src, 0);
    mask_ = stack_rows(mask_, src_mask, false);
    for (int64_t i = 0; i < src.size(0); ++i) prefixes_.emplace_back();
    fresh_ = true;
  }

  void follow(std::span<const int32_t> parents) override {
    if (fresh_) memory_ = model_->encode(sources_, mask_);
    fresh_ = false;
    bool same = parents.size() == prefixes_.size();
    std::vector<std::vector<int64_t>> prefixes;
    for (size_t row = 0; row < parents.size(); ++row) {
      same = same && parents[row] == static_cast<int32_t>(row);
      prefixes.push_back(prefixes_.at(static_cast<size_t>(parents[row])));
    }
    prefixes_ = std::move(prefixes);
    if (same) return;
    const auto options = torch::dtype(torch::kLong);
    const Tensor index =
        torch::tensor(std::vector<int64_t>(parents.begin(), parents.end()), options).to(sources_.device());
    sources_ = sources_.index_select(0, index);
    mask_ = mask_.index_select(0, index);
    memory_.states = memory_.states.index_select(0, index);
    for (Tensor& layer : memory_.layers) layer = layer.index_select(0, index);
    for (Tensor& final : memory_.finals) final = final.index_select(0, index);
    memory_.mask = mask_;
  }

  Tensor log_probs(const Tensor& ids) override {
    const Tensor host = ids.to(torch::kCPU);
    size_t longest = 0;
    for (size_t row = 0; row < prefixes_.size(); ++row) {
      prefixes_[row].push_back(host[static_cast<int64_t>(row)].item<int64_t>());
      longest = std::max(longest, prefixes_[row].size());
    }
    const auto rows = static_cast<int64_t>(prefixes_.size());
    Tensor targets = torch::zeros({rows, static_cast<int64_t>(longest)}, torch::kLong);
    std::vector<int64_t> last;
    for (size_t row = 0; row < prefixes_.size(); ++row) {
      std::copy(prefixes_[row].begin(), prefixes_[row].end(), targets.data_ptr<int64_t>() + row * longest);
      last.push_back(static_cast<int64_t>(prefixes_[row].size()) - 1);
    }
    targets = targets.to(ids.device());
    const Tensor hidden = model_->decode(memory_, targets, subsequent_mask(targets.size(1), ids.device()));
    const Tensor places = torch::tensor(last).to(ids.device()).view({-1, 1, 1}).expand({-1, 1, hidden.size(2)});
    const Tensor states = hidden.gather(1, places).squeeze(1);  // [rows, width]
    return model_->log_probs(states).to(torch::kFloat);
  }

  void reset() override {
    prefixes_.clear();
    sources_ = mask_ = Tensor();
    memory_ = {};
    fresh_ = true;
  }

 private:
  Seq2Seq model_;
  std::vector<std::vector<int64_t>> prefixes_;  // of each row, from bos on
  Tensor sources_, mask_;  // [rows, src_len], [rows, 1, src_len]
  Memory memory_;  // of the rows, once they are encoded
  bool fresh_ = true;  // rows were admitted that are not in memory_ yet
};

}  // namespace

std::unique_ptr<StepModel> make_prefix_step_model(std::shared_ptr<Seq2SeqImpl> model) {
  return std::make_unique<PrefixStepModel>(std::move(model));
}

}  // namespace ventris::nn
