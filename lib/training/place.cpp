#include "training/place.h"

#include <charconv>
#include <cstdlib>
#include <optional>

#include "core/error.h"

namespace ventris::training {
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

Place Place::from_environment() {
  constexpr int64_t kMostProcesses = 65536, kLongest = 1'000'000'000;
  Place place;
  place.size = static_cast<int>(number("WORLD_SIZE", 1, kMostProcesses, 1));
  if (place.size == 1) return place;
  place.rank = static_cast<int>(number("RANK", 0, place.size - 1, std::nullopt));
  place.local_rank = static_cast<int>(number("LOCAL_RANK", 0, kMostProcesses, 0));
  place.port = static_cast<uint16_t>(number("MASTER_PORT", 1, 65535, std::nullopt));
  place.host = variable("MASTER_ADDR");
  if (place.host.empty()) {
    fail<ConfigError>("MASTER_ADDR: is not set, but WORLD_SIZE is ", place.size,
                      "; give the address of rank 0's machine, the same to every process");
  }
  place.launcher_listens = variable("TORCHELASTIC_USE_AGENT_STORE") == "True";
  place.attempt = std::to_string(number("TORCHELASTIC_RESTART_COUNT", 0, kLongest, 0));
  place.interface = variable("GLOO_SOCKET_IFNAME");
  place.join_seconds = static_cast<double>(number("VENTRIS_JOIN_SECONDS", 1, kLongest, 300));
  place.silence_seconds = static_cast<double>(number("VENTRIS_SILENCE_SECONDS", 1, kLongest, 60));
  return place;
}

}  // namespace ventris::training
