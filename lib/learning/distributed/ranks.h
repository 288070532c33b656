#pragma once
#include <cstdint>
#include <string>

namespace ventris::distributed {

/// The rank of this process among those that train one model, from the environment variables of torchrun.
struct Ranks {
  int rank = 0;         ///< RANK; rank 0 leads and owns the run folder
  int size = 1;         ///< WORLD_SIZE; 1 = alone
  int local_rank = 0;   ///< LOCAL_RANK: number of its GPU if the device is "cuda"
  std::string host;     ///< MASTER_ADDR: the machine of rank 0
  uint16_t port = 0;    ///< MASTER_PORT: where rank 0 listens until all processes have connected
  bool launcher_listens = false;  ///< TORCHELASTIC_USE_AGENT_STORE: the launcher, not rank 0, listens there
  std::string attempt = "0";  ///< TORCHELASTIC_RESTART_COUNT: distinguishes messages of restarts
  std::string interface;  ///< GLOO_SOCKET_IFNAME: network interface; empty = the one on the route to MASTER_ADDR
  double join_seconds = 300;  ///< VENTRIS_JOIN_SECONDS: how long to wait for all processes
  double silence_seconds = 60;  ///< VENTRIS_SILENCE_SECONDS: after this time without a sign of life, a process is lost

  /// Throws ConfigError with the name of a variable that is missing or invalid.
  static Ranks from_environment();
};

}  // namespace ventris::distributed
