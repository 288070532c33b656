#pragma once
#include <sstream>
#include <stdexcept>
#include <string>

#include "core/printable.h"

namespace ventris::core {

/// An error that a user can correct. `what()` says where it is, what was expected, what was found and what to do, on
/// one line (core/printable.h). Each kind has an exit code (apps/support/run.h).
struct Error : std::runtime_error {
  explicit Error(const std::string& text) : std::runtime_error(printable(text)) {}
};
struct ConfigError : Error {  ///< the user's flags or settings (exit 2)
  using Error::Error;
};
struct DataError : Error {  ///< a corpus, a vocabulary, an input (exit 3)
  using Error::Error;
};
struct ModelError : Error {  ///< a bundle, a checkpoint, an export (exit 4)
  using Error::Error;
};
struct UnreadableError : ModelError {  ///< cannot be read at the moment, but is perhaps intact (exit 4)
  using ModelError::ModelError;
};
struct DivergedError : Error {  ///< too many training steps were not finite (exit 6)
  using Error::Error;
};
struct WriteError : Error {  ///< an output could not be written: full disk, no permission (exit 74)
  using Error::Error;
};
struct PipeClosed : WriteError {  ///< the reader of a pipe has all that it wants, as `head` does (exit 141, silently)
  using WriteError::WriteError;
};
struct PeerError : Error {  ///< another process of a distributed run failed or is gone (exit 69)
  using Error::Error;
};

/// A graceful stop after a signal. Everything is saved, and the program ends with exit code 128 + signal.
struct Interrupted : Error {
  Interrupted(int signal_number, const std::string& text) : Error(text), signal(signal_number) {}
  int signal;
};

/// Throws `E` with all parts as its text: fail<DataError>(path, ":", line, ": expected 2 columns, got ", n).
template <typename E, typename... Parts>
[[noreturn]] void fail(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw E(text.str());
}

}  // namespace ventris::core

namespace ventris {
using core::ConfigError;
using core::DataError;
using core::DivergedError;
using core::Error;
using core::fail;
using core::Interrupted;
using core::ModelError;
using core::PeerError;
using core::PipeClosed;
using core::UnreadableError;
using core::WriteError;
}  // namespace ventris
