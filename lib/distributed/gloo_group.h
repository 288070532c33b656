#pragma once
#include <memory>

#include "distributed/process_group.h"

namespace ventris::distributed {

/// join_processes() for more than one process, through LibTorch's c10d. There only where VENTRIS_GLOO is defined.
std::unique_ptr<ProcessGroup> join_with_gloo(const Ranks& ranks);

}  // namespace ventris::distributed
