#pragma once
#include <memory>

#include "training/process_group.h"

namespace ventris::training {

/// join_processes() for more than one process, through LibTorch's c10d. There only where VENTRIS_GLOO is defined.
std::unique_ptr<ProcessGroup> join_with_gloo(const Place& place);

}  // namespace ventris::training
