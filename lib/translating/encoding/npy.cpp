#include "encoding/npy.h"

#include <fmt/format.h>

namespace ventris::encoding {

std::string npy_header(int64_t rows, int64_t columns) {
  constexpr size_t kBefore = 10;  // bytes before the description: magic, version, its length
  constexpr size_t kBlock = 64;
  std::string description =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  description.resize((kBefore + description.size() + kBlock) / kBlock * kBlock - kBefore - 1, ' ');
  description += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(description.size() % 256);
  header += static_cast<char>(description.size() / 256);
  return header + description;
}

}  // namespace ventris::encoding
