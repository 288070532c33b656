#pragma once
#include <string>

namespace ventris::core {

/// To be called where an exception is handled: throws one of the same kind (core/error.h, core/resources.h) whose text
/// goes on with `more`. Out of memory becomes ResourceError, and any other exception std::runtime_error.
[[noreturn]] void rethrow_with(const std::string& more);

/// To be called in the same place: whether it is an exception of this kind.
template <typename E>
bool handles() {
  try {
    throw;
  } catch (const E&) {
    return true;
  } catch (...) {
    return false;
  }
}

/// LibTorch ends its messages with a long C++ backtrace; this is what comes before it.
std::string without_backtrace(const std::string& text);

}  // namespace ventris::core
