#include "distributed/store_gate.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <utility>

#include "core/process.h"
#include "core/resources.h"
#include "distributed/relay.h"

namespace ventris::distributed {
namespace {

/// What a client of c10d's TCPStore sends first: VALIDATE with its number, and PING, which 4 bytes follow.
constexpr std::string_view kBeginning("\0\xce\xf7\x85\x3c\x0d", 6);
constexpr size_t kPing = kBeginning.size() + 4;
constexpr double kPatience = 10;  // seconds until a connection has to be in use
constexpr size_t kMostStrangers = 512;
constexpr std::chrono::milliseconds kFull{20};  // before the next try, if there are no more descriptors
constexpr int kTick = 500;  // milliseconds between looks at the clock

[[noreturn]] void fail_to_listen() { throw PortError(std::strerror(errno)); }

int open_socket(int family) { return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

/// Listens at the address; -1 if that fails.
template <typename Address>
int listen_at(const Address& address, int family) {
  const int descriptor = open_socket(family);
  if (descriptor < 0) return -1;
  const int on = 1, off = 0;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      listen(descriptor, SOMAXCONN) == 0) {
    return descriptor;
  }
  const int problem = errno;
  close(descriptor);
  errno = problem;
  return -1;
}

/// On IPv6 and IPv4, or where there is no IPv6, on IPv4.
int listen_everywhere(uint16_t port) {
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  const int descriptor = listen_at(six, AF_INET6);
  if (descriptor >= 0 || (errno != EAFNOSUPPORT && errno != EADDRNOTAVAIL)) return descriptor;
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  return listen_at(four, AF_INET);
}

sockaddr_in loopback(uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

uint16_t port_of(int descriptor) {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  return ntohs(address.sin_port);
}

void send_at_once(int descriptor) {
  const int on = 1;
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/// A connection of a process needs three descriptors here: two for the relay, and one of the store.
void allow_many_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

size_t most_strangers() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return kMostStrangers;
  return std::clamp<size_t>(limit.rlim_cur / 8, 8, kMostStrangers);
}

}  // namespace

/// The thread, and its connections.
class StoreGate::Doorman {
 public:
  Doorman(int door, uint16_t store_port) : door_(door), store_port_(store_port), most_strangers_(most_strangers()) {
    watch(EPOLL_CTL_ADD, wake_, EPOLLIN);
    watch(EPOLL_CTL_ADD, door_, EPOLLIN);
  }

  ~Doorman() {
    const uint64_t one = 1;
    if (thread_.joinable() && write(wake_, &one, sizeof one) == sizeof one) thread_.join();
    while (!visitors_.empty()) dismiss(visitors_.begin());
    for (const int descriptor : {door_, events_, wake_}) close(descriptor);
  }
  Doorman(const Doorman&) = delete;
  Doorman& operator=(const Doorman&) = delete;

  void start() {
    thread_ = core::start_thread([this] { loop(); });
  }

 private:
  /// A connection. Strangers come first in the list, the oldest of them at its front.
  struct Visitor {
    int descriptor = -1;
    double since = 0;
    std::string beginning = {};  // what it has sent before it is let through
    std::unique_ptr<Relay> relay = nullptr;  // to the store
    bool stranger = true;
  };
  using Place = std::list<Visitor>::iterator;

  void loop();
  void admit();
  void attend(Place visitor);
  bool may_stay(Visitor& visitor);
  bool let_through(Visitor& visitor);
  void dismiss(Place visitor);
  void dismiss_late();

  void watch(int operation, int descriptor, uint32_t wanted) const {
    epoll_event event{};
    event.events = wanted;
    event.data.fd = descriptor;
    epoll_ctl(events_, operation, descriptor, &event);
  }

  int door_;
  uint16_t store_port_;
  size_t most_strangers_;
  int events_ = epoll_create1(EPOLL_CLOEXEC);
  int wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::list<Visitor> visitors_;
  size_t strangers_ = 0;
  std::unordered_map<int, Place> by_descriptor_;
  std::thread thread_;
};

void StoreGate::Doorman::loop() {
  std::array<epoll_event, 64> found{};
  for (;;) {
    const int count = epoll_wait(events_, found.data(), static_cast<int>(found.size()), kTick);
    for (int i = 0; i < count; ++i) {
      const int descriptor = found[static_cast<size_t>(i)].data.fd;
      if (descriptor == wake_) return;
      if (descriptor == door_) {
        admit();
      } else if (const auto known = by_descriptor_.find(descriptor); known != by_descriptor_.end()) {
        attend(known->second);
      }
    }
    dismiss_late();
  }
}

/// Takes all connections that wait. If there are no more descriptors, those of the oldest strangers are used.
void StoreGate::Doorman::admit() {
  for (;;) {
    const int descriptor = accept4(door_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) {
      if (errno == ECONNABORTED || errno == EINTR) continue;
      if (errno != EMFILE && errno != ENFILE) return;
      if (strangers_ == 0) return std::this_thread::sleep_for(kFull);
      dismiss(visitors_.begin());
      continue;
    }
    send_at_once(descriptor);
    if (strangers_ >= most_strangers_) dismiss(visitors_.begin());
    const Place behind = std::next(visitors_.begin(), static_cast<std::ptrdiff_t>(strangers_));
    by_descriptor_[descriptor] = visitors_.insert(behind, Visitor{descriptor, core::seconds_now()});
    ++strangers_;
    watch(EPOLL_CTL_ADD, descriptor, EPOLLIN);
  }
}

void StoreGate::Doorman::attend(Place visitor) {
  if (!may_stay(*visitor)) return dismiss(visitor);
  if (!visitor->relay) return;
  for (const size_t end : {0, 1}) watch(EPOLL_CTL_MOD, visitor->relay->socket(end), visitor->relay->wanted(end));
  if (visitor->relay->socket(1) >= 0) by_descriptor_[visitor->relay->socket(1)] = visitor;
  if (!visitor->stranger || !visitor->relay->spoke()) return;
  visitor->stranger = false;
  --strangers_;
  visitors_.splice(visitors_.end(), visitors_, visitor);
}

bool StoreGate::Doorman::may_stay(Visitor& visitor) {
  if (visitor.relay) return visitor.relay->pass_on();
  std::array<char, kPing> block{};
  const ssize_t got = recv(visitor.descriptor, block.data(), kPing - visitor.beginning.size(), MSG_DONTWAIT);
  if (got <= 0) return got < 0 && (errno == EAGAIN || errno == EINTR);
  visitor.beginning.append(block.data(), static_cast<size_t>(got));
  const size_t known = std::min(visitor.beginning.size(), kBeginning.size());
  if (visitor.beginning.compare(0, known, kBeginning, 0, known) != 0) return false;
  return visitor.beginning.size() < kPing || let_through(visitor);
}

bool StoreGate::Doorman::let_through(Visitor& visitor) {
  const int store = open_socket(AF_INET);
  const sockaddr_in address = loopback(store_port_);
  const bool begun = store >= 0 && (connect(store, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ||
                                    errno == EINPROGRESS);
  if (!begun) {
    if (store >= 0) close(store);
    return false;
  }
  send_at_once(store);
  visitor.relay = std::make_unique<Relay>(visitor.descriptor, store, std::exchange(visitor.beginning, {}));
  watch(EPOLL_CTL_ADD, store, visitor.relay->wanted(1));
  return true;
}

void StoreGate::Doorman::dismiss(Place visitor) {
  strangers_ -= visitor->stranger ? 1 : 0;
  by_descriptor_.erase(visitor->descriptor);
  if (visitor->relay) {
    by_descriptor_.erase(visitor->relay->socket(1));
  } else {
    close(visitor->descriptor);
  }
  visitors_.erase(visitor);
}

void StoreGate::Doorman::dismiss_late() {
  const double now = core::seconds_now();
  while (strangers_ > 0 && visitors_.front().since + kPatience < now) dismiss(visitors_.begin());
}

StoreGate::StoreGate(uint16_t port) {
  allow_many_descriptors();
  const int door = listen_everywhere(port);
  if (door < 0) fail_to_listen();
  store_socket_ = listen_at(loopback(0), AF_INET);
  if (store_socket_ < 0) {
    close(door);
    fail_to_listen();
  }
  store_port_ = port_of(store_socket_);
  doorman_ = std::make_unique<Doorman>(door, store_port_);
}

StoreGate::~StoreGate() = default;

void StoreGate::open() { doorman_->start(); }

}  // namespace ventris::distributed
