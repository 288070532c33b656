#pragma once
#include <cstdint>
#include <string>

namespace ventris::distributed {

/// This process's rank among those that train one model together, as torchrun writes it into the environment.
struct Ranks {
  int rank = 0;         ///< RANK; rank 0 leads: it alone has the run folder
  int size = 1;         ///< WORLD_SIZE; 1 = alone
  int local_rank = 0;   ///< LOCAL_RANK: which GPU of its machine it takes when the device is "cuda"
  std::string host;     ///< MASTER_ADDR: where rank 0 is
  uint16_t port = 0;    ///< MASTER_PORT: where rank 0 listens until all have found each other
  bool launcher_listens = false;  ///< TORCHELASTIC_USE_AGENT_STORE: the launcher, not rank 0, listens there
  std::string attempt = "0";  ///< TORCHELASTIC_RESTART_COUNT: tells a restarted run's messages from the earlier one's
  std::string interface;  ///< GLOO_SOCKET_IFNAME: network interface; empty = the one that leads to MASTER_ADDR
  double join_seconds = 300;  ///< VENTRIS_JOIN_SECONDS: how long to wait until all are there
  double silence_seconds = 60;  ///< VENTRIS_SILENCE_SECONDS: without a sign of life for so long, a process is lost

  /// Throws ConfigError naming the variable that is missing or senseless.
  static Ranks from_environment();
};

}  // namespace ventris::distributed
