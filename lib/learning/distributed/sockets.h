#pragma once
#include <cstdint>
#include <string>

namespace ventris::distributed {

/// The numeric address of this machine on the network by which it reaches `host`. Throws ConfigError if the name is
/// unknown or there is no route.
std::string local_address_towards(const std::string& host, uint16_t port);

/// Waits until a process listens there, up to the given time. Returns an empty text, or why the wait failed. Throws
/// Interrupted when a stop signal arrives (core/process.h).
std::string wait_for_listener(const std::string& host, uint16_t port, double seconds);

}  // namespace ventris::distributed
