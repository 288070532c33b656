#include "serving/sha256.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <fmt/format.h>

namespace ventris::serving {

Digest sha256(std::string_view bytes) {
  Digest digest{};
  static_assert(digest.size() == SHA256_DIGEST_LENGTH);
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return digest;
}

bool equal(const Digest& one, const Digest& other) { return CRYPTO_memcmp(one.data(), other.data(), one.size()) == 0; }

std::string to_hex(const Digest& digest) {
  std::string text;
  for (const uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace ventris::serving
