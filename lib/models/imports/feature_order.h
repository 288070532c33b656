#pragma once
#include <cstdint>
#include <vector>

/// Rows, columns and features of a matrix in another order.
namespace ventris::imports {

/// In place i, the number of the old row, column or feature that becomes number i; negative = a row of zeros.
using Order = std::vector<int64_t>;

/// values [rows, columns] with the rows in this order. Returns [order, columns].
std::vector<float> rows_in(const Order& order, const std::vector<float>& values, int64_t columns);

/// values [rows, columns] with the columns in this order, which has one number for each of them.
std::vector<float> columns_in(const Order& order, const std::vector<float>& values);

/// values [rows, columns] with columns of zeros after the others. Returns [rows, wanted].
std::vector<float> filled_up(const std::vector<float>& values, int64_t columns, int64_t wanted);

/// values [rows, columns] as [columns, rows].
std::vector<float> transposed(const std::vector<float>& values, int64_t rows);

/// The features of a model whose sinusoids have all sines before all cosines, in the order of ours, in which they
/// alternate: 0, d/2, 1, d/2 + 1, ... d is even.
Order alternating(int64_t d_model);

/// 0, 1, 2, ...
Order unchanged(int64_t count);

}  // namespace ventris::imports
