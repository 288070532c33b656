#include "arithmetic/chosen_columns.h"

#include <algorithm>
#include <cstring>

namespace ventris::arithmetic {

/// In each precision, a column has 4 bytes in each of the `steps` lines of its panel, and neighbouring columns are
/// neighbours in a line.
template <typename T>
void ChosenColumns::add_packed(const Elements<T>& from, std::span<const int32_t> columns, int64_t steps,
                               Aligned<T>& own, Elements<T>& view) {
  constexpr int64_t kWord = 4, kLine = kWord * kPanel;
  const auto place = [&](int64_t column) { return column / kPanel * steps * kLine + column % kPanel * kWord; };
  const auto elements = [&](int64_t n) { return panels_of(n) * steps * kLine / static_cast<int64_t>(sizeof(T)); };
  int64_t n = matrix_.n();
  const int64_t end = n + static_cast<int64_t>(columns.size());
  T* data = own.extend(elements(end), elements(n));
  char* packed = reinterpret_cast<char*>(data);
  for (const int32_t column : columns) {
    const char* source = reinterpret_cast<const char*>(from.data()) + place(column);
    char* target = packed + place(n++);
    for (int64_t step = 0; step < steps; ++step) std::memcpy(target + step * kLine, source + step * kLine, kWord);
  }
  view = {nullptr, data, elements(end)};
  if (end % kPanel == 0) return;
  char* padding = packed + place(end);
  for (int64_t step = 0; step < steps; ++step, padding += kLine) {
    std::fill_n(padding, (kPanel - end % kPanel) * kWord, '\0');
  }
}

/// For a vector with one element for each column, padded to whole panels.
template <typename T>
void ChosenColumns::add_elements(const Elements<T>& from, std::span<const int32_t> columns, std::vector<T>& own,
                                 Elements<T>& view) {
  if (from.empty()) return;
  int64_t n = matrix_.n();
  own.resize(static_cast<size_t>(panels_of(n + static_cast<int64_t>(columns.size())) * kPanel));
  for (const int32_t column : columns) own[static_cast<size_t>(n++)] = from[static_cast<size_t>(column)];
  view = {nullptr, own.data(), static_cast<int64_t>(own.size())};
}

void ChosenColumns::add(const Matrix& from, std::span<const int32_t> columns) {
  matrix_.precision_ = from.precision_;
  matrix_.k_ = from.k_;
  const int64_t group = group_of(from.precision_), steps = (from.k_ + group - 1) / group;
  switch (from.precision_) {
    case Precision::kF32: add_packed(from.floats_, columns, steps, floats_, matrix_.floats_); break;
    case Precision::kBf16: add_packed(from.halves_, columns, steps, halves_, matrix_.halves_); break;
    case Precision::kInt8: add_packed(from.bytes_, columns, steps, bytes_, matrix_.bytes_); break;
  }
  add_elements(from.bias_, columns, bias_, matrix_.bias_);
  add_elements(from.scales_, columns, scales_, matrix_.scales_);
  add_elements(from.sums_, columns, sums_, matrix_.sums_);
  matrix_.n_ += static_cast<int64_t>(columns.size());
}

}  // namespace ventris::arithmetic
