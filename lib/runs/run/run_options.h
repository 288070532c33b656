#pragma once
#include <string>

namespace ventris::run {

/// The folder of a run, and how to treat an existing run in it.
struct RunOptions {
  std::string folder;      ///< the run folder; created if it is missing
  bool overwrite = false;  ///< start a new run if there is already one
};

}  // namespace ventris::run
