#pragma once
#include <memory>

#include "training/process_group.h"

namespace ventris::training {

/// join_processes() for more than one process, with LibTorch's c10d. Exists only if VENTRIS_GLOO is defined.
std::unique_ptr<ProcessGroup> join_with_gloo(const Place& place);

}  // namespace ventris::training
