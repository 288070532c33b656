#pragma once
#include <string>

/// What a program sets up once, before its real work.
namespace ventris::core {

/// SIGPIPE and SIGXFSZ are ignored from now on, so that writing to a closed pipe or past a size limit is an error that
/// can be reported.
void ignore_write_signals();

/// Standard input, output and error that are closed get a place each, so that no file opened later is taken for one.
void fill_standard_streams();

/// SIGTERM and SIGINT set a flag that stop_signal() shows; a SIGINT after that ends the process at
/// once.
void install_stop_handlers();

/// The signal that asked for a graceful stop, or 0.
int stop_signal();

/// Throws Interrupted, "WHERE: stopped by a signal", if there was one.
void throw_if_stopped(const std::string& where);

/// Ventris's version: "0.1.0".
const char* version();

/// The widest vector instruction set of this processor that our dependencies may use: "avx512+vnni+bf16",
/// "avx512+vnni", "avx512", "avx2", "avx", "sse2"; "generic" where it is not an x86.
std::string instruction_set();

/// Peak resident memory of this process so far, in MiB.
double peak_memory_mib();

/// Seconds on a clock that never jumps.
double seconds_now();

}  // namespace ventris::core
