#pragma once
#include <array>
#include <cstdint>
#include <string>

namespace ventris::distributed {

/// Two connected sockets, each of which gets what the other one sends. Neither blocks. It owns both.
class Relay {
 public:
  /// `first` may already have sent `bytes`, which are for `second`.
  Relay(int first, int second, std::string bytes);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  /// To be called when one of the sockets can be read or written. Returns false when both can be closed: one has ended
  /// or failed, and the other has what it had sent.
  bool pass_on();

  /// The events of poll() and epoll() for which socket 0 or 1 waits.
  uint32_t wanted(size_t end) const;

  int socket(size_t end) const { return ends_[end]; }

  /// Whether the first socket has sent something since the relay was made.
  bool spoke() const { return spoke_; }

 private:
  bool read_from(size_t end);
  bool write_to(size_t end);

  std::array<int, 2> ends_;
  std::array<std::string, 2> waiting_;  // for each end
  bool ended_ = false;  // one of them will send no more
  bool spoke_ = false;
};

}  // namespace ventris::distributed
