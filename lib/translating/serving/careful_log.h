#pragma once
#include <exception>
#include <string>

#include "core/log.h"

namespace ventris::serving {

/// Logs an error; without memory for the line, there is none.
inline void log_error_if_possible(const char* what, const char* why = "") noexcept {
  try {
    core::log_error(std::string(what) + why);
  } catch (const std::exception&) {  // the error was noticed; the server goes on
  }
}

}  // namespace ventris::serving
