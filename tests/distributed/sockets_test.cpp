#include "distributed/sockets.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/error.h"
#include "core/process.h"
#include "support/errors.h"

namespace ventris::distributed {
namespace {

/// Somebody who listens on this machine.
class Listener {
 public:
  Listener() : descriptor_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    bind(descriptor_, reinterpret_cast<sockaddr*>(&address), length);
    listen(descriptor_, 4);
    getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &length);
    port = ntohs(address.sin_port);
  }
  ~Listener() { close(descriptor_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  uint16_t port = 0;

 private:
  int descriptor_;
};

TEST(Network, ThisMachineIsReachedFromItself) {
  EXPECT_EQ(local_address_towards("127.0.0.1", 80), "127.0.0.1");
  EXPECT_FAILS(local_address_towards("nowhere.invalid", 80), ConfigError, "MASTER_ADDR: nowhere.invalid: ");
}

TEST(Network, WhoListensIsFoundAtOnce) {
  const Listener listener;
  const double before = core::seconds_now();
  EXPECT_EQ(wait_for_listener("127.0.0.1", listener.port, 100), "");
  EXPECT_LT(core::seconds_now() - before, 10);
}

TEST(Network, WaitingForNobodyEndsWithTheReason) {
  uint16_t port = 0;
  {
    const Listener listener;
    port = listener.port;
  }
  EXPECT_EQ(wait_for_listener("127.0.0.1", port, 0.3), "Connection refused");
  EXPECT_NE(wait_for_listener("nowhere.invalid", 80, 0.1), "");
}

}  // namespace
}  // namespace ventris::distributed
