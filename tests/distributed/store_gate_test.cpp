#include "distributed/store_gate.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/process.h"
#include "support/errors.h"

namespace ventris::distributed {
namespace {

const std::string kHello("\0\xce\xf7\x85\x3c\x0dnonc", 10);  // as a client of c10d begins

class Connection {
 public:
  explicit Connection(uint16_t port, const std::string& bytes = "") : descriptor_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    say(bytes);
  }
  explicit Connection(int accepted) : descriptor_(accepted) {}
  ~Connection() { close(descriptor_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void say(const std::string& bytes) const {
    for (size_t at = 0; at < bytes.size();) {
      const ssize_t sent = send(descriptor_, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
      ASSERT_GT(sent, 0);
      at += static_cast<size_t>(sent);
    }
  }
  /// So many bytes; fewer at the end of the connection, or after `seconds`.
  std::string hear(size_t count, double seconds = 10) const {
    std::string heard(count, ' ');
    size_t at = 0;
    for (const double until = core::seconds_now() + seconds; at < count && core::seconds_now() < until;) {
      pollfd event{descriptor_, POLLIN, 0};
      if (poll(&event, 1, 100) <= 0) continue;
      const ssize_t got = recv(descriptor_, heard.data() + at, count - at, 0);
      if (got <= 0) break;
      at += static_cast<size_t>(got);
    }
    return heard.substr(0, at);
  }
  bool ends(double seconds = 10) const {
    pollfd event{descriptor_, POLLIN, 0};
    char byte = 0;
    return poll(&event, 1, static_cast<int>(1000 * seconds)) == 1 && recv(descriptor_, &byte, 1, MSG_PEEK) <= 0;
  }

 private:
  int descriptor_;
};

class StoreGateTest : public testing::Test {
 protected:
  void SetUp() override { gate.open(); }
  void TearDown() override { close(gate.store_socket()); }

  static uint16_t free_port() {
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    socklen_t length = sizeof address;
    bind(descriptor, reinterpret_cast<sockaddr*>(&address), length);
    getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
    close(descriptor);
    return ntohs(address.sin_port);
  }
  /// The next connection that reaches the store; -1 after `seconds`.
  int accepted(double seconds = 10) const {
    pollfd event{gate.store_socket(), POLLIN, 0};
    return poll(&event, 1, static_cast<int>(1000 * seconds)) == 1 ? accept(gate.store_socket(), nullptr, nullptr) : -1;
  }

  uint16_t port = free_port();
  StoreGate gate{port};
};

TEST_F(StoreGateTest, WhatTwoThatAreConnectedSayArrives) {
  const Connection client(port, kHello.substr(0, 3));
  EXPECT_EQ(accepted(0.2), -1);
  client.say(kHello.substr(3) + "more");
  const Connection store(accepted());
  EXPECT_EQ(store.hear(14), kHello + "more");
  std::string much;
  for (int i = 0; i < 300'000; ++i) much += std::to_string(i);
  store.say("answer");
  EXPECT_EQ(client.hear(6), "answer");
  std::thread answering([&] { store.say(much); });
  EXPECT_TRUE(client.hear(much.size()) == much);
  answering.join();
}

TEST_F(StoreGateTest, ThoseWhoEndAreEndedOnTheOtherSide) {
  auto client = std::make_unique<Connection>(port, kHello + "last");
  const Connection store(accepted());
  client.reset();
  EXPECT_EQ(store.hear(14), kHello + "last");
  EXPECT_TRUE(store.ends());
  const Connection other(port, kHello + "x");
  {
    const Connection ending(accepted());
  }
  EXPECT_TRUE(other.ends());
}

TEST_F(StoreGateTest, SomethingElseIsEndedAtOnce) {
  for (const std::string& bytes : {std::string("GET / HTTP/1.1\r\n\r\n"), std::string(1, '\xff'), std::string(64, '\0'),
                                   kHello.substr(0, 5) + "\x01", std::string("\0\xce\xf7\x85\x3d", 5)}) {
    EXPECT_TRUE(Connection(port, bytes).ends());
  }
  EXPECT_EQ(accepted(0.2), -1);
}

TEST_F(StoreGateTest, WhoStaysSilentIsEndedAfterSomeSeconds) {
  const Connection silent(port), begun(port, kHello.substr(0, 4)), greeted(port, kHello);
  const Connection store(accepted());
  const Connection used(port, kHello + "more"), store_of_used(accepted());
  EXPECT_FALSE(silent.ends(5));
  for (const Connection* stranger : {&silent, &begun, &greeted}) EXPECT_TRUE(stranger->ends(10));
  EXPECT_TRUE(store.hear(11).size() == kHello.size());
  EXPECT_FALSE(used.ends(0.5));
}

TEST_F(StoreGateTest, TheOldestOfManyStrangersAreEnded) {
  const Connection used(port, kHello + "more"), store_of_used(accepted());
  std::vector<std::unique_ptr<Connection>> strangers;
  for (int i = 0; i < 2000; ++i) strangers.push_back(std::make_unique<Connection>(port, kHello.substr(0, i % 6)));
  const double started = core::seconds_now();
  const Connection client(port, kHello + "more"), store(accepted());
  EXPECT_EQ(store.hear(14), kHello + "more");
  EXPECT_LT(core::seconds_now() - started, 5);
  EXPECT_TRUE(strangers.front()->ends());
  EXPECT_FALSE(used.ends(0.5));
}

TEST_F(StoreGateTest, APortThatIsTakenIsSaid) {
  EXPECT_FAILS(StoreGate second(port), PortError, "Address already in use");
}

}  // namespace
}  // namespace ventris::distributed
