#include "interruptible.h"

#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace ventris::python {
namespace nb = nanobind;
namespace {

/// The calls of this process that do not have the lock.
struct Calls {
  std::mutex mutex;
  std::condition_variable changed;
  int count = 0;
  bool ending = false;
  pid_t process = getpid();  // a child of fork() has no calls of its parent
};

Calls& calls() {
  static auto* const all = new Calls;  // never destroyed: threads that wait for the end use it
  return *all;
}

bool on_main_thread() {
  const nb::module_ threading = nb::module_::import_("threading");
  const nb::object current = threading.attr("current_thread")();
  return current.is(threading.attr("main_thread")());
}

void count_call(int difference) {
  {
    const std::lock_guard guard(calls().mutex);
    if (calls().process != getpid()) {
      calls().process = getpid();
      calls().count = 0;
    }
    calls().count += difference;
  }
  calls().changed.notify_all();
}

[[noreturn]] void wait_for_the_end() {
  for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
}

}  // namespace

FreeCall::FreeCall() : main_(on_main_thread()) {
  if (ending() && !main_) {
    PyEval_SaveThread();
    wait_for_the_end();
  }
  if (ending()) throw std::runtime_error("Python is about to end");
  count_call(1);
}

FreeCall::~FreeCall() { count_call(-1); }

void FreeCall::release() { state_ = PyEval_SaveThread(); }

void FreeCall::take_back() {
  if (ending() && !main_) {
    count_call(-1);
    wait_for_the_end();
  }
  PyEval_RestoreThread(state_);  // end_calls() waits for those that are between these two lines
}

bool FreeCall::ending() const {
  const std::lock_guard guard(calls().mutex);
  return calls().ending;
}

void end_calls() {
  constexpr auto kLongest = std::chrono::seconds(10);
  const nb::gil_scoped_release release;
  std::unique_lock guard(calls().mutex);
  calls().ending = true;
  if (calls().process != getpid()) return;
  calls().changed.wait_for(guard, kLongest, [] { return calls().count <= 0; });
}

}  // namespace ventris::python
