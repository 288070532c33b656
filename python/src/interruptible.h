#pragma once
#include <nanobind/nanobind.h>

#include <chrono>
#include <csignal>
#include <future>
#include <optional>
#include <system_error>
#include <utility>

#include "core/process.h"
#include "core/resources.h"

namespace ventris::python {

/// Starts work() on another thread. Throws ResourceError if the system refuses that.
template <typename Work>
auto started(Work work) -> std::future<decltype(work())> {
  try {
    return std::async(std::launch::async, std::move(work));
  } catch (const std::system_error& error) {
    fail<ResourceError>(core::no_more_threads(error.code().message()));
  }
}

/// Returns work(), which runs on another thread and without the interpreter's lock. Meanwhile, the calling thread looks
/// for Python's signals: if a handler raises an exception (KeyboardInterrupt after Ctrl-C), the work is asked to stop
/// (core::StopScope), and the exception is thrown when it has stopped. No signal handler is installed. Only Python's
/// main thread gets signals, so calls of other threads go on. To be called with the lock.
template <typename Work>
auto interruptible(const Work& work) {
  namespace nb = nanobind;
  constexpr auto kBetweenChecks = std::chrono::milliseconds(50);
  core::StopFlag stop = 0;
  std::optional<nb::python_error> raised;
  std::future<decltype(work())> result;
  {
    const nb::gil_scoped_release release;
    result = started([&] {
      const core::StopScope scope(&stop);
      return work();
    });
    while (result.wait_for(kBetweenChecks) != std::future_status::ready) {
      if (stop != 0) continue;
      const nb::gil_scoped_acquire acquire;
      if (PyErr_CheckSignals() == 0) continue;
      raised.emplace();
      stop = SIGINT;
    }
  }
  if (raised) throw nb::python_error(*raised);
  return result.get();
}

}  // namespace ventris::python
