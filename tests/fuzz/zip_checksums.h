#pragma once
#include <string>
#include <string_view>
#include <utility>

namespace ventris::fuzz {

/// The zip file with all checksums 0, as no_checksums.cpp has it; any other file as it is.
inline std::string without_checksums(std::string file) {
  if (!file.starts_with("PK")) return file;
  const std::pair<std::string_view, size_t> signs[] = {{"PK\x01\x02", 16}, {"PK\x03\x04", 14}, {"PK\x07\x08", 4}};
  for (const auto& [sign, place] : signs) {
    for (size_t at = file.find(sign); at != std::string::npos; at = file.find(sign, at + 1)) {
      if (at + place + 4 <= file.size()) file.replace(at + place, 4, 4, '\0');
    }
  }
  return file;
}

}  // namespace ventris::fuzz
