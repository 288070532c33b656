#include "distributed/gloo_group.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "core/error.h"
#include "core/process.h"
#include "distributed/sockets.h"
#include "support/errors.h"

namespace ventris::distributed {
namespace {

#ifdef VENTRIS_GLOO

uint16_t free_port() {
  const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t length = sizeof address;
  bind(descriptor, reinterpret_cast<sockaddr*>(&address), length);
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  close(descriptor);
  return ntohs(address.sin_port);
}

/// Calls work(group) in one thread for each rank of a group that really goes by the network. After rank 0 has begun to
/// listen, before_others(port) is called.
template <typename Work>
void with_group(int size, const Work& work, const std::function<void(uint16_t port)>& before_others = {}) {
  const uint16_t port = free_port();
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
    if (rank == 1 && before_others) before_others(port);
    threads.emplace_back([=] {
      Ranks ranks;
      ranks.rank = rank;
      ranks.size = size;
      ranks.host = "127.0.0.1";
      ranks.port = port;
      ranks.join_seconds = 60;
      const auto group = join_processes(ranks);
      work(*group);
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(GlooGroup, SumsAreTheSameBitsForAll) {
  with_group(3, [](ProcessGroup& group) {
    EXPECT_EQ(group.size(), 3);
    std::vector<std::unique_ptr<ProcessGroup::Sum>> sums;
    std::vector<torch::Tensor> tensors;
    for (int i = 0; i < 5; ++i) {
      tensors.push_back(torch::full({1000 + i}, 0.1F * static_cast<float>(group.rank() + i)));
      sums.push_back(group.start_sum(tensors.back()));
    }
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i]->wait();
      EXPECT_TRUE(torch::allclose(tensors[i], torch::full_like(tensors[i], 0.3 + 0.3 * static_cast<double>(i))));
      const std::string own(static_cast<const char*>(tensors[i].data_ptr()), tensors[i].nbytes());
      EXPECT_TRUE(group.broadcast(own) == own);
    }
    group.leave();
  });
}

TEST(GlooGroup, BytesOfRank0AndOfAllArrive) {
  with_group(2, [](ProcessGroup& group) {
    EXPECT_EQ(group.broadcast(group.leads() ? "from rank 0" : ""), "from rank 0");
    EXPECT_EQ(group.broadcast(""), "");
    EXPECT_EQ(group.gather(std::string("rank ") + std::to_string(group.rank())),
              (std::vector<std::string>{"rank 0", "rank 1"}));
    group.leave();
  });
}

TEST(GlooGroup, WhoWaitsForOneThatFailedHearsWhy) {
  with_group(2, [](ProcessGroup& group) {
    if (group.leads()) {
      EXPECT_FAILS(group.gather("x"), PeerError, "ended: its disk is full");
      group.fail("what follows from it");
    } else {
      group.fail("its disk is full");
    }
  });
}

TEST(GlooGroup, StrangersKeepNobodyOut) {
  std::vector<int> strangers;
  const auto flood = [&](uint16_t port) {
    ASSERT_EQ(wait_for_listener("127.0.0.1", port, 30), "");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const std::vector<std::string> words{"", "GET / HTTP/1.1\r\n\r\n", std::string("\0\xce\xf7", 3),
                                         std::string("\0\xce\xf7\x85\x3c\x0dnonc", 10)};
    for (size_t i = 0; i < 2000; ++i) {
      strangers.push_back(socket(AF_INET, SOCK_STREAM, 0));
      ASSERT_EQ(connect(strangers.back(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
      send(strangers.back(), words[i % words.size()].data(), words[i % words.size()].size(), MSG_NOSIGNAL);
    }
  };
  const double started = core::seconds_now();
  with_group(
      3,
      [](ProcessGroup& group) {
        EXPECT_EQ(group.broadcast(group.leads() ? "from rank 0" : ""), "from rank 0");
        group.leave();
      },
      flood);
  EXPECT_LT(core::seconds_now() - started, 45);
  for (const int stranger : strangers) close(stranger);
}

#else

TEST(GlooGroup, IsRefusedWhereItWasNotBuilt) {
  Ranks ranks;
  ranks.size = 2;
  EXPECT_FAILS(join_processes(ranks), ConfigError, "built without distributed training; install libgloo-dev");
}

#endif

}  // namespace
}  // namespace ventris::distributed
