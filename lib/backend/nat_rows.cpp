#include "backend/nat_rows.h"

#include <algorithm>
#include <utility>

#include "decoding/ctc.h"
#include "nn/masks.h"

namespace ventris::backend {
namespace {

using torch::Tensor;

constexpr int64_t kLogProbTokens = 2048;  // limits the memory for [tokens, vocab] numbers

}  // namespace

NatRows::NatRows(const PaddedSources& sources, const nn::Memory& encoded, const std::vector<int64_t>& kept,
                 std::vector<int64_t> its_lengths)
    : src(sources.ids), src_mask(sources.mask), lengths(std::move(its_lengths)) {
  const auto device = src.device();
  memory.states = encoded.states;
  memory.mask = encoded.mask;
  bool same = static_cast<int64_t>(kept.size()) == src.size(0);
  for (size_t i = 0; same && i < kept.size(); ++i) same = kept[i] == static_cast<int64_t>(i);
  if (!same) {
    const Tensor rows = torch::tensor(kept).to(device);
    for (Tensor* part : {&src, &src_mask, &memory.states, &memory.mask}) *part = part->index_select(0, rows);
  }
  positions = torch::tensor(lengths).to(device);
  tgt_mask = nn::length_mask(positions, *std::ranges::max_element(lengths));
}

Tensor NatRows::first_pass(nn::NatModelImpl& model) const {
  return model.decode(memory, model.first_input(src, src_mask, positions), tgt_mask);
}

void for_log_probs(nn::NatModelImpl& model, const Tensor& hidden,
                   const std::function<void(int64_t, int64_t, const Tensor&)>& work) {
  const int64_t rows = hidden.size(0), step = std::max<int64_t>(kLogProbTokens / hidden.size(1), 1);
  for (int64_t first = 0; first < rows; first += step) {
    const int64_t count = std::min(step, rows - first);
    work(first, count, model.log_probs(hidden.narrow(0, first, count)).to(torch::kFloat));
  }
}

std::vector<float> ctc_log_probs(const Tensor& log_probs, std::span<const int32_t> tokens, int32_t blank) {
  std::vector<int64_t> symbols{blank};
  symbols.insert(symbols.end(), tokens.begin(), tokens.end());
  const Tensor wanted = log_probs.index_select(1, torch::tensor(symbols).to(log_probs.device()));
  const Tensor host = wanted.to(torch::kCPU).contiguous();  // [positions, tokens + 1]
  return decoding::ctc_token_log_probs({host.const_data_ptr<float>(), static_cast<size_t>(host.numel())}, tokens);
}

}  // namespace ventris::backend
