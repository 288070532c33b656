#pragma once
#include <cstdint>
#include <string>

namespace ventris::distributed {

/// The address of this machine, in digits, on the network by which it reaches `host`. Throws ConfigError if the name is
/// unknown or no network leads there.
std::string local_address_towards(const std::string& host, uint16_t port);

/// Waits until somebody listens there, at most for so long. Returns why it was in vain, or an empty text. Throws
/// Interrupted when a stop signal arrives (core/process.h).
std::string wait_for_listener(const std::string& host, uint16_t port, double seconds);

}  // namespace ventris::distributed
