#include "distributed/ranks.h"

#include <charconv>
#include <cstdlib>
#include <optional>

#include "core/error.h"

namespace ventris::distributed {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// A whole number in [least, most]. If the variable is not set: `otherwise`, or an error if that is empty.
int64_t number(const char* name, int64_t least, int64_t most, std::optional<int64_t> otherwise) {
  const std::string text = variable(name);
  if (text.empty() && otherwise) return *otherwise;
  if (text.empty()) {
    fail<ConfigError>(name, ": is not set, but WORLD_SIZE is ", variable("WORLD_SIZE"),
                      "; start every process with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or unset WORLD_SIZE");
  }
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    fail<ConfigError>(name, ": expected a number from ", least, " to ", most, ", got '", text, "'");
  }
  return value;
}

}  // namespace

Ranks Ranks::from_environment() {
  constexpr int64_t kMostProcesses = 65536, kLongest = 1'000'000'000;
  Ranks ranks;
  ranks.size = static_cast<int>(number("WORLD_SIZE", 1, kMostProcesses, 1));
  if (ranks.size == 1) return ranks;
  ranks.rank = static_cast<int>(number("RANK", 0, ranks.size - 1, std::nullopt));
  ranks.local_rank = static_cast<int>(number("LOCAL_RANK", 0, kMostProcesses, 0));
  ranks.port = static_cast<uint16_t>(number("MASTER_PORT", 1, 65535, std::nullopt));
  ranks.host = variable("MASTER_ADDR");
  if (ranks.host.empty()) {
    fail<ConfigError>("MASTER_ADDR: is not set, but WORLD_SIZE is ", ranks.size,
                      "; give the address of rank 0's machine, the same to every process");
  }
  ranks.launcher_listens = variable("TORCHELASTIC_USE_AGENT_STORE") == "True";
  ranks.attempt = std::to_string(number("TORCHELASTIC_RESTART_COUNT", 0, kLongest, 0));
  ranks.interface = variable("GLOO_SOCKET_IFNAME");
  ranks.join_seconds = static_cast<double>(number("VENTRIS_JOIN_SECONDS", 1, kLongest, 300));
  ranks.silence_seconds = static_cast<double>(number("VENTRIS_SILENCE_SECONDS", 1, kLongest, 60));
  return ranks;
}

}  // namespace ventris::distributed
