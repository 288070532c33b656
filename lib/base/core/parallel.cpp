#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "core/process.h"

namespace ventris::core {

void parallel_for(size_t count, int threads, const std::function<void(size_t index, int worker)>& work) {
  std::atomic<size_t> next = 0;
  std::exception_ptr error;
  std::mutex mutex;
  const StopFlag* flag = stop_flag_of_thread();
  const auto loop = [&](int worker) {
    const StopScope scope(flag);
    try {
      for (size_t index = next++; index < count; index = next++) work(index, worker);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      next = count;
    }
  };
  const int wanted = static_cast<int>(std::min(static_cast<size_t>(std::max(threads, 1)), std::max<size_t>(count, 1)));
  {
    std::vector<std::jthread> others;  // waited for at the end of this block, whatever happens
    try {
      for (int worker = 1; worker < wanted; ++worker) others.emplace_back(loop, worker);
    } catch (const std::system_error&) {  // the system cannot start more threads: those that run share the work
    }
    loop(0);
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace ventris::core
