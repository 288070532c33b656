#pragma once
#include <cstddef>
#include <functional>

namespace ventris::core {

/// Calls work(index, worker) for every index < `count` on `threads` threads, but at least one and at most as many as
/// can be started (worker < threads). A free thread takes the next index. Returns when all calls have finished, and
/// rethrows the first exception.
void parallel_for(size_t count, int threads, const std::function<void(size_t index, int worker)>& work);

}  // namespace ventris::core
