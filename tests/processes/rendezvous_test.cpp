#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "processes/toy_ranks.h"

/// What keeps processes from finding each other is said in a sentence, and is exit 2.
namespace ventris::test {
namespace {

using testing::HasSubstr;

class Rendezvous : public testing::Test {
 protected:
  ToyRanks ranks;

  void expect_refusal(RunningTrainer& process, const std::string& run, int rank, const std::string& sentence) const {
    const Ending ending = process.wait();
    EXPECT_TRUE(ending.exited);
    EXPECT_EQ(ending.code, 2);
    EXPECT_THAT(ranks.words(run, rank), HasSubstr("ventris-train: " + sentence));
  }
  void expect_refusal(RunningTrainer& process, int rank, const std::string& sentence) const {
    expect_refusal(process, "run", rank, sentence);
  }
};

TEST_F(Rendezvous, VariablesThatAreMissingOrSenselessAreNamed) {
  auto missing = ranks.start("run", 0, {{"MASTER_PORT", "29500"}, {"MASTER_ADDR", ""}});
  expect_refusal(missing, 0, "MASTER_ADDR: is not set, but WORLD_SIZE is 2");
  auto beyond = ranks.start("run", 1, {{"MASTER_PORT", "29500"}, {"RANK", "2"}});
  expect_refusal(beyond, 1, "RANK: expected a number from 0 to 1, got '2'");
}

TEST_F(Rendezvous, ARankThatDoesNotArriveIsNamed) {
  auto first = ranks.start("run", 0, {{"MASTER_PORT", free_port()}, {"VENTRIS_JOIN_SECONDS", "1"}});
  auto second = ranks.start("run", 1, {{"MASTER_PORT", free_port()}, {"VENTRIS_JOIN_SECONDS", "1"}});
  expect_refusal(first, 0, "RANK: no process arrived as rank 1 (of WORLD_SIZE 2) within 1 seconds");
  expect_refusal(second, 1, "MASTER_ADDR, MASTER_PORT: rank 1 could not reach rank 0 at 127.0.0.1:");
}

TEST_F(Rendezvous, APortThatIsTakenAndANameThatNobodyHasAreSaid) {
  const int descriptor = socket(AF_INET6, SOCK_STREAM, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  socklen_t length = sizeof address;
  ASSERT_EQ(bind(descriptor, reinterpret_cast<sockaddr*>(&address), length), 0);
  ASSERT_EQ(listen(descriptor, 1), 0);
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  const std::string port = std::to_string(ntohs(address.sin6_port));
  auto first = ranks.start("run", 0, {{"MASTER_PORT", port}});
  expect_refusal(first, 0,
                 "MASTER_ADDR, MASTER_PORT: rank 0 cannot listen at 127.0.0.1:" + port + ": the port is in use");
  close(descriptor);
  auto second =
      ranks.start("run", 1, {{"MASTER_PORT", port}, {"MASTER_ADDR", "nowhere.invalid"}, {"VENTRIS_JOIN_SECONDS", "1"}});
  expect_refusal(second, 1, "MASTER_ADDR, MASTER_PORT: rank 1 could not reach rank 0 at nowhere.invalid:");
}

TEST_F(Rendezvous, AStopWhileWaitingIsAStop) {
  auto second = ranks.start("run", 1, {{"MASTER_PORT", free_port()}});
  ASSERT_TRUE(wait_until([&] { return catches(second.pid(), SIGTERM); }));
  second.send(SIGTERM);
  EXPECT_EQ(second.wait().code, 128 + SIGTERM);
  EXPECT_THAT(ranks.words("run", 1), HasSubstr("stopped while waiting for rank 0"));
}

TEST_F(Rendezvous, ContradictionsBetweenProcessesAreSaidByAll) {
  const std::string port = free_port();
  auto first = ranks.start("run", 0, {{"MASTER_PORT", port}, {"WORLD_SIZE", "3"}});
  auto second = ranks.start("run", 1, {{"MASTER_PORT", port}});
  // Each process says what it found, or passes on what the other one found before.
  const std::string own = "WORLD_SIZE: is 3 for rank 0, but 2 for rank 1",
                    others = "WORLD_SIZE: is 2 for rank 1, but 3 for rank 0";
  for (RunningTrainer* process : {&first, &second}) {
    const Ending ending = process->wait();
    EXPECT_TRUE(ending.exited);
    EXPECT_EQ(ending.code, 2);
  }
  for (const int rank : {0, 1}) {
    EXPECT_THAT(ranks.words("run", rank),
                testing::AnyOf(HasSubstr("ventris-train: " + own), HasSubstr("ventris-train: " + others)));
  }
}

TEST_F(Rendezvous, TwoProcessesOfOneRankAreRefused) {
  const std::string port = free_port();
  auto first = ranks.start("run", 1, {{"MASTER_PORT", port}, {"WORLD_SIZE", "3"}});
  auto second = ranks.start("run", 2, {{"MASTER_PORT", port}, {"WORLD_SIZE", "3"}, {"RANK", "1"}});
  auto zero = ranks.start("run", 0, {{"MASTER_PORT", port}, {"WORLD_SIZE", "3"}});
  expect_refusal(zero, 0, "RANK: two processes were started as rank 1");
  expect_refusal(first, 1, "RANK: two processes were started as rank 1");
  expect_refusal(second, 2, "RANK: two processes were started as rank 1");
}

TEST_F(Rendezvous, ANetworkInterfaceThatIsNotThereIsNamed) {
  const std::string port = free_port();
  auto first = ranks.start("run", 0, {{"MASTER_PORT", port}, {"GLOO_SOCKET_IFNAME", "nowhere0"}});
  auto second = ranks.start("run", 1, {{"MASTER_PORT", port}, {"GLOO_SOCKET_IFNAME", "nowhere0"}});
  const std::string sentence =
      "GLOO_SOCKET_IFNAME: expected a network interface of this machine that has an address, got 'nowhere0'";
  expect_refusal(first, 0, sentence);
  expect_refusal(second, 1, sentence);
}

TEST_F(Rendezvous, AProcessThatCannotBeConnectedToIsSaid) {
  const std::string port = free_port();
  auto second = ranks.start("run", 1, {{"MASTER_PORT", port}, {"GLOO_SOCKET_IFNAME", "nowhere0"}});
  auto first = ranks.start("run", 0, {{"MASTER_PORT", port}, {"VENTRIS_JOIN_SECONDS", "8"}});
  expect_refusal(second, 1, "GLOO_SOCKET_IFNAME: ");
  expect_refusal(first, 0, "rank 0 cannot connect to the other processes: ");
}

TEST_F(Rendezvous, WhatOneProcessAloneCanDoIsRefused) {
  const std::string port = free_port();
  auto doctor = ranks.start("doctor", 0, {{"MASTER_PORT", port}}, {"--doctor"});
  expect_refusal(doctor, "doctor", 0, "--doctor: supports only one process; call it without torchrun's variables");
  std::vector<RunningTrainer> piped;
  for (const int rank : {0, 1}) piped.push_back(ranks.start_piped("piped", rank, {{"MASTER_PORT", port}}));
  for (const int rank : {0, 1}) {
    expect_refusal(piped[static_cast<size_t>(rank)], "piped", rank,
                   "data.train: several processes cannot share one standard input");
  }
}

TEST_F(Rendezvous, DifferentSettingsAndCorporaAreRefusedByAll) {
  std::string port = free_port();
  auto first = ranks.start("run", 0, {{"MASTER_PORT", port}}, {"--seed", "3"});
  auto second = ranks.start("run", 1, {{"MASTER_PORT", port}}, {"--seed", "4"});
  expect_refusal(first, 0, "training.seed: is 3 for rank 0, but 4 for rank 1;");
  expect_refusal(second, 1, "training.seed: is 3 for rank 0, but 4 for rank 1;");
}

}  // namespace
}  // namespace ventris::test
