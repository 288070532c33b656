#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "core/error.h"

namespace ventris::distributed {

/// The port of rank 0 cannot be listened at.
struct PortError : ConfigError {
  using ConfigError::ConfigError;
};

/// Listens at the port of rank 0 in front of the store of c10d, which takes one connection after the other and keeps
/// each for ever: port scanners and other strangers would keep the processes of the run out. Only a connection that
/// begins as those of c10d do reaches the store. Until it has sent more than this beginning, it may last only some
/// seconds, and when there are too many such connections, the oldest ones are closed. This is no protection from
/// programs that know the protocol: the network must be trusted (docs/distributed.md).
class StoreGate {
 public:
  /// Listens at `port` of all addresses of this machine. Throws PortError with the reason of the system.
  explicit StoreGate(uint16_t port);
  ~StoreGate();
  StoreGate(const StoreGate&) = delete;
  StoreGate& operator=(const StoreGate&) = delete;

  /// The socket at which the store must listen, which has its own port on the loopback interface; the caller owns it.
  int store_socket() const { return store_socket_; }
  uint16_t store_port() const { return store_port_; }

  /// From now on, a thread lets connections through. Throws ResourceError.
  void open();

 private:
  class Doorman;

  int store_socket_ = -1;
  uint16_t store_port_ = 0;
  std::unique_ptr<Doorman> doorman_;
};

}  // namespace ventris::distributed
