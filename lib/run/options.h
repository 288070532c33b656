#pragma once
#include <string>

namespace ventris::run {

/// Where and how a run is done.
struct RunOptions {
  std::string folder;      ///< the run folder; made if it is missing
  bool overwrite = false;  ///< begin anew where there is a run already
};

}  // namespace ventris::run
