#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace ventris::core {

void parallel_for(size_t count, int threads, const std::function<void(size_t index, int worker)>& work) {
  std::atomic<size_t> next = 0;
  std::exception_ptr error;
  std::mutex mutex;
  const auto loop = [&](int worker) {
    try {
      for (size_t index = next++; index < count; index = next++) work(index, worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      next = count;
    }
  };
  std::vector<std::thread> others;
  const int wanted = static_cast<int>(std::min<size_t>(static_cast<size_t>(std::max(threads, 1)), std::max<size_t>(count, 1)));
  for (int worker = 1; worker < wanted; ++worker) others.emplace_back(loop, worker);
  loop(0);
  for (std::thread& other : others) other.join();
  if (error) std::rethrow_exception(error);
}

}  // namespace ventris::core
