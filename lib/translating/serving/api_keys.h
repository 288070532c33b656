#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "serving/sha256.h"

namespace ventris::serving {

/// The keys that clients may use. Only their digests are known, so nobody can read a key from the file or from memory.
class ApiKeys {
 public:
  /// No keys: anybody may ask.
  ApiKeys() = default;
  /// Reads a file with a name and the SHA-256 of a key (64 hexadecimal digits) on each line, separated by spaces. Blank
  /// lines and lines that begin with # do not count. Throws DataError with the line, and ConfigError if there are no
  /// keys.
  explicit ApiKeys(const std::string& path);

  bool required() const { return !keys_.empty(); }

  /// The name of a key; none if it is not there. The time does not depend on which key it is, or on how much of it is
  /// right.
  std::optional<std::string> name_of(const std::string& key) const;

 private:
  std::vector<std::pair<std::string, Digest>> keys_;
};

}  // namespace ventris::serving
