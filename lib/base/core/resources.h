#pragma once
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "core/error.h"

/// What the system may refuse to a program: memory, threads and processes.
namespace ventris::core {

/// The system gives no more memory, threads or processes (exit 5).
struct ResourceError : Error {
  using Error::Error;
};

/// What to say if memory was refused.
inline constexpr const char* kOutOfMemory = "out of memory; use smaller batches, a smaller model or fewer threads";

/// Why no thread or process could be started, which limits there are here, and what to do. `reason`: that of the
/// system.
std::string no_more_threads(const std::string& reason);

/// Whether this error is the system's refusal to start a thread or a process.
bool refuses_threads(const std::error_code& error);

/// What to say if memory or threads were refused, whatever library threw the exception; none for other exceptions.
std::optional<std::string> resource_problem(const std::exception& error);

/// Starts a std::thread or a std::jthread with this function. Throws ResourceError if the system refuses it.
template <typename Thread = std::thread, typename Work>
Thread start_thread(Work&& work) {
  try {
    return Thread(std::forward<Work>(work));
  } catch (const std::system_error& error) {
    fail<ResourceError>(no_more_threads(error.code().message()));
  }
}

}  // namespace ventris::core

namespace ventris {
using core::ResourceError;
}  // namespace ventris
