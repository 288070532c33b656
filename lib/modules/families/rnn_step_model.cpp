#include <utility>

#include "families/rnn.h"
#include "nn/step_rows.h"

namespace ventris::families {
namespace {

using torch::Tensor;

class RnnStepModel : public nn::StepModel {
 public:
  explicit RnnStepModel(RnnEncoderDecoder model) : model_(std::move(model)) {}

  void admit(const Tensor& src, const Tensor& src_mask) override;
  void follow(std::span<const int32_t> parents) override;

  Tensor log_probs(const Tensor& ids) override {
    const Tensor hidden = model_->decoder->step(model_->trg_embed(ids), state_, source_);  // [rows, d_hidden]
    return model_->log_probs(hidden).to(torch::kFloat);
  }

  void reset() override {
    state_ = {};
    source_ = {};
    mask_ = Tensor();
    sentences_.clear();
  }

 private:
  void follow_states(const Tensor& parents);

  RnnEncoderDecoder model_;
  RnnState state_;                  // one row for each prefix
  RnnSource source_;                // of each row
  Tensor mask_;                     // [rows, 1, src_len] true = may look
  std::vector<int64_t> sentences_;  // of each row: which admitted sentence it translates
  int64_t admitted_ = 0;
};

void RnnStepModel::admit(const Tensor& src, const Tensor& src_mask) {
  const nn::Memory memory = model_->encode(src, src_mask);
  const RnnState first = model_->decoder->first_state(memory.finals);
  if (state_.layers.empty()) state_.layers.resize(first.layers.size());
  for (size_t i = 0; i < first.layers.size(); ++i) {
    nn::RecurrentState& layer = state_.layers[i];
    layer.hidden = nn::stack_rows(layer.hidden, first.layers[i].hidden, 1);
    if (first.layers[i].cell.defined()) layer.cell = nn::stack_rows(layer.cell, first.layers[i].cell, 1);
  }
  if (first.fed.defined()) state_.fed = nn::stack_rows(state_.fed, first.fed, 1);
  for (int64_t i = 0; i < src.size(0); ++i) sentences_.push_back(admitted_++);
  const RnnSource more = model_->decoder->source(memory);
  mask_ = nn::stack_rows(mask_, src_mask, 2);
  if (!more.keys.defined()) return;
  source_ = RnnAttentionImpl::source(nn::stack_rows(source_.keys, more.keys, 1),
                                     nn::stack_rows(source_.values, more.values, 1), mask_);
}

void RnnStepModel::follow_states(const Tensor& parents) {
  for (nn::RecurrentState& layer : state_.layers) {
    layer.hidden = layer.hidden.index_select(0, parents);
    if (layer.cell.defined()) layer.cell = layer.cell.index_select(0, parents);
  }
  if (state_.fed.defined()) state_.fed = state_.fed.index_select(0, parents);
}

void RnnStepModel::follow(std::span<const int32_t> parents) {
  bool same_rows = parents.size() == sentences_.size(), same_sentences = same_rows;
  std::vector<int64_t> sentences;
  for (size_t row = 0; row < parents.size(); ++row) {
    sentences.push_back(sentences_.at(static_cast<size_t>(parents[row])));
    same_rows = same_rows && static_cast<size_t>(parents[row]) == row;
    same_sentences = same_sentences && sentences.back() == sentences_[row];
  }
  if (same_rows) return;
  const Tensor index = torch::tensor(std::vector<int64_t>(parents.begin(), parents.end())).to(mask_.device());
  follow_states(index);
  sentences_ = std::move(sentences);
  if (same_sentences) return;
  mask_ = mask_.index_select(0, index);
  if (!source_.keys.defined()) return;
  source_ = RnnAttentionImpl::source(source_.keys.index_select(0, index), source_.values.index_select(0, index), mask_);
}

}  // namespace

std::unique_ptr<nn::StepModel> RnnEncoderDecoderImpl::make_step_model() {
  return std::make_unique<RnnStepModel>(std::dynamic_pointer_cast<RnnEncoderDecoderImpl>(self()));
}

}  // namespace ventris::families
