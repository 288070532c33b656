#pragma once
#include <atomic>
#include <string>

/// Set-up of a process, stop signals, and facts about the process and the processor.
namespace ventris::core {

/// Ignores SIGPIPE and SIGXFSZ, so that writing to a closed pipe or beyond a size limit becomes an error that can be
/// reported.
void ignore_write_signals();

/// Whether standard output is a pipe whose reader has closed it.
bool stdout_has_no_reader();

/// Opens standard input, output and error if they are closed, so that no file opened later gets their descriptors.
void fill_standard_streams();

/// Whether the process ignores this signal, because its parent had it do so: SIGHUP under nohup, SIGINT in a job that a
/// script of the shell started in the background.
bool is_ignored(int signal);

/// From now on, SIGTERM, SIGINT, SIGHUP (the terminal was closed), SIGUSR1 and SIGUSR2 (with which batch systems such
/// as Slurm announce the end of a job's time) set a flag that stop_signal() returns. A SIGINT after that ends the
/// process at once. A signal that is ignored stays ignored.
void install_stop_handlers();

/// The signal that requested a graceful stop, or 0.
int stop_signal();

/// While it exists, the signals of install_stop_handlers() end the process at once: for long work of a library that
/// cannot be stopped, when nothing would be lost. Does nothing in a program that has not called
/// install_stop_handlers().
class StopsAtOnce {
 public:
  StopsAtOnce();
  ~StopsAtOnce();
  StopsAtOnce(const StopsAtOnce&) = delete;
  StopsAtOnce& operator=(const StopsAtOnce&) = delete;
};

/// A place for the number of a signal; 0 = none.
using StopFlag = std::atomic<int>;

/// While it exists, stop_signal() also returns what `flag` holds, if that is not 0: in the thread that made it, and in
/// the threads that parallel_for() starts there. So one call in a process can be stopped without the others. `flag`
/// must exist as long; null = none.
class StopScope {
 public:
  explicit StopScope(const StopFlag* flag);
  ~StopScope();
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  const StopFlag* before_;
};

/// The flag of the StopScope of this thread; null = none.
const StopFlag* stop_flag_of_thread();

/// From now on, stop_signal() returns what `other` returns. A shared library with its own copy of this code calls it
/// with the stop_signal() of the program, whose handlers are installed. Null, or this copy's own function: no change.
void use_stop_signal_of(int (*other)());

/// Throws Interrupted ("WHERE: stopped by a signal") if a graceful stop was requested.
void throw_if_stopped(const std::string& where);

/// Ventris's version: "0.1.0".
const char* version();

/// The widest vector instruction set of this processor that our dependencies may use: "avx512+vnni+bf16",
/// "avx512+vnni", "avx512", "avx2", "avx", "sse2"; "generic" if it is not an x86 processor.
std::string instruction_set();

/// Peak resident memory of this process so far, in MiB.
double peak_memory_mib();

/// Resident memory of this process in bytes, now and at most so far; 0 = unknown.
struct ResidentMemory {
  int64_t now = 0, peak = 0;
};
ResidentMemory resident_memory();

/// From now on, the peak is that of what follows, also for peak_memory_mib(). Does nothing if the system does not allow
/// it.
void forget_peak_memory();

/// Seconds on a steady clock, which never jumps.
double seconds_now();

}  // namespace ventris::core
