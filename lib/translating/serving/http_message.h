#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Requests and responses of HTTP, without sockets.
namespace ventris::serving {

/// When clients should try again that were refused because the server has too much to do, in seconds.
inline constexpr int kRetrySeconds = 3;

/// Names and values, in their order; a name may occur several times.
using Fields = std::vector<std::pair<std::string, std::string>>;

/// The first value of this name; null if there is none.
inline const std::string* find_field(const Fields& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (key == name) return &value;
  }
  return nullptr;
}

/// The most requests per minute that a limit can be.
inline constexpr int64_t kMostRequestsPerMinute = 1'000'000;

struct HttpRequest {
  std::string method = {};  ///< in capitals
  std::string path = {};    ///< decoded, without the query
  Fields query = {};        ///< decoded
  /// Headers; empty if they are missing.
  std::string content_type = {}, authorization = {}, host = {}, forwarded_for = {}, forwarded_proto = {};
  std::string body = {};
  std::string address = {};  ///< of the client
};

struct HttpResponse {
  int status = 200;
  std::string body = {};
  std::string content_type = "application/json";
  Fields headers = {};  ///< besides Content-Type and Content-Length
  std::shared_ptr<const void> held = {};  ///< what is kept until the response was sent
};

/// Why a request gets no answer but an error: the status of HTTP, and a sentence for the client.
struct RequestError : std::runtime_error {
  RequestError(int its_status, const std::string& text, std::optional<int> seconds = {})
      : std::runtime_error(text), status(its_status), retry_after(seconds) {}

  int status;
  std::optional<int> retry_after;  ///< seconds
};

/// Why nothing is accepted any more.
inline RequestError shutting_down() { return {503, "The server is shutting down", kRetrySeconds}; }

}  // namespace ventris::serving
