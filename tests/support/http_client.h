#pragma once
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <string>
#include <utility>

namespace ventris::test {

/// A connection to a port of this machine, over which a test writes whatever bytes it likes.
class RawConnection {
 public:
  explicit RawConnection(int port) : descriptor_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  RawConnection(RawConnection&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), connected_(other.connected_) {}
  ~RawConnection() { close(); }
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  bool connected() const { return connected_; }
  bool send(const std::string& bytes) {
    for (size_t sent = 0; sent < bytes.size();) {
      const ssize_t count = ::send(descriptor_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<size_t>(count);
    }
    return true;
  }
  /// All bytes until the other side closes the connection, or until so many seconds have passed without any.
  std::string read_all(int seconds = 60) {
    std::string all;
    while (read_some(all, seconds)) {
    }
    return all;
  }
  bool read_some(std::string& all, int seconds = 60) {
    pollfd place{descriptor_, POLLIN, 0};
    if (poll(&place, 1, seconds * 1000) <= 0) return false;
    char buffer[65536];
    const ssize_t count = recv(descriptor_, buffer, sizeof buffer, 0);
    if (count > 0) all.append(buffer, static_cast<size_t>(count));
    return count > 0;
  }
  void close() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

 private:
  int descriptor_;
  bool connected_ = false;
};

/// An answer of a server; status 0 = none came.
struct HttpAnswer {
  int status = 0;
  std::map<std::string, std::string> headers = {};  ///< names as they were written
  std::string body = {};
};

inline HttpAnswer parse_answer(const std::string& bytes) {
  HttpAnswer answer;
  const size_t end = bytes.find("\r\n\r\n");
  if (!bytes.starts_with("HTTP/1.1 ") || end == std::string::npos) return answer;
  answer.status = std::stoi(bytes.substr(9, 3));
  for (size_t at = bytes.find("\r\n"); at < end;) {
    const size_t next = bytes.find("\r\n", at + 2), colon = bytes.find(": ", at);
    if (colon < next) answer.headers[bytes.substr(at + 2, colon - at - 2)] = bytes.substr(colon + 2, next - colon - 2);
    at = next;
  }
  answer.body = bytes.substr(end + 4);
  return answer;
}

/// A request that closes its connection, as bytes.
inline std::string request_bytes(const std::string& method, const std::string& path, const std::string& body = "",
                                 const std::string& headers = "") {
  std::string bytes = method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers;
  if (!body.empty()) bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return bytes + "\r\n" + body;
}

inline HttpAnswer ask_server(int port, const std::string& method, const std::string& path, const std::string& body = "",
                             const std::string& headers = "Content-Type: application/json\r\n") {
  RawConnection connection(port);
  connection.send(request_bytes(method, path, body, headers));
  return parse_answer(connection.read_all());
}

/// A number of /metrics; -1 = it is not there.
inline double server_metric(int port, const std::string& name) {
  const std::string text = ask_server(port, "GET", "/metrics").body;
  const size_t at = text.find("\n" + name + " ");
  return at == std::string::npos ? -1 : std::stod(text.substr(at + name.size() + 2));
}

}  // namespace ventris::test
