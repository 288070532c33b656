#include "markup/encoded_values.h"

#include <algorithm>
#include <array>

namespace ventris::markup {
namespace {

enum class SignKind { kSmall, kCapital, kDigit, kSign, kOther };

SignKind kind_of(char c) {
  if (c >= 'a' && c <= 'z') return SignKind::kSmall;
  if (c >= 'A' && c <= 'Z') return SignKind::kCapital;
  if (c >= '0' && c <= '9') return SignKind::kDigit;
  return std::string_view("+/-_").find(c) != std::string_view::npos ? SignKind::kSign : SignKind::kOther;
}

/// What a text has of base64.
struct Signs {
  bool small = false, capital = false, digit = false;
  bool of_urls = false;  ///< "-" or "_", as base64url has them
  size_t filling = 0;    ///< "=" at the end
  size_t changes = 0;    ///< from a small letter to a capital, and between a letter and a digit
  bool other = false;    ///< anything that is not of base64

  void add(std::string_view text) {
    SignKind last = SignKind::kSign;
    for (const char c : text) {
      if (c == '=') {
        ++filling;
        continue;
      }
      const SignKind kind = kind_of(c);
      other = other || filling > 0 || kind == SignKind::kOther;
      small = small || kind == SignKind::kSmall;
      capital = capital || kind == SignKind::kCapital;
      digit = digit || kind == SignKind::kDigit;
      of_urls = of_urls || c == '-' || c == '_';
      const bool with_digit = (last == SignKind::kDigit) != (kind == SignKind::kDigit);
      const bool letters = last != SignKind::kSign && kind != SignKind::kSign;
      if (letters && (with_digit || (last == SignKind::kSmall && kind == SignKind::kCapital))) ++changes;
      last = kind;
    }
  }
  bool is_base64() const { return !other && filling <= 2; }
  /// Whether small letters, capitals and digits are mixed, as in nearly all data of some length.
  bool is_mixed() const { return small && capital && (digit || filling > 0); }
};

constexpr size_t kLeastOfValue = 12, kLeastOfKey = 20;
constexpr std::string_view kBlanksOfValue = " \t\r\n";

std::string_view trimmed_value(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(kBlanksOfValue), text.size());
  return text.substr(begin, text.find_last_not_of(kBlanksOfValue) + 1 - begin);
}

bool is_pem(std::string_view text) {
  return text.starts_with("-----BEGIN ") && text.ends_with("-----") &&
         text.find("-----END ") != std::string_view::npos && !text.starts_with("-----BEGIN PGP SIGNED");
}

bool is_key_of_ssh(std::string_view text) {
  constexpr std::array<std::string_view, 4> kKinds{"ssh-rsa ", "ssh-ed25519 ", "ssh-dss ", "ecdsa-sha2-"};
  const auto begins = [&](std::string_view kind) { return text.starts_with(kind); };
  const std::string_view key = text.substr(std::min(text.find(' '), text.size()));
  return std::ranges::any_of(kKinds, begins) && key.starts_with(" AAAA");
}

/// "eyJhbGci.eyJzdWIi.dozjgNry"
bool is_json_token(std::string_view text) {
  return text.starts_with("eyJ") && std::ranges::count(text, '.') >= 2 &&
         std::ranges::all_of(text, [](char c) { return c == '.' || kind_of(c) != SignKind::kOther; });
}

/// "sha512-" and a hash, and keys of well-known interfaces.
bool is_known_key(std::string_view text, const Signs& signs) {
  constexpr std::array<std::string_view, 4> kHashes{"sha1-", "sha256-", "sha384-", "sha512-"};
  constexpr std::array<std::string_view, 13> kKeys{"AIza", "AKIA", "ghp_",   "gho_",  "ghs_",  "github_pat_", "sk-",
                                                   "sk_",  "pk_",  "glpat-", "xoxb-", "xoxp-", "npm_"};
  const auto begins = [&](std::string_view sign) { return text.starts_with(sign); };
  if (!signs.is_base64() || !signs.digit) return false;
  return std::ranges::any_of(kHashes, begins) ||
         (signs.changes > 1 && text.size() >= kLeastOfKey && std::ranges::any_of(kKeys, begins));
}

bool is_base64_line(std::string_view text) {
  constexpr size_t kLong = 64, kBytesOfGroup = 4, kMostForEachChange = 5, kFewForEachChange = 2;
  Signs signs;
  signs.add(text);
  if (is_known_key(text, signs)) return true;
  if (!signs.is_base64()) return false;
  const bool at_random = signs.changes * kMostForEachChange >= text.size();
  if (signs.filling > 0) {
    const bool whole = text.size() % kBytesOfGroup == 0 && signs.capital && (signs.small || signs.digit);
    return whole && (at_random || signs.filling > 1 || text.size() >= kLong);
  }
  if (text.size() >= kLong && !signs.of_urls && signs.is_mixed()) return true;
  return signs.digit && at_random && (text.size() >= kLeastOfKey || signs.changes * kFewForEachChange >= text.size());
}

/// Whether the text has lines of base64, of the same length but for the last one. Line ends may have become spaces.
bool has_base64_lines(std::string_view text) {
  constexpr size_t kShortestLine = 40, kLeast = 100;  // bytes; two words may be so long
  if (text.size() < kLeast) return false;
  Signs signs;
  size_t length = 0;
  for (bool last = false; !last;) {
    const size_t end = std::min(text.find_first_of(kBlanksOfValue), text.size());
    const std::string_view line = text.substr(0, end);
    text = trimmed_value(text.substr(end));
    last = text.empty();
    if (length == 0) length = line.size();
    if (length < kShortestLine || (last ? line.size() > length : line.size() != length)) return false;
    signs.add(line);
    if (signs.other) return false;
  }
  return signs.is_base64() && signs.is_mixed();
}

}  // namespace

bool is_encoded_value(std::string_view text) {
  text = trimmed_value(text);
  if (text.size() < kLeastOfValue) return false;
  if (is_pem(text) || is_key_of_ssh(text)) return true;
  if (text.find_first_of(kBlanksOfValue) != std::string_view::npos) return has_base64_lines(text);
  return is_json_token(text) || is_base64_line(text);
}

}  // namespace ventris::markup
