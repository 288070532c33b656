#pragma once
#include <cstdint>

/// This test program counts what operator new gives.
namespace ventris::test {

/// Whether memory is counted; not under a sanitizer, which has operators of its own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kCountsMemory = false;
#else
inline constexpr bool kCountsMemory = true;
#endif

int64_t allocations();     ///< calls of operator new so far, of all threads
int64_t bytes_in_use();    ///< not freed yet
int64_t peak_bytes();      ///< the maximum of bytes_in_use() since reset_peak()
void reset_peak();

/// How much more memory was in use at the same time while work() ran; 0 if memory is not counted.
template <typename Work>
int64_t peak_during(const Work& work) {
  reset_peak();
  const int64_t before = bytes_in_use();
  work();
  return kCountsMemory ? peak_bytes() - before : 0;
}

}  // namespace ventris::test
