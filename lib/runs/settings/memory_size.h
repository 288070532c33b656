#pragma once
#include <cstdint>
#include <string>

namespace ventris::settings {

/// An amount of memory as on the command line: 4G, 512M, 1.5T; K, M, G and T are powers of 1,024, a plain number is
/// bytes. "0" means none.
class MemorySize {
 public:
  MemorySize() = default;

  /// Throws ConfigError with `setting` for anything else, and for 2^62 bytes or more.
  static MemorySize parse(const std::string& text, const std::string& setting);

  int64_t bytes() const { return bytes_; }
  bool none() const { return bytes_ == 0; }
  const std::string& text() const { return text_; }

 private:
  std::string text_ = "0";
  int64_t bytes_ = 0;
};

}  // namespace ventris::settings
