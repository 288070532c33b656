#include "serving/listening_socket.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

TEST(ListeningSocket, TakesAFreePortAndTellsIt) {
  ListeningSocket socket("127.0.0.1", 0);
  EXPECT_GT(socket.port(), 0);
  EXPECT_EQ(socket.url(), "http://127.0.0.1:" + std::to_string(socket.port()));
  EXPECT_TRUE(socket.is_loopback());
  EXPECT_FALSE(ListeningSocket("0.0.0.0", 0).is_loopback());
}

TEST(ListeningSocket, APortInUseIsRefused) {
  ListeningSocket first("127.0.0.1", 0);
  first.listen();
  EXPECT_FAILS(ListeningSocket("127.0.0.1", first.port()), ConfigError, "another program has it, so give another");
}

TEST(ListeningSocket, OnlyAddressesAreAccepted) {
  EXPECT_FAILS(ListeningSocket("localhost", 0), ConfigError, "address: expected an IPv4 or IPv6 address");
  EXPECT_FAILS(ListeningSocket("192.0.2.1", 0), ConfigError, "cannot listen on 192.0.2.1 port 0");  // not ours
}

}  // namespace
}  // namespace ventris::serving
