#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Writes .bin files of Marian and binary shortlists by hand, also such as Marian would not write.
namespace ventris::imports {

inline std::string bytes_of_number(uint64_t value, size_t bytes) {
  return {reinterpret_cast<const char*>(&value), bytes};
}

class MarianBinWriter {
 public:
  MarianBinWriter& add(const std::string& name, uint64_t type, const std::vector<int32_t>& shape,
                       const std::string& data) {
    heads_ += bytes_of_number(name.size() + 1, 8) + bytes_of_number(type, 8) + bytes_of_number(shape.size(), 8) +
              bytes_of_number(data.size(), 8);
    names_ += name + '\0';
    for (const int32_t length : shape) shapes_ += bytes_of_number(static_cast<uint32_t>(length), 4);
    data_ += data;
    ++count_;
    return *this;
  }
  std::string bytes(uint64_t version = 1) const {
    return bytes_of_number(version, 8) + bytes_of_number(count_, 8) + heads_ + names_ + shapes_ +
           bytes_of_number(0, 8) + data_;
  }

 private:
  std::string heads_, names_, shapes_, data_;
  uint64_t count_ = 0;
};

/// A binary shortlist with a list of rows for each word, and the end of the last list if `with_end`.
inline std::string marian_shortlist(const std::vector<std::vector<uint32_t>>& lists, uint64_t first, bool with_end) {
  std::string offsets, ids;
  for (const std::vector<uint32_t>& list : lists) {
    offsets += bytes_of_number(ids.size() / 4, 8);
    for (const uint32_t id : list) ids += bytes_of_number(id, 4);
  }
  if (with_end) offsets += bytes_of_number(ids.size() / 4, 8);
  const std::string rest = bytes_of_number(first, 8) + bytes_of_number(50, 8) + bytes_of_number(offsets.size() / 8, 8) +
                           bytes_of_number(ids.size() / 4, 8) + offsets + ids;
  uint64_t sum = 0;
  for (size_t i = 0; i + 8 <= rest.size(); i += 8) {
    uint64_t number = 0;
    rest.copy(reinterpret_cast<char*>(&number), 8, i);
    sum ^= number + 0x9e3779b9 + (sum << 6U) + (sum >> 2U);
  }
  return bytes_of_number(0xF11A48D5013417F5, 8) + bytes_of_number(sum, 8) + rest;
}

}  // namespace ventris::imports
