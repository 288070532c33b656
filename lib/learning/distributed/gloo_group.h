#pragma once
#include <memory>

#include "distributed/process_group.h"

namespace ventris::distributed {

/// join_processes() for more than one process, with LibTorch's c10d. Exists only if VENTRIS_GLOO is defined.
std::unique_ptr<ProcessGroup> join_with_gloo(const Ranks& ranks);

}  // namespace ventris::distributed
