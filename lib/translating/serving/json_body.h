#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::serving {

/// The limits of JSON in a body, so that a short text cannot take much memory or stack.
inline constexpr int kMostBodyLevels = 16;
inline constexpr size_t kMostBodyValues = 20'000;

/// Parses the body of a request, which must be a JSON object without a repeated key. Throws RequestError (400) for
/// anything else, for invalid UTF-8, and beyond the limits above.
nlohmann::json parse_json_body(const std::string& body);

/// One line; invalid UTF-8 becomes U+FFFD.
std::string to_body(const nlohmann::ordered_json& json);

}  // namespace ventris::serving
