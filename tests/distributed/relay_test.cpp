#include "distributed/relay.h"

#include <gtest/gtest.h>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>

namespace ventris::distributed {
namespace {

/// A relay between two pairs of sockets; the tests have the outer ends.
class RelayTest : public testing::Test {
 protected:
  RelayTest() {
    for (int i = 0; i < 2; ++i) {
      int both[2];
      if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, both) != 0) std::abort();
      outer[i] = both[0];
      inner[i] = both[1];
    }
  }
  ~RelayTest() override {
    for (const int end : outer) {
      if (end >= 0) close(end);
    }
  }
  void say(int end, const std::string& text) const {
    EXPECT_EQ(send(outer[end], text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  }
  std::string heard(int end) const {
    std::string text(1 << 17, '\0');
    const ssize_t got = recv(outer[end], text.data(), text.size(), MSG_DONTWAIT);
    text.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return text;
  }
  void hang_up(int end) { close(std::exchange(outer[end], -1)); }

  int outer[2], inner[2];
};

TEST_F(RelayTest, EachGetsWhatTheOtherSends) {
  Relay relay(inner[0], inner[1], "");
  say(0, "ping");
  EXPECT_TRUE(relay.pass_on());
  EXPECT_EQ(heard(1), "ping");
  say(1, "pong");
  say(0, "again");
  EXPECT_TRUE(relay.pass_on());
  EXPECT_EQ(heard(0), "pong");
  EXPECT_EQ(heard(1), "again");
  EXPECT_EQ(relay.socket(1), inner[1]);
}

TEST_F(RelayTest, WhatTheFirstHadAlreadySentComesFirst) {
  Relay relay(inner[0], inner[1], "before ");
  EXPECT_EQ(relay.wanted(1), EPOLLIN | EPOLLOUT) << "it has something to write";
  say(0, "after");
  EXPECT_TRUE(relay.pass_on());
  EXPECT_EQ(heard(1), "before after");
  EXPECT_EQ(relay.wanted(1), uint32_t{EPOLLIN});
}

TEST_F(RelayTest, OnlyTheFirstSpeaks) {
  Relay relay(inner[0], inner[1], "before");
  say(1, "answer");
  relay.pass_on();
  EXPECT_FALSE(relay.spoke());
  say(0, "word");
  relay.pass_on();
  EXPECT_TRUE(relay.spoke());
}

TEST_F(RelayTest, WhatWasSentBeforeTheEndArrives) {
  Relay relay(inner[0], inner[1], "");
  say(0, "last words");
  hang_up(0);
  EXPECT_FALSE(relay.pass_on());
  EXPECT_EQ(heard(1), "last words");
  EXPECT_EQ(relay.wanted(1), 0U) << "nothing more is read once one has ended";
}

TEST_F(RelayTest, AReceiverThatIsGoneEndsIt) {
  Relay relay(inner[0], inner[1], "");
  hang_up(1);
  say(0, "word");
  EXPECT_FALSE(relay.pass_on());
}

TEST_F(RelayTest, AReceiverThatDoesNotReadHoldsTheSenderBackAndLosesNothing) {
  Relay relay(inner[0], inner[1], "");
  const std::string block(1 << 15, 'x');
  size_t sent = 0, got = 0;
  for (int quiet = 0; quiet < 2;) {
    const ssize_t now = send(outer[0], block.data(), block.size(), MSG_NOSIGNAL);
    sent += now > 0 ? static_cast<size_t>(now) : 0;
    quiet = now > 0 ? 0 : quiet + 1;
    ASSERT_TRUE(relay.pass_on());
  }
  EXPECT_EQ(relay.wanted(0) & EPOLLIN, 0U) << "more stays in the socket of the sender";
  EXPECT_NE(relay.wanted(1) & EPOLLOUT, 0U);
  for (std::string part = heard(1); !part.empty(); part = heard(1)) {
    got += part.size();
    ASSERT_TRUE(relay.pass_on());
  }
  EXPECT_EQ(got, sent);
  EXPECT_GT(sent, size_t{1} << 16);
}

}  // namespace
}  // namespace ventris::distributed
