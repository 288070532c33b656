#pragma once
#include <nanobind/nanobind.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <future>
#include <optional>
#include <system_error>
#include <utility>

#include "core/process.h"
#include "core/resources.h"

namespace ventris::python {

/// A call that works without the interpreter's lock. All functions are to be called with the lock, unless they say so.
///
/// When Python ends, it ends each other thread that then asks for the lock, by unwinding its stack, which C++ does not
/// survive. Therefore all calls are stopped before (end_calls()), and a thread that is not the main one does not come
/// back: it waits until the process is gone.
class FreeCall {
 public:
  FreeCall();  ///< throws std::runtime_error if Python is about to end; on another thread than the main one, waits
  ~FreeCall();  ///< with the lock
  FreeCall(const FreeCall&) = delete;
  FreeCall& operator=(const FreeCall&) = delete;

  void release();        ///< the lock
  void take_back();      ///< gets the lock again. Without the lock. May not return (see above)
  bool ending() const;   ///< whether Python is about to end. With or without the lock
  bool is_main() const { return main_; }  ///< whether this is Python's main thread, the only one that gets signals

 private:
  PyThreadState* state_ = nullptr;
  bool main_;
};

/// Stops all calls, and waits a short time until they have stopped. Called once, when Python is about to end.
void end_calls();

/// Starts work() on another thread. Throws ResourceError if the system refuses that.
template <typename Work>
auto started(Work work) -> std::future<decltype(work())> {
  try {
    return std::async(std::launch::async, std::move(work));
  } catch (const std::system_error& error) {
    fail<ResourceError>(core::no_more_threads(error.code().message()));
  }
}

/// Returns work(), which runs on another thread and without the interpreter's lock. Meanwhile, if the calling thread is
/// the main one, it looks for Python's signals: if a handler raises an exception (KeyboardInterrupt after Ctrl-C), the
/// work is asked to stop (core::StopScope), and the exception is thrown when it has stopped. No signal handler is
/// installed. To be called with the lock.
template <typename Work>
auto interruptible(const Work& work) {
  namespace nb = nanobind;
  constexpr auto kBetweenChecks = std::chrono::milliseconds(50);
  core::StopFlag stop = 0;
  std::optional<nb::python_error> raised;
  std::future<decltype(work())> result;
  std::exception_ptr problem;
  FreeCall call;
  call.release();
  try {
    result = started([&] {
      const core::StopScope scope(&stop);
      return work();
    });
    while (result.wait_for(kBetweenChecks) != std::future_status::ready) {
      if (stop != 0) continue;
      if (call.ending()) stop = SIGTERM;
      if (!call.is_main()) continue;
      call.take_back();
      if (PyErr_CheckSignals() != 0) {
        raised.emplace();
        stop = SIGINT;
      }
      call.release();
    }
  } catch (...) {
    problem = std::current_exception();
  }
  call.take_back();
  if (problem) std::rethrow_exception(problem);
  if (raised) throw nb::python_error(*raised);
  return result.get();
}

}  // namespace ventris::python
