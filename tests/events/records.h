#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::test {

/// The records of an event file: each has its length in the first 8 bytes, a crc of 4 before its bytes, and one behind.
inline std::vector<std::string> records_of(std::string_view bytes) {
  std::vector<std::string> records;
  while (bytes.size() >= 16) {
    size_t length = 0;
    for (size_t i = 8; i-- > 0;) length = length << 8U | static_cast<unsigned char>(bytes[i]);
    records.emplace_back(bytes.substr(12, length));
    bytes.remove_prefix(std::min(bytes.size(), 12 + length + 4));
  }
  return records;
}

}  // namespace ventris::test
