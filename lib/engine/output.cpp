#include "engine/output.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "layers/free_memory.h"

namespace ventris::engine {
namespace {

using arithmetic::panels_of;
using layers::free_memory;

constexpr int64_t kBlock = Output::kColumns / kPanel;  // panels that are computed together
constexpr float kNothing = -std::numeric_limits<float>::infinity();

}  // namespace

Output::Output(const Kernels& kernels, const Matrix& generator, std::vector<int32_t> never, int32_t eos)
    : kernels_(kernels), generator_(generator), never_(std::move(never)), eos_(eos) {}

void Output::release() {
  free_memory(inputs_, block_, sums_, best_, special_, log_probs_, states_, ids_, scores_, wanted_);
}

template <typename Use>
void Output::each_block(const float* states, int64_t rows, std::span<const OutputPart> parts, const Use& use) {
  sums_.assign(static_cast<size_t>(rows), {kNothing, 0});
  for (const OutputPart& part : parts) each_block_of(part, states, use);
}

template <typename Use>
void Output::each_block_of(const OutputPart& part, const float* states, const Use& use) {
  const Matrix& weights = *part.weights;
  const int64_t width = kBlock * kPanel, panels = panels_of(weights.n()), k = weights.k();
  const auto rows = static_cast<int64_t>(part.rows);
  states += static_cast<int64_t>(part.first) * k;
  float* logits = block_.room(rows * width);
  weights.prepare(kernels_, states, k, rows, inputs_);
  for (int64_t panel = 0; panel < panels; panel += kBlock) {
    weights.multiply_panels(kernels_, states, k, rows, panel, std::min(kBlock, panels - panel), logits, width, inputs_);
    const int64_t first = panel * kPanel, count = std::min(width, weights.n() - first);
    const int32_t* ids = part.ids == nullptr ? nullptr : part.ids + first;
    for (int64_t row = 0; row < rows; ++row) {
      const size_t at = part.first + static_cast<size_t>(row);
      const float largest = kernels_.add_logits(logits + row * width, count, sums_[at]);
      use(at, Block{ids, first, logits + row * width, count, largest});
    }
  }
}

float Output::log_sum(size_t row) const {
  return sums_[row].largest + std::log(sums_[row].sum);  // NaN if a logit is
}

bool Output::excluded(int32_t id, bool bars_eos) const {
  return (bars_eos && id == eos_) || std::find(never_.begin(), never_.end(), id) != never_.end();
}

/// Equal logits: the lower id is first, although the ids may come in any order.
void Output::insert(Best& best, size_t wanted, float logit, int32_t id) {
  const auto better = [&](size_t i) { return best.logits[i] < logit || (best.logits[i] == logit && best.ids[i] > id); };
  auto at = static_cast<size_t>(best.found);
  if (at == wanted) {
    if (!better(--at)) return;
  } else {
    ++best.found;
  }
  for (; at > 0 && better(at - 1); --at) {
    best.logits[at] = best.logits[at - 1];
    best.ids[at] = best.ids[at - 1];
  }
  best.logits[at] = logit;
  best.ids[at] = id;
  if (static_cast<size_t>(best.found) == wanted) best.limit = std::nextafter(best.logits[wanted - 1], kNothing);
}

void Output::find_best(const float* states, const decoding::StepRequest& request, std::span<const OutputPart> parts) {
  const auto wanted = static_cast<size_t>(request.continuations);
  best_.clear();
  for (size_t row = 0; row < request.last_ids.size(); ++row) {
    best_.push_back({kNothing, 0, ids_.data() + row * wanted, scores_.data() + row * wanted});
  }
  const auto rows = static_cast<int64_t>(request.last_ids.size());
  each_block(states, rows, parts, [&](size_t row, const Block& block) {
    Best& best = best_[row];
    if (!request.wanted.empty()) note_wanted(row, block, request);
    if (!(block.largest > best.limit)) return;
    const bool bars_eos = !request.forbid_eos.empty() && request.forbid_eos[row] != 0;
    for (int64_t i = kernels_.next_above(block.logits, 0, block.count, best.limit); i < block.count;
         i = kernels_.next_above(block.logits, i + 1, block.count, best.limit)) {
      if (!excluded(block.id(i), bars_eos)) insert(best, wanted, block.logits[i], block.id(i));
    }
  });
  for (size_t row = 0; row < best_.size(); ++row) finish(best_[row], wanted, log_sum(row));
  for (size_t i = 0; i < request.wanted.size(); ++i) {
    wanted_[i] -= log_sum(static_cast<size_t>(request.wanted[i].row));
  }
}

/// Writes the logits of the row's wanted ids that are in the block.
void Output::note_wanted(size_t row, const Block& block, const decoding::StepRequest& request) {
  const auto [first, end] = decoding::wanted_of(request, row);
  for (size_t i = first; i < end; ++i) {
    const int32_t id = request.wanted[i].id;
    int64_t column = id - block.first;
    if (block.ids != nullptr) column = std::find(block.ids, block.ids + block.count, id) - block.ids;
    if (column >= 0 && column < block.count) wanted_[i] = block.logits[column];
  }
}

/// Turns logits into log-probabilities. Different logits may become the same log-probability: then the lower id is
/// first.
void Output::finish(Best& best, size_t wanted, float log_sum) {
  if (std::isnan(log_sum)) best.ids[0] = std::max(best.ids[0], 0);  // the search reports it
  for (size_t i = 0; i < wanted && best.ids[i] >= 0; ++i) {
    best.logits[i] -= log_sum;
    for (size_t j = i; j > 0 && best.logits[j - 1] == best.logits[j] && best.ids[j - 1] > best.ids[j]; --j) {
      std::swap(best.ids[j - 1], best.ids[j]);
    }
  }
}

void Output::find_special_rows(const decoding::StepRequest& request) {
  special_.clear();
  auto penalty = request.penalties.begin();
  for (size_t row = 0; row < request.last_ids.size(); ++row) {
    while (penalty != request.penalties.end() && static_cast<size_t>(penalty->row) < row) ++penalty;
    const bool penalised = penalty != request.penalties.end() && static_cast<size_t>(penalty->row) == row;
    const bool forced = !request.forced.empty() && request.forced[row] >= 0;
    if (penalised || forced || request.sampling.enabled) special_.push_back(row);
  }
}

/// The parts of these rows (ascending), which become rows 0, 1, 2, ...
std::vector<OutputPart> Output::parts_of(std::span<const OutputPart> parts, std::span<const size_t> rows) const {
  std::vector<OutputPart> found;
  for (OutputPart part : parts) {
    const auto first = std::ranges::lower_bound(rows, part.first);
    const auto end = std::lower_bound(first, rows.end(), part.first + part.rows);
    if (first == end) continue;
    part.first = static_cast<size_t>(first - rows.begin());
    part.rows = static_cast<size_t>(end - first);
    found.push_back(part);
  }
  return found;
}

void Output::select_special(const float* states, const decoding::StepRequest& request,
                            std::span<const OutputPart> parts) {
  const auto vocab = static_cast<size_t>(generator_.n()), width = static_cast<size_t>(generator_.k());
  const size_t at_once = std::max<size_t>(1, static_cast<size_t>(kLogits) / vocab);
  for (size_t start = 0; start < special_.size(); start += at_once) {
    const std::span<const size_t> rows = std::span(special_).subspan(start, std::min(at_once, special_.size() - start));
    states_.clear();
    for (const size_t row : rows) states_.insert(states_.end(), states + row * width, states + (row + 1) * width);
    select_special_rows(rows, request, parts_of(parts, rows));
  }
}

/// The states of the rows are in states_.
void Output::select_special_rows(std::span<const size_t> rows, const decoding::StepRequest& request,
                                 std::span<const OutputPart> parts) {
  const auto wanted = static_cast<size_t>(request.continuations), vocab = static_cast<size_t>(generator_.n());
  log_probs_.resize(rows.size() * vocab);
  log_probs(states_.data(), static_cast<int64_t>(rows.size()), parts, log_probs_.data());
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::span<const float> row(log_probs_.data() + i * vocab, vocab);
    decoding::select_continuations(row, request, rows[i], never_, eos_, ids_.data() + rows[i] * wanted,
                                   scores_.data() + rows[i] * wanted);
    decoding::select_wanted(row, request, rows[i], wanted_);
  }
}

decoding::Continuations Output::best(const float* states, const decoding::StepRequest& request) {
  const OutputPart all{0, request.last_ids.size(), &generator_, nullptr};
  return best(states, request, {&all, 1});
}

decoding::Continuations Output::best(const float* states, const decoding::StepRequest& request,
                                     std::span<const OutputPart> parts) {
  const size_t count = static_cast<size_t>(request.continuations) * request.last_ids.size();
  ids_.assign(count, -1);
  scores_.assign(count, kNothing);
  wanted_.assign(request.wanted.size(), kNothing);
  find_special_rows(request);
  if (special_.size() < request.last_ids.size()) find_best(states, request, parts);
  if (!special_.empty()) select_special(states, request, parts);
  return {ids_, scores_, wanted_};
}

void Output::log_probs(const float* states, int64_t rows, float* out) { log_probs(states, rows, {}, out); }

void Output::log_probs(const float* states, int64_t rows, std::span<const OutputPart> parts, float* out) {
  const int64_t vocab = generator_.n();
  std::fill_n(out, rows * vocab, kNothing);
  const OutputPart all{0, static_cast<size_t>(rows), &generator_, nullptr};
  const std::span<const OutputPart> used = parts.empty() ? std::span(&all, 1) : parts;
  each_block(states, rows, used, [&](size_t row, const Block& block) {
    float* to = out + static_cast<int64_t>(row) * vocab;
    for (int64_t column = 0; column < block.count; ++column) to[block.id(column)] = block.logits[column];
  });
  for (int64_t row = 0; row < rows; ++row, out += vocab) {
    const float log_sum = this->log_sum(static_cast<size_t>(row));
    for (int64_t i = 0; i < vocab; ++i) out[i] -= log_sum;
  }
}

std::vector<float> Output::log_probs_of(const float* states, std::span<const int32_t> ids) {
  std::vector<float> found(ids.size());
  const OutputPart all{0, ids.size(), &generator_, nullptr};
  each_block(states, static_cast<int64_t>(ids.size()), {&all, 1}, [&](size_t row, const Block& block) {
    const int64_t column = ids[row] - block.first;
    if (column >= 0 && column < block.count) found[row] = block.logits[column];
  });
  for (size_t row = 0; row < ids.size(); ++row) found[row] -= log_sum(row);
  return found;
}

}  // namespace ventris::engine
