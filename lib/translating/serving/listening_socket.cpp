#include "serving/listening_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace ventris::serving {
namespace {

constexpr int kBacklog = 1024;

struct Place {
  sockaddr_storage address = {};
  socklen_t size = 0;
};

Place place_of(const std::string& address, int port) {
  Place place;
  auto* const v4 = reinterpret_cast<sockaddr_in*>(&place.address);
  auto* const v6 = reinterpret_cast<sockaddr_in6*>(&place.address);
  if (inet_pton(AF_INET, address.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(static_cast<uint16_t>(port));
    place.size = sizeof *v4;
  } else if (inet_pton(AF_INET6, address.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(static_cast<uint16_t>(port));
    place.size = sizeof *v6;
  } else {
    fail<ConfigError>("address: expected an IPv4 or IPv6 address, such as 127.0.0.1 or ::1, got '", address, "'");
  }
  return place;
}

int port_of(int descriptor) {
  sockaddr_storage found{};
  socklen_t size = sizeof found;
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&found), &size);
  const bool ipv6 = found.ss_family == AF_INET6;
  return ntohs(ipv6 ? reinterpret_cast<sockaddr_in6*>(&found)->sin6_port
                    : reinterpret_cast<sockaddr_in*>(&found)->sin_port);
}

}  // namespace

ListeningSocket::ListeningSocket(const std::string& address, int port) : address_(address) {
  const Place place = place_of(address, port);
  ipv6_ = place.address.ss_family == AF_INET6;
  loopback_ = address == "::1" || address.starts_with("127.");
  descriptor_ = socket(place.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  bool good = descriptor_ >= 0 && setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0;
  good = good && bind(descriptor_, reinterpret_cast<const sockaddr*>(&place.address), place.size) == 0;
  if (!good) refuse(port, errno);
  port_ = port_of(descriptor_);
}

void ListeningSocket::listen() {
  if (::listen(descriptor_, kBacklog) != 0) refuse(port_, errno);
}

void ListeningSocket::refuse(int port, int reason) {
  close();
  fail<ConfigError>("address, port: cannot listen on ", address_, " port ", port, ": ", std::strerror(reason),
                    reason == EADDRINUSE ? "; another program has it, so give another --port" : "");
}

ListeningSocket::~ListeningSocket() { close(); }

void ListeningSocket::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

std::string ListeningSocket::url() const {
  const std::string host = ipv6_ ? "[" + address_ + "]" : address_;
  return "http://" + host + ":" + std::to_string(port_);
}

}  // namespace ventris::serving
