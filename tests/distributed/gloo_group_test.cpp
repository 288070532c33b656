#include "distributed/gloo_group.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>

#include "core/error.h"
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

/// Calls work(group) in one thread for each rank of a group that really goes by the network.
template <typename Work>
void with_group(int size, const Work& work) {
  const uint16_t port = free_port();
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank) {
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

#else

TEST(GlooGroup, IsRefusedWhereItWasNotBuilt) {
  Ranks ranks;
  ranks.size = 2;
  EXPECT_FAILS(join_processes(ranks), ConfigError, "built without distributed training; install libgloo-dev");
}

#endif

}  // namespace
}  // namespace ventris::distributed
