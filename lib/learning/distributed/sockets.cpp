#include "distributed/sockets.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include "core/error.h"
#include "core/process.h"

namespace ventris::distributed {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

/// The addresses of a name; if this fails, none and the reason.
Addresses look_up(const std::string& host, uint16_t port, int kind, std::string& why) {
  addrinfo hints{};
  hints.ai_socktype = kind;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (error != 0) why = gai_strerror(error);
  return {error == 0 ? list : nullptr, freeaddrinfo};
}

/// A socket that closes itself.
class Socket {
 public:
  Socket(int family, int kind) : descriptor_(socket(family, kind, 0)) {}
  ~Socket() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  operator int() const { return descriptor_; }

 private:
  int descriptor_;
};

/// The local address of a datagram socket that is connected there (this sends nothing); empty if there is no route.
std::string near_end(const addrinfo& there) {
  const Socket socket(there.ai_family, SOCK_DGRAM);
  sockaddr_storage near{};
  socklen_t length = sizeof near;
  auto* address = reinterpret_cast<sockaddr*>(&near);
  std::array<char, NI_MAXHOST> text{};
  const bool found = connect(socket, there.ai_addr, there.ai_addrlen) == 0 &&
                     getsockname(socket, address, &length) == 0 &&
                     getnameinfo(address, length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0;
  return found ? text.data() : "";
}

/// Whether a connection is possible within a second; otherwise `why` gets the reason.
bool accepts(const addrinfo& there, std::string& why) {
  const Socket socket(there.ai_family, SOCK_STREAM | SOCK_NONBLOCK);
  int error = connect(socket, there.ai_addr, there.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    pollfd event{socket, POLLOUT, 0};
    socklen_t length = sizeof error;
    if (poll(&event, 1, 1000) != 1) {
      error = ETIMEDOUT;
    } else {
      getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length);
    }
  }
  if (error != 0) why = std::strerror(error);
  return error == 0;
}

}  // namespace

std::string local_address_towards(const std::string& host, uint16_t port) {
  std::string why = "this machine has no route to it";
  const Addresses list = look_up(host, port, SOCK_DGRAM, why);
  for (const addrinfo* entry = list.get(); entry != nullptr; entry = entry->ai_next) {
    if (std::string address = near_end(*entry); !address.empty()) return address;
  }
  fail<ConfigError>("MASTER_ADDR: ", host, ": ", why);
}

std::string wait_for_listener(const std::string& host, uint16_t port, double seconds) {
  const double until = core::seconds_now() + seconds;
  while (true) {
    std::string why;
    const Addresses list = look_up(host, port, SOCK_STREAM, why);
    for (const addrinfo* entry = list.get(); entry != nullptr; entry = entry->ai_next) {
      if (accepts(*entry, why)) return "";
    }
    if (core::stop_signal() != 0) throw Interrupted(core::stop_signal(), "stopped while waiting for rank 0");
    if (core::seconds_now() > until) return why;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

}  // namespace ventris::distributed
