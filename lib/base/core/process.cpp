#include "core/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "core/error.h"

namespace ventris::core {
namespace {

std::atomic<int> requested = 0;
std::atomic<int> scopes_that_stop_at_once = 0;
std::atomic<int (*)()> stop_signal_of_program = nullptr;
static_assert(std::atomic<int>::is_always_lock_free);  // a handler writes it
thread_local const StopFlag* flag_of_thread = nullptr;

void on_stop(int signal) {
  if (scopes_that_stop_at_once > 0 || (requested != 0 && signal == SIGINT)) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  requested = signal;
}

void stop_at(int signal) {
  struct sigaction action{};
  action.sa_handler = on_stop;
  sigaction(signal, &action, nullptr);
}

}  // namespace

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool stdout_has_no_reader() {
  pollfd place{STDOUT_FILENO, POLLOUT, 0};
  return poll(&place, 1, 0) > 0 && (place.revents & POLLERR) != 0;
}

void fill_standard_streams() {
  // Opened in the wrong direction, so that reading and writing still fail; messages on stderr are lost.
  for (const auto& [descriptor, way] : {std::pair{0, O_WRONLY}, std::pair{1, O_RDONLY}, std::pair{2, O_RDWR}}) {
    if (fcntl(descriptor, F_GETFD) != -1) continue;
    const int opened = open("/dev/null", way);  // the lowest free number
    if (opened >= 0 && opened != descriptor) close(opened);
  }
}

bool is_ignored(int signal) {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

void install_stop_handlers() {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) {
    if (!is_ignored(signal)) stop_at(signal);
  }
}

StopsAtOnce::StopsAtOnce() { ++scopes_that_stop_at_once; }

StopsAtOnce::~StopsAtOnce() { --scopes_that_stop_at_once; }

StopScope::StopScope(const StopFlag* flag) : before_(std::exchange(flag_of_thread, flag)) {}

StopScope::~StopScope() { flag_of_thread = before_; }

const StopFlag* stop_flag_of_thread() { return flag_of_thread; }

int stop_signal() {
  if (flag_of_thread != nullptr && *flag_of_thread != 0) return *flag_of_thread;
  const auto other = stop_signal_of_program.load();
  return other != nullptr ? other() : requested.load();
}

void use_stop_signal_of(int (*other)()) {
  if (other != &stop_signal) stop_signal_of_program = other;
}

void throw_if_stopped(const std::string& where) {
  if (const int signal = stop_signal(); signal != 0) throw Interrupted(signal, where + ": stopped by a signal");
}

const char* version() { return VENTRIS_VERSION; }

std::string instruction_set() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vnni")) {
    return __builtin_cpu_supports("avx512bf16") ? "avx512+vnni+bf16" : "avx512+vnni";
  }
  if (__builtin_cpu_supports("avx512f")) return "avx512";
  if (__builtin_cpu_supports("avx2")) return "avx2";
  if (__builtin_cpu_supports("avx")) return "avx";
  return "sse2";
#else
  return "generic";
#endif
}

double peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

ResidentMemory resident_memory() {
  ResidentMemory memory;
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    int64_t kib = 0;
    words >> name >> kib;
    if (name == "VmRSS:") memory.now = kib * 1024;
    if (name == "VmHWM:") memory.peak = kib * 1024;
  }
  return memory;
}

void forget_peak_memory() { std::ofstream("/proc/self/clear_refs") << '5'; }

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace ventris::core
