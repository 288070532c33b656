#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "serving/sha256.h"

namespace ventris::serving {

/// A key as the server knows it.
struct ApiKey {
  std::string name;
  Digest digest = {};
  std::optional<int64_t> requests_per_minute = {};  ///< 0 = as many as it likes; none = the setting of the server
};

/// The keys that clients may use. Only their digests are known, so nobody can read a key from the file or from memory.
class ApiKeys {
 public:
  /// No keys: anybody may ask.
  ApiKeys() = default;
  /// Reads a file with a name, the SHA-256 of a key (64 hexadecimal digits) and perhaps a number of requests per minute
  /// on each line, separated by spaces. Blank lines and lines that begin with # do not count. Throws DataError with the
  /// line, and ConfigError if there are no keys.
  explicit ApiKeys(const std::string& path);

  bool required() const { return !keys_.empty(); }

  /// A key; none if it is not there. The time does not depend on which key it is, or on how much of it is right.
  std::optional<ApiKey> find(const std::string& key) const;

 private:
  std::vector<ApiKey> keys_;
};

}  // namespace ventris::serving
