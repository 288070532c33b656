#include "backend/scorer_tools.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/error.h"

namespace ventris::backend {
namespace {

/// The log-probability of ids that are never continuations.
constexpr float kNothing = -std::numeric_limits<float>::infinity();

/// Sorts the continuations of a row by rank, then id, so that ties have the same order on every device. (Which of
/// several tied ids topk selects at its limit still depends on the device.)
void sort_row(const float* ranks, int32_t* ids, float* scores, size_t count) {
  if (std::any_of(ranks, ranks + count, [](float rank) { return std::isnan(rank); })) return;  // the search reports it
  std::vector<std::tuple<float, int32_t, float>> items(count);
  for (size_t i = 0; i < count; ++i) items[i] = {-ranks[i], ids[i], scores[i]};
  std::sort(items.begin(), items.end());
  for (size_t i = 0; i < count; ++i) {
    const auto& [rank, id, score] = items[i];
    ids[i] = -rank == kNothing ? -1 : id;
    scores[i] = ids[i] < 0 ? kNothing : score;
  }
}

/// A copy of the log-probabilities [rows, vocab], with penalties.
torch::Tensor with_penalties(const torch::Tensor& log_probs, std::span<const decoding::Penalty> penalties) {
  std::vector<int64_t> rows, ids;
  std::vector<float> factors;
  for (const decoding::Penalty& penalty : penalties) {
    rows.push_back(penalty.row);
    ids.push_back(penalty.id);
    factors.push_back(penalty.factor);
  }
  const auto device = log_probs.device();
  const std::vector<torch::indexing::TensorIndex> places{torch::tensor(rows).to(device), torch::tensor(ids).to(device)};
  const torch::Tensor factor = torch::tensor(factors).to(device), now = log_probs.index(places);
  torch::Tensor ranks = log_probs.clone();
  ranks.index_put_(places, (now * factor).masked_fill(factor.isinf(), kNothing));
  return ranks;
}

}  // namespace

torch::Device parse_device(const std::string& text) {
  torch::Device device(torch::kCPU);
  bool known = false;
  try {
    device = torch::Device(text);
    known = device.is_cpu() || device.is_cuda();  // LibTorch also knows other devices
  } catch (const c10::Error&) {
  }
  if (!known) fail<ConfigError>("device: expected cpu, cuda or cuda:N, got '", text, "'");
  if (device.is_cuda() &&
      (!torch::cuda::is_available() || device.index() >= static_cast<int>(torch::cuda::device_count()))) {
    fail<ConfigError>("device ", text, ": this machine or this LibTorch has ",
                      static_cast<int>(torch::cuda::device_count()), " CUDA devices");
  }
  return device;
}

PaddedSources pad_sources(std::span<const std::span<const int32_t>> sources, const ScorerOptions& options) {
  size_t longest = 0;
  for (const auto& source : sources) longest = std::max(longest, source.size());
  auto ids =
      torch::full({static_cast<int64_t>(sources.size()), static_cast<int64_t>(longest)}, options.ids.pad, torch::kLong);
  for (size_t row = 0; row < sources.size(); ++row) {
    std::copy(sources[row].begin(), sources[row].end(), ids.data_ptr<int64_t>() + row * longest);
  }
  ids = ids.to(options.device);
  return {ids, ids.ne(options.ids.pad).unsqueeze(1)};
}

decoding::Continuations ContinuationSelector::select(torch::Tensor log_probs, const decoding::StepRequest& request) {
  const auto wanted = static_cast<size_t>(request.continuations) * request.last_ids.size();
  ids_.assign(wanted, -1);
  scores_.assign(wanted, kNothing);
  select_wanted(log_probs, request);  // before select_best, which changes log_probs
  const bool forced = std::any_of(request.forced.begin(), request.forced.end(), [](int32_t id) { return id >= 0; });
  if (forced || request.sampling.enabled) {
    select_on_host(log_probs, request);
  } else {
    select_best(log_probs, request);
  }
  return {ids_, scores_, wanted_};
}

/// Looks up the log-probabilities of the wanted tokens.
void ContinuationSelector::select_wanted(const torch::Tensor& log_probs, const decoding::StepRequest& request) {
  wanted_.clear();
  if (request.wanted.empty()) return;
  std::vector<int64_t> rows, ids;
  for (const decoding::Wanted& wanted : request.wanted) {
    rows.push_back(wanted.row);
    ids.push_back(wanted.id);
  }
  const auto device = log_probs.device();
  const auto found = log_probs.index({torch::tensor(rows).to(device), torch::tensor(ids).to(device)});
  const auto host = found.to(torch::kCPU, torch::kFloat).contiguous();
  wanted_.assign(host.const_data_ptr<float>(), host.const_data_ptr<float>() + host.numel());
}

void ContinuationSelector::select_best(torch::Tensor& log_probs, const decoding::StepRequest& request) {
  const auto never =
      torch::tensor(std::vector<int64_t>(options_.never.begin(), options_.never.end())).to(log_probs.device());
  torch::Tensor ranks = request.penalties.empty() ? log_probs : with_penalties(log_probs, request.penalties);
  ranks.index_fill_(1, never, kNothing);
  if (!request.forbid_eos.empty()) {
    const auto forbidden =
        torch::from_blob(const_cast<uint8_t*>(request.forbid_eos.data()), {log_probs.size(0)}, torch::kByte);
    auto eos = ranks.select(1, options_.ids.eos);
    eos.masked_fill_(forbidden.to(log_probs.device()).to(torch::kBool), kNothing);
  }
  const int64_t count = std::min<int64_t>(request.continuations, log_probs.size(1));
  const auto [values, indices] = ranks.topk(count, 1);  // [rows, count]
  const auto best = values.to(torch::kCPU).contiguous();
  const bool same = ranks.is_same(log_probs);
  const auto scores = same ? best : log_probs.gather(1, indices).to(torch::kCPU).contiguous();
  const auto ids = indices.to(torch::kCPU, torch::kInt).contiguous();
  for (int64_t row = 0; row < log_probs.size(0); ++row) {
    int32_t* row_ids = ids_.data() + row * request.continuations;
    float* row_scores = scores_.data() + row * request.continuations;
    std::copy_n(ids.const_data_ptr<int32_t>() + row * count, count, row_ids);
    std::copy_n(scores.const_data_ptr<float>() + row * count, count, row_scores);
    sort_row(best.const_data_ptr<float>() + row * count, row_ids, row_scores, static_cast<size_t>(count));
  }
}

void ContinuationSelector::select_on_host(const torch::Tensor& log_probs, const decoding::StepRequest& request) {
  const auto host = log_probs.to(torch::kCPU).contiguous();
  const auto vocab = static_cast<size_t>(host.size(1));
  for (size_t row = 0; row < request.last_ids.size(); ++row) {
    const size_t at = row * static_cast<size_t>(request.continuations);
    decoding::select_continuations({host.const_data_ptr<float>() + row * vocab, vocab}, request, row, options_.never,
                                   options_.ids.eos, ids_.data() + at, scores_.data() + at);
  }
}

}  // namespace ventris::backend
