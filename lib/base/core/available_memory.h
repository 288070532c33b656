#pragma once
#include <cstdint>

namespace ventris::core {

/// Bytes that this machine can still give to programs without swapping, as Linux estimates them (MemAvailable in
/// /proc/meminfo); 0 = unknown. Limits of a container are not looked at.
int64_t available_memory();

}  // namespace ventris::core
