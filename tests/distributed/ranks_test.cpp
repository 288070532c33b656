#include "distributed/ranks.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::distributed {
namespace {

const std::map<std::string, std::string> kWhole{
    {"RANK", "1"}, {"WORLD_SIZE", "3"}, {"MASTER_ADDR", "head"}, {"MASTER_PORT", "29500"}};

/// Variables of the environment that go away again.
class Variables {
 public:
  explicit Variables(const std::map<std::string, std::string>& values) : values_(values) {
    for (const auto& [name, value] : values_) setenv(name.c_str(), value.c_str(), 1);
  }
  ~Variables() {
    for (const auto& [name, value] : values_) unsetenv(name.c_str());
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  std::map<std::string, std::string> values_;
};

Ranks read(const std::map<std::string, std::string>& values) {
  const Variables variables(values);
  return Ranks::from_environment();
}

Ranks changed(const std::string& name, const std::string& value) {
  auto variables = kWhole;
  variables[name] = value;
  return read(variables);
}

TEST(Ranks, WithoutAWorldSizeOrWithOneItIsAlone) {
  EXPECT_EQ(read({}).size, 1);
  const Ranks ranks = read({{"WORLD_SIZE", "1"}, {"RANK", "0"}, {"MASTER_PORT", "nonsense"}});
  EXPECT_EQ(ranks.size, 1);
  EXPECT_EQ(ranks.rank, 0);
}

TEST(Ranks, TakesWhatTorchrunSays) {
  const Ranks ranks = read(kWhole);
  EXPECT_EQ(ranks.rank, 1);
  EXPECT_EQ(ranks.size, 3);
  EXPECT_EQ(ranks.host, "head");
  EXPECT_EQ(ranks.port, 29500);
  EXPECT_EQ(ranks.local_rank, 0);
  EXPECT_FALSE(ranks.launcher_listens);
  EXPECT_EQ(ranks.join_seconds, 300);
  EXPECT_EQ(ranks.silence_seconds, 60);
  EXPECT_EQ(changed("LOCAL_RANK", "5").local_rank, 5);
  EXPECT_TRUE(changed("TORCHELASTIC_USE_AGENT_STORE", "True").launcher_listens);
  EXPECT_EQ(changed("TORCHELASTIC_RESTART_COUNT", "2").attempt, "2");
  EXPECT_EQ(changed("GLOO_SOCKET_IFNAME", "eth1").interface, "eth1");
  EXPECT_EQ(changed("VENTRIS_JOIN_SECONDS", "7").join_seconds, 7);
  EXPECT_EQ(changed("VENTRIS_SILENCE_SECONDS", "8").silence_seconds, 8);
}

TEST(Ranks, MissingAndSenselessVariablesAreNamed) {
  for (const char* name : {"RANK", "MASTER_ADDR", "MASTER_PORT"})
    EXPECT_FAILS(changed(name, ""), ConfigError, std::string(name) + ": is not set, but WORLD_SIZE is 3");
  for (const char* name : {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_PORT", "VENTRIS_JOIN_SECONDS"}) {
    for (const char* value : {"-1", "x", "2x", "1e3", "99999999999999999999"})
      EXPECT_FAILS(changed(name, value), ConfigError, std::string(name) + ": expected a number from ");
  }
  EXPECT_FAILS(changed("RANK", "3"), ConfigError, "RANK: expected a number from 0 to 2, got '3'");
  EXPECT_FAILS(changed("MASTER_PORT", "0"), ConfigError, "MASTER_PORT: expected a number from 1 to 65535");
}

}  // namespace
}  // namespace ventris::distributed
