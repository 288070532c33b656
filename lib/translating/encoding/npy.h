#pragma once
#include <cstdint>
#include <string>

namespace ventris::encoding {

/// The beginning of a .npy file (NumPy format 1.0) with a matrix [rows, columns] of little-endian 32-bit floats, row by
/// row, whose bytes follow. Its length is a multiple of 64.
std::string npy_header(int64_t rows, int64_t columns);

}  // namespace ventris::encoding
