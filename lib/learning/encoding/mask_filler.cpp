#include "encoding/mask_filler.h"

#include <algorithm>
#include <utility>

#include "architecture/bert_options.h"
#include "core/error.h"
#include "encoding/batch.h"
#include "encoding/open_bundle.h"

namespace ventris::encoding {
namespace {

using torch::Tensor;

constexpr std::string_view kWordStart = "\u2581";

}  // namespace

MaskFiller::MaskFiller(const model::Bundle& bundle, torch::Device device, int64_t most)
    : inputs_(bundle.package), bert_(bert_of(bundle, device)), device_(device) {
  if (inputs_.mask_id() < 0) {
    fail<ModelError>(bundle.package.path, ": the tokenizer has no piece ", architecture::BertArchitecture::kMask);
  }
  const core::SpecialIds& ids = inputs_.ids();
  never_ = torch::tensor(std::vector<int64_t>{ids.pad, ids.unk, ids.bos, ids.eos, inputs_.mask_id()}).to(device);
  most_ = std::min<int64_t>(most, inputs_.tokenizer().size() - never_.size(0));
}

bool MaskFiller::has_mask(const Input& input) const {
  return std::ranges::find(input.ids, inputs_.mask_id()) != input.ids.end();
}

FilledWord MaskFiller::filled_word(int64_t id, float probability) const {
  const std::string& piece = inputs_.tokenizer().piece(static_cast<int32_t>(id));
  return {piece, piece.starts_with(kWordStart) ? piece.substr(kWordStart.size()) : piece,
          static_cast<double>(probability)};
}

std::vector<FilledLine> MaskFiller::fill(const std::vector<const Input*>& batch) const {
  const c10::InferenceMode inference;
  auto bert = bert_;
  const PaddedBatch padded = pad(batch, inputs_.ids(), device_);
  const Tensor states = bert->encode(padded.ids, torch::zeros_like(padded.ids), padded.mask).layers.back();
  const Tensor hidden = padded.ids.flatten().eq(inputs_.mask_id()).nonzero().squeeze(1);  // [masks]
  const Tensor logits = bert->predictions->forward(states.flatten(0, 1).index_select(0, hidden));
  const Tensor probabilities = logits.to(torch::kFloat).softmax(-1).index_fill(1, never_, -1);  // [masks, vocab]
  const auto [values, indices] = probabilities.topk(most_, 1);
  const Tensor best = values.to(torch::kCPU).contiguous(), ids = indices.to(torch::kCPU).contiguous();
  std::vector<FilledLine> lines;
  int64_t row = 0;
  for (const Input* input : batch) {
    FilledLine line(static_cast<size_t>(std::ranges::count(input->ids, inputs_.mask_id())));
    for (auto& words : line) {
      const auto* probability = best.const_data_ptr<float>() + row * most_;
      const auto* id = ids.const_data_ptr<int64_t>() + row * most_;
      for (int64_t i = 0; i < most_; ++i) words.push_back(filled_word(id[i], probability[i]));
      ++row;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace ventris::encoding
