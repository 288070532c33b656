#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "files/files.h"

namespace ventris::test {

/// Writes zip archives that no program would write. All entries are stored.
class RawZip {
 public:
  /// Adds a local header and data. Returns the place of the header.
  size_t add(const std::string& name, std::string_view data) {
    const size_t place = bytes_.size();
    bytes_ += numbers(0x04034b50, 4) + common(name, data) + name;
    bytes_ += data;
    return place;
  }
  /// Adds an entry of the directory for what add() put at `place`.
  void list(const std::string& name, std::string_view data, size_t place) {
    directory_ +=
        numbers(0x02014b50, 4) + numbers(20, 2) + common(name, data) + std::string(10, '\0') + numbers(place, 4) + name;
    ++entries_;
  }
  void put(const std::string& name, std::string_view data) { list(name, data, add(name, data)); }

  /// The file, whose end record says that there are `more` entries more than there are.
  std::string finish(const std::string& comment = "", int more = 0) const {
    const uint64_t count = entries_ + static_cast<uint64_t>(more);
    return bytes_ + directory_ + numbers(0x06054b50, 4) + numbers(0, 4) + numbers(count, 2) + numbers(count, 2) +
           numbers(directory_.size(), 4) + numbers(bytes_.size(), 4) + numbers(comment.size(), 2) + comment;
  }

 private:
  static std::string numbers(uint64_t value, size_t bytes) { return {reinterpret_cast<const char*>(&value), bytes}; }
  static std::string common(const std::string& name, std::string_view data) {
    return numbers(20, 2) + std::string(8, '\0') + numbers(files::crc32(data), 4) + numbers(data.size(), 4) +
           numbers(data.size(), 4) + numbers(name.size(), 2) + numbers(0, 2);
  }

  std::string bytes_, directory_;
  uint64_t entries_ = 0;
};

}  // namespace ventris::test
