#include "engine/output_layer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "decoding/search.h"
#include "layers/free_memory.h"
#include "layers/widths.h"

namespace ventris::engine {
namespace {

using arithmetic::grown;
using arithmetic::panels_of;
using layers::free_memory;
using layers::kFloat;

constexpr int64_t kBlock = Output::kColumns / kPanel;  // panels that are computed together
constexpr float kNothing = -std::numeric_limits<float>::infinity();

/// The next lower number, for a number that is finite; other numbers stay as they are.
float below(float x) {
  if (!std::isfinite(x)) return x;
  const auto bits = std::bit_cast<int32_t>(x);
  return x == 0 ? -std::numeric_limits<float>::denorm_min() : std::bit_cast<float>(x > 0 ? bits - 1 : bits + 1);
}

/// Whether a request needs only the best id of each row.
bool needs_only_ids(const decoding::StepRequest& request) {
  return !request.log_probs && request.continuations == 1 && !request.sampling.enabled && request.penalties.empty() &&
         request.wanted.empty();
}

}  // namespace

Output::Output(const Kernels& kernels, const Matrix& generator, std::vector<int32_t> never, int32_t eos)
    : kernels_(kernels), generator_(generator), never_(std::move(never)), eos_(eos) {}

decoding::MemoryNeeds Output::needs_of_chosen() {
  decoding::MemoryNeeds needs;
  needs.row = grown(kFloat * (kColumns + 1)) + 512;
  return needs;
}

decoding::MemoryNeeds Output::needs(int64_t vocab) {
  decoding::MemoryNeeds needs = needs_of_chosen();
  needs.place = 2 * kFloat;                              // logits of ids with penalties
  needs.row += 8 * kFloat * (decoding::kLargestBeam + 1);  // continuations, and the tokens that may become them
  needs.fixed = kFloat * std::max(kLogits, vocab) +      // logits of special rows
                8 * kFloat * vocab;                      // sorting those of a row
  return needs;
}

void Output::release() {
  free_memory(inputs_, block_, sums_, best_, tokens_, penalised_, ranked_, special_, special_parts_, log_probs_,
              states_, ids_, scores_, wanted_);
}

template <typename Use>
void Output::each_block(const float* states, int64_t rows, std::span<const OutputPart> parts, Reduction reduction,
                        const Use& use) {
  sums_.assign(static_cast<size_t>(rows), {kNothing, 0});
  for (const OutputPart& part : parts) each_block_of(part, states, reduction, use);
}

template <typename Use>
void Output::each_block_of(const OutputPart& part, const float* states, Reduction reduction, const Use& use) {
  const Matrix& weights = *part.weights;
  const int64_t width = kBlock * kPanel, panels = panels_of(weights.n()), k = weights.k();
  const auto rows = static_cast<int64_t>(part.rows);
  states += static_cast<int64_t>(part.first) * k;
  float* logits = block_.room(rows * (width + 1));
  float* largest = logits + rows * width;
  const InputRows from{states, k, rows};
  weights.prepare(kernels_, from, inputs_);
  for (int64_t panel = 0; panel < panels; panel += kBlock) {
    weights.multiply_panels(kernels_, from, {panel, std::min(kBlock, panels - panel)}, {logits, width}, inputs_);
    const int64_t first = panel * kPanel, count = std::min(width, weights.n() - first);
    const int32_t* ids = part.ids == nullptr ? nullptr : part.ids + first;
    (reduction == Reduction::kLogSumExp ? kernels_.add_logits : kernels_.largest_logits)(
        {logits, width, rows, count}, sums_.data() + part.first, largest);
    for (int64_t row = 0; row < rows; ++row) {
      use(part.first + static_cast<size_t>(row), Block{ids, first, logits + row * width, count, largest[row]});
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
void Output::insert(Best& best, size_t most, const Token& token) {
  const auto better = [&](size_t i) {
    const Token& other = best.tokens[i];
    return other.logit < token.logit || (other.logit == token.logit && other.id > token.id);
  };
  size_t at = best.found;
  if (at == most) {
    if (!better(--at)) return;
  } else {
    ++best.found;
  }
  for (; at > 0 && better(at - 1); --at) best.tokens[at] = best.tokens[at - 1];
  best.tokens[at] = token;
  if (best.found == most) best.limit = below(best.tokens[most - 1].logit);
}

/// Prepares the search for the best ids of a row. A forced id has no competitors.
void Output::start(size_t row, const decoding::StepRequest& request, Token* tokens) {
  const auto [first, end] = decoding::penalties_of(request, row);
  const int32_t forced = request.forced.empty() ? -1 : request.forced[row];
  if (forced >= generator_.n()) throw std::invalid_argument("engine: a forced id is outside the vocabulary");
  const bool bars_eos = !request.forbid_eos.empty() && request.forbid_eos[row] != 0;
  best_.push_back({forced >= 0 ? -kNothing : kNothing, 0, tokens, forced, bars_eos, first, end});
}

void Output::find_best(const float* states, const decoding::StepRequest& request, std::span<const OutputPart> parts) {
  const size_t rows = request.last_ids.size(), most = static_cast<size_t>(request.continuations) + 1;
  tokens_.resize(rows * most);
  penalised_.assign(request.penalties.size(), kNothing);
  best_.clear();
  for (size_t row = 0; row < rows; ++row) start(row, request, tokens_.data() + row * most);
  const bool only_ids = needs_only_ids(request);
  const Reduction reduction = only_ids ? Reduction::kMaximum : Reduction::kLogSumExp;
  const bool noted = !request.forced.empty() || !request.wanted.empty();
  each_block(states, static_cast<int64_t>(rows), parts, reduction, [&](size_t row, const Block& block) {
    if (noted) note(row, block, request);
    if (block.largest > best_[row].limit) look_for_best(best_[row], block, request);
  });
  for (size_t row = 0; row < rows; ++row) {
    if (!(only_ids ? rank_first(row) : rank(row, request))) special_.push_back(row);
  }
  for (size_t i = 0; i < request.wanted.size(); ++i) {
    wanted_[i] -= log_sum(static_cast<size_t>(request.wanted[i].row));
  }
}

/// Inserts the ids of a block that are among the best of its row.
void Output::look_for_best(Best& best, const Block& block, const decoding::StepRequest& request) {
  const size_t most = static_cast<size_t>(request.continuations) + 1;
  if (best.limit == kNothing) {  // most elements of the first block are over the limit, so it is raised first
    const size_t others =
        never_.size() + 1 + best.end_penalty - best.first_penalty;  // over the limit, but not the best
    const float bound = kernels_.lower_bound_of(block.logits, block.count, static_cast<int64_t>(most + others));
    best.limit = below(bound);
  }
  int32_t places[kColumns];
  const int64_t found = kernels_.places_above(block.logits, block.count, best.limit, places);
  for (int64_t i = 0; i < found; ++i) {
    const Token token{block.id(places[i]), block.logits[places[i]]};
    if (!(token.logit > best.limit) || excluded(token.id, best.bars_eos)) continue;
    if (best.first_penalty < best.end_penalty && note_penalised(best, token, request)) continue;
    insert(best, most, token);
  }
}

/// Writes the logits of the row's forced and wanted ids that are in the block.
void Output::note(size_t row, const Block& block, const decoding::StepRequest& request) {
  if (best_[row].forced >= 0) note_forced(row, block, request);
  if (!request.wanted.empty()) note_wanted(row, block, request);
}

/// Writes the logits of the row's wanted ids that are in the block.
void Output::note_wanted(size_t row, const Block& block, const decoding::StepRequest& request) {
  const auto [first, end] = decoding::wanted_of(request, row);
  for (size_t i = first; i < end; ++i) {
    const int64_t column = block.column_of(request.wanted[i].id);
    if (column >= 0) wanted_[i] = block.logits[column];
  }
}

/// The same for the row's forced id.
void Output::note_forced(size_t row, const Block& block, const decoding::StepRequest& request) {
  const int64_t column = block.column_of(best_[row].forced);
  if (column >= 0) scores_[row * static_cast<size_t>(request.continuations)] = block.logits[column];
}

/// Whether an id has a penalty. Then it does not compete by its logit; rank() does the rest.
bool Output::note_penalised(const Best& best, const Token& token, const decoding::StepRequest& request) {
  const auto penalties = request.penalties.subspan(best.first_penalty, best.end_penalty - best.first_penalty);
  const auto found = std::ranges::lower_bound(penalties, token.id, {}, &decoding::Penalty::id);
  if (found == penalties.end() || found->id != token.id) return false;
  penalised_[best.first_penalty + static_cast<size_t>(found - penalties.begin())] = token.logit;
  return true;
}

/// Writes the continuations of a row. Returns false if ids that were not kept may be among them.
///
/// No log-probability is above 0, so a penalty only lowers a rank. An id with a penalty is therefore a continuation
/// only if its logit is over the limit, as for ids without: then note_penalised() has kept it. But different logits may
/// become the same log-probability, and then the lower id is first. So one id more than needed is kept. If the ids
/// below it rank below the others, no id is missing.
bool Output::rank(size_t row, const decoding::StepRequest& request) {
  const Best& best = best_[row];
  const auto wanted = static_cast<size_t>(request.continuations);
  const float log_sum = this->log_sum(row);
  int32_t* ids = ids_.data() + row * wanted;
  float* scores = scores_.data() + row * wanted;
  if (best.forced >= 0 || std::isnan(log_sum)) {  // the search reports NaN
    ids[0] = std::max(best.forced, 0);
    scores[0] -= log_sum;
    return true;
  }
  ranked_.clear();
  for (size_t i = 0; i < best.found; ++i) {
    const float log_prob = best.tokens[i].logit - log_sum;
    ranked_.push_back({best.tokens[i].id, log_prob, log_prob});
  }
  for (size_t i = best.first_penalty; i < best.end_penalty; ++i) {
    const float log_prob = penalised_[i] - log_sum;
    const float rank = decoding::penalised(log_prob, request.penalties[i].factor);
    if (rank > kNothing) ranked_.push_back({request.penalties[i].id, log_prob, rank});
  }
  const size_t count = std::min(wanted, ranked_.size());
  std::partial_sort(ranked_.begin(), ranked_.begin() + static_cast<std::ptrdiff_t>(count), ranked_.end());
  for (size_t i = 0; i < count; ++i) {
    ids[i] = ranked_[i].id;
    scores[i] = ranked_[i].log_prob;
  }
  if (best.found <= wanted) return true;
  const float next = below(best.tokens[wanted].logit);
  return next - log_sum < best.tokens[wanted - 1].logit - log_sum;
}

/// Writes the only continuation of a row, without its log-probability. Returns false if another id may be the right
/// one, because its log-probability may be the same after rounding. The log-probabilities of the two best ids are
/// between -size and 0. In this range, neighbouring floats differ by at most size * 2^-23, so logits that differ by
/// more have different log-probabilities. The code requires twice that, because these differences are rounded, too. 16
/// is more than the logarithm of the size of a vocabulary (at most 2^22, text::kMostPieces).
bool Output::rank_first(size_t row) {
  const Best& best = best_[row];
  const float largest = sums_[row].largest;
  if (best.forced >= 0 || !std::isfinite(largest)) {
    ids_[row] = std::max(best.forced, 0);
    scores_[row] = std::isfinite(largest) ? 0 : std::numeric_limits<float>::quiet_NaN();  // the search reports NaN
    return true;
  }
  if (best.found == 0) return true;  // there is none, as ids_ and scores_ say already
  ids_[row] = best.tokens[0].id;
  scores_[row] = 0;
  if (best.found == 1) return true;
  const float size = largest - best.tokens[1].logit + 16;
  return best.tokens[0].logit - best.tokens[1].logit > size * 0x1p-22F;
}

/// The parts of these rows (ascending), which become rows 0, 1, 2, ... Valid until the next call.
std::span<const OutputPart> Output::parts_of(std::span<const OutputPart> parts, std::span<const size_t> rows) {
  special_parts_.clear();
  for (OutputPart part : parts) {
    const auto first = std::ranges::lower_bound(rows, part.first);
    const auto end = std::lower_bound(first, rows.end(), part.first + part.rows);
    if (first == end) continue;
    part.first = static_cast<size_t>(first - rows.begin());
    part.rows = static_cast<size_t>(end - first);
    special_parts_.push_back(part);
  }
  return special_parts_;
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
  special_.clear();
  if (!request.sampling.enabled) {
    find_best(states, request, parts);
  } else {
    for (size_t row = 0; row < request.last_ids.size(); ++row) special_.push_back(row);
  }
  if (!special_.empty()) select_special(states, request, parts);
  return {ids_, scores_, wanted_};
}

void Output::log_probs(const float* states, int64_t rows, float* out) { log_probs(states, rows, {}, out); }

void Output::log_probs(const float* states, int64_t rows, std::span<const OutputPart> parts, float* out) {
  const int64_t vocab = generator_.n();
  std::fill_n(out, rows * vocab, kNothing);
  const OutputPart all{0, static_cast<size_t>(rows), &generator_, nullptr};
  const std::span<const OutputPart> used = parts.empty() ? std::span(&all, 1) : parts;
  each_block(states, rows, used, Reduction::kLogSumExp, [&](size_t row, const Block& block) {
    float* to = out + static_cast<int64_t>(row) * vocab;
    for (int64_t column = 0; column < block.count; ++column) to[block.id(column)] = block.logits[column];
  });
  for (int64_t row = 0; row < rows; ++row, out += vocab) {
    const float log_sum = this->log_sum(static_cast<size_t>(row));
    for (int64_t i = 0; i < vocab; ++i) out[i] -= log_sum;
  }
}

std::vector<float> Output::log_probs_of(const float* states, std::span<const int32_t> ids) {
  constexpr size_t kRows = 256;  // whose logits of a block stay in the cache
  std::vector<float> found(ids.size());
  for (size_t first = 0; first < ids.size(); first += kRows) {
    const size_t rows = std::min(kRows, ids.size() - first);
    const OutputPart all{0, rows, &generator_, nullptr};
    each_block(states + static_cast<int64_t>(first) * generator_.k(), static_cast<int64_t>(rows), {&all, 1},
               Reduction::kLogSumExp, [&](size_t row, const Block& block) {
                 const int64_t column = ids[first + row] - block.first;
                 if (column >= 0 && column < block.count) found[first + row] = block.logits[column];
               });
    for (size_t row = 0; row < rows; ++row) found[first + row] -= log_sum(row);
  }
  return found;
}

}  // namespace ventris::engine
