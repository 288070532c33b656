#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "arithmetic/matrix.h"

namespace ventris::arithmetic {

/// Columns (outputs) of a matrix, copied side by side into memory that is kept when they are removed.
class ChosenColumns {
 public:
  ChosenColumns() = default;
  ChosenColumns(ChosenColumns&&) = default;
  ChosenColumns& operator=(ChosenColumns&&) = default;

  /// Appends columns of `from`, always the same matrix. A column may be appended more than once.
  void add(const Matrix& from, std::span<const int32_t> columns);
  /// Removes all columns.
  void clear() { matrix_.n_ = 0; }

  /// A layer with these outputs, valid until the next call of add().
  const Matrix& matrix() const { return matrix_; }

 private:
  template <typename T>
  void add_packed(const Elements<T>& from, std::span<const int32_t> columns, int64_t steps, Aligned<T>& own,
                  Elements<T>& view);
  template <typename T>
  void add_elements(const Elements<T>& from, std::span<const int32_t> columns, std::vector<T>& own, Elements<T>& view);

  Matrix matrix_;  // its arrays are those below
  std::vector<float> bias_, scales_;
  std::vector<int32_t> sums_;
  Aligned<float> floats_;
  Aligned<uint16_t> halves_;
  Aligned<int8_t> bytes_;
};

}  // namespace ventris::arithmetic
