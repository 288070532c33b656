#pragma once
#include <cstddef>
#include <functional>

namespace ventris::core {

/// Calls work(index, worker) for every index under `count`, on `threads` threads (at least one; worker < threads) or as
/// many of them as can be started. Indices are taken in order as threads get free; the call returns when all are done
/// and rethrows the first exception.
void parallel_for(size_t count, int threads, const std::function<void(size_t index, int worker)>& work);

}  // namespace ventris::core
