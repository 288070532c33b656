#include "imports/feature_order.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ventris::imports {

std::vector<float> rows_in(const Order& order, const std::vector<float>& values, int64_t columns) {
  std::vector<float> sorted(order.size() * static_cast<size_t>(columns), 0.0F);
  auto to = sorted.begin();
  const int64_t rows = static_cast<int64_t>(values.size()) / std::max<int64_t>(columns, 1);
  for (const int64_t row : order) {
    if (row >= rows) throw std::logic_error("rows_in: a row that the table does not have");
    if (row >= 0) std::copy_n(values.begin() + row * columns, columns, to);
    to += columns;
  }
  return sorted;
}

std::vector<float> columns_in(const Order& order, const std::vector<float>& values) {
  std::vector<float> sorted(values.size());
  const size_t columns = order.size();
  for (size_t row = 0; row < values.size(); row += columns) {
    for (size_t i = 0; i < columns; ++i) sorted[row + i] = values[row + static_cast<size_t>(order[i])];
  }
  return sorted;
}

std::vector<float> filled_up(const std::vector<float>& values, int64_t columns, int64_t wanted) {
  const int64_t rows = static_cast<int64_t>(values.size()) / columns;
  std::vector<float> result(static_cast<size_t>(rows * wanted), 0.0F);
  for (int64_t row = 0; row < rows; ++row) {
    std::copy_n(values.begin() + row * columns, columns, result.begin() + row * wanted);
  }
  return result;
}

std::vector<float> transposed(const std::vector<float>& values, int64_t rows) {
  const int64_t columns = static_cast<int64_t>(values.size()) / rows;
  std::vector<float> result(values.size());
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t column = 0; column < columns; ++column) {
      result[static_cast<size_t>(column * rows + row)] = values[static_cast<size_t>(row * columns + column)];
    }
  }
  return result;
}

Order alternating(int64_t d_model) {
  Order order;
  for (int64_t i = 0; i < d_model / 2; ++i) {
    order.push_back(i);
    order.push_back(d_model / 2 + i);
  }
  return order;
}

Order unchanged(int64_t count) {
  Order order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), int64_t{0});
  return order;
}

}  // namespace ventris::imports
