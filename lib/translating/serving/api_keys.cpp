#include "serving/api_keys.h"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "core/error.h"
#include "files/files.h"
#include "serving/http_message.h"

namespace ventris::serving {
namespace {

/// Throws DataError, beginning with `where`, unless the text is a digest.
Digest digest_of(const std::string& text, const std::string& where) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  Digest digest{};
  const bool long_enough = text.size() == 2 * digest.size();
  for (size_t i = 0; long_enough && i < text.size(); ++i) {
    const size_t value = kDigits.find(static_cast<char>(text[i] >= 'A' && text[i] <= 'F' ? text[i] + 32 : text[i]));
    if (value == std::string_view::npos) break;
    digest[i / 2] = static_cast<uint8_t>(digest[i / 2] << 4 | value);
    if (i + 1 == text.size()) return digest;
  }
  fail<DataError>(where,
                  ": expected a name and the SHA-256 of a key as 64 hexadecimal digits; "
                  "make it with: printf %s KEY | sha256sum");
}

std::optional<int64_t> requests_of(const std::string& text, const std::string& where) {
  if (text.empty()) return {};
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0 || number > kMostRequestsPerMinute) {
    fail<DataError>(where, ": expected the requests per minute of this key, from 0 (no limit) to ",
                    kMostRequestsPerMinute, ", found '", text, "'");
  }
  return number;
}

}  // namespace

ApiKeys::ApiKeys(const std::string& path) {
  constexpr size_t kMostBytes = 16 << 20;
  std::istringstream lines(files::read_file(path, kMostBytes));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string name, digest, requests, more;
    words >> name >> digest >> requests >> more;
    if (name.empty() || name.starts_with('#')) continue;
    const std::string where = path + ":" + std::to_string(number);
    if (!more.empty()) fail<DataError>(where, ": expected at most 3 columns separated by spaces, found more");
    const Digest known = digest_of(digest, where);
    keys_.push_back({name, known, requests_of(requests, where)});
  }
  if (keys_.empty()) fail<ConfigError>("api_keys: ", path, " has no keys, so nobody could use the server");
}

std::optional<ApiKey> ApiKeys::find(const std::string& key) const {
  const Digest digest = sha256(key);
  const ApiKey* found = nullptr;
  for (const ApiKey& known : keys_) {
    if (equal(digest, known.digest)) found = &known;
  }
  return found == nullptr ? std::nullopt : std::optional(*found);
}

}  // namespace ventris::serving
