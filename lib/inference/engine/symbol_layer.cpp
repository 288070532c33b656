#include "engine/symbol_layer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "layers/widths.h"

namespace ventris::engine {
namespace {

using arithmetic::grown;
using arithmetic::kPanel;
using arithmetic::panels_of;
using layers::kFloat;

constexpr float kNoLogit = -std::numeric_limits<float>::infinity();

float log_sum_of(const RunningSum& sum) { return sum.largest + std::log(sum.sum); }

}  // namespace

SymbolLayer::SymbolLayer(const Kernels& kernels, const Matrix& generator, std::vector<int32_t> excluded)
    : kernels_(kernels), generator_(generator), excluded_(std::move(excluded)) {}

decoding::MemoryNeeds SymbolLayer::needs() {
  decoding::MemoryNeeds needs;
  needs.fixed = grown(kFloat * kRowsAtOnce * kPanelsAtOnce * kPanel);
  return needs;
}

void SymbolLayer::find(const float* states, int64_t rows, int64_t count) {
  states_ = states;
  best_count_ = static_cast<size_t>(count);
  const size_t places = static_cast<size_t>(rows) * best_count_;
  sums_.assign(static_cast<size_t>(rows), {kNoLogit, 0});
  ids_.assign(places, 0);
  best_.assign(places, kNoLogit);
  for (int64_t first = 0; first < rows; first += kRowsAtOnce) {
    find_some(static_cast<size_t>(first), std::min(kRowsAtOnce, rows - first));
  }
  for (size_t place = 0; place < places; ++place) best_[place] -= log_sum_of(sums_[place / best_count_]);
}

void SymbolLayer::find_some(size_t first, int64_t rows) {
  const int64_t panels = panels_of(generator_.n()), width = kPanelsAtOnce * kPanel;
  const InputRows from{states_ + static_cast<int64_t>(first) * generator_.k(), generator_.k(), rows};
  float* logits = block_.room(rows * width);
  generator_.prepare(kernels_, from, inputs_);
  for (int64_t panel = 0; panel < panels; panel += kPanelsAtOnce) {
    generator_.multiply_panels(kernels_, from, {panel, std::min(kPanelsAtOnce, panels - panel)}, {logits, width},
                               inputs_);
    const int64_t column = panel * kPanel, count = std::min(width, generator_.n() - column);
    float largest[kRowsAtOnce];
    kernels_.add_logits({logits, width, rows, count}, sums_.data() + first, largest);
    for (int64_t i = 0; i < rows; ++i) {
      const size_t row = first + static_cast<size_t>(i);
      if (largest[i] > best_[(row + 1) * best_count_ - 1]) look_for_best(row, logits + i * width, column, count);
    }
  }
}

void SymbolLayer::look_for_best(size_t row, const float* logits, int64_t first, int64_t count) {
  const float& limit = best_[(row + 1) * best_count_ - 1];
  int32_t places[kPanelsAtOnce * kPanel];
  const int64_t found = kernels_.places_above(logits, count, limit, places);
  for (int64_t i = 0; i < found; ++i) {
    const float logit = logits[places[i]];
    const auto id = static_cast<int32_t>(first) + places[i];
    if (logit > limit && std::ranges::find(excluded_, id) == excluded_.end()) insert(row, id, logit);
  }
}

/// Replaces the last of the best symbols of a row, and keeps them sorted.
void SymbolLayer::insert(size_t row, int32_t id, float logit) {
  size_t place = (row + 1) * best_count_ - 1;
  for (; place > row * best_count_ && best_[place - 1] < logit; --place) {
    best_[place] = best_[place - 1];
    ids_[place] = ids_[place - 1];
  }
  best_[place] = logit;
  ids_[place] = id;
}

std::vector<float> SymbolLayer::log_probs_of(size_t first, size_t count, std::span<const int32_t> symbols) {
  std::vector<float> found(count * symbols.size());
  const auto rows = static_cast<int64_t>(count);
  const InputRows from{states_ + static_cast<int64_t>(first) * generator_.k(), generator_.k(), rows};
  generator_.prepare(kernels_, from, inputs_);
  float* logits = block_.room(rows * kPanel);
  columns_.clear();
  for (size_t i = 0; i < symbols.size(); ++i) columns_.emplace_back(symbols[i], i);
  std::ranges::sort(columns_);
  int64_t computed = -1;
  for (const auto& [column, place] : columns_) {
    if (const int64_t panel = column / kPanel; panel != computed) {
      generator_.multiply_panels(kernels_, from, {panel, 1}, {logits, kPanel}, inputs_);
      computed = panel;
    }
    for (size_t row = 0; row < count; ++row) {
      const float logit = logits[static_cast<int64_t>(row) * kPanel + column % kPanel];
      found[row * symbols.size() + place] = logit - log_sum_of(sums_[first + row]);
    }
  }
  return found;
}

}  // namespace ventris::engine
