#include "distributed/relay.h"

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace ventris::distributed {
namespace {

constexpr size_t kMostWaiting = 1 << 16;  // bytes; more stay in the socket of the sender

bool would_block() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

}  // namespace

Relay::Relay(int first, int second, std::string bytes) : ends_{first, second}, waiting_{"", std::move(bytes)} {}

Relay::~Relay() {
  for (const int end : ends_) close(end);
}

/// Returns false after an error.
bool Relay::read_from(size_t end) {
  std::string& target = waiting_[1 - end];
  std::array<char, kMostWaiting> block;
  while (!ended_ && target.size() < kMostWaiting) {
    const ssize_t got = recv(ends_[end], block.data(), block.size(), MSG_DONTWAIT);
    if (got < 0) return would_block();
    ended_ = got == 0;
    target.append(block.data(), static_cast<size_t>(got));
    spoke_ = spoke_ || (end == 0 && got > 0);
  }
  return true;
}

bool Relay::write_to(size_t end) {
  std::string& waiting = waiting_[end];
  while (!waiting.empty()) {
    const ssize_t sent = send(ends_[end], waiting.data(), waiting.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) return would_block();
    waiting.erase(0, static_cast<size_t>(sent));
  }
  return true;
}

bool Relay::pass_on() {
  for (const size_t end : {0, 1}) {
    if (!read_from(end) || !write_to(1 - end) || !write_to(end)) return false;
  }
  return !ended_ || !waiting_[0].empty() || !waiting_[1].empty();
}

uint32_t Relay::wanted(size_t end) const {
  const bool reads = !ended_ && waiting_[1 - end].size() < kMostWaiting;
  return (reads ? uint32_t{EPOLLIN} : 0U) | (waiting_[end].empty() ? 0U : uint32_t{EPOLLOUT});
}

}  // namespace ventris::distributed
