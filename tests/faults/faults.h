#pragma once
#include <cstdint>
#include <string>

/// Failing system calls. In a test program that links faults.cpp every call that changes files goes through it: open,
/// write, fsync, close, rename, mkdir, link, unlink, symlink and their relatives.
namespace ventris::test {

enum class Fault {
  kNone,
  kKill,        ///< SIGKILL instead of the call
  kFullDisk,    ///< from the call on, ENOSPC for all that needs space
  kReadOnly,    ///< from the call on, EROFS for all that changes anything
  kBadBlock,    ///< EIO, this once
  kShortWrite,  ///< from the call on, every write takes only half of what it is given
  kPowerCut,    ///< instead of the call, lose_unsynced_changes(), and SIGKILL
};

/// From now on: the fault comes at the `at`-th call (from 1). Counts from 0 again.
void plan_fault(Fault fault, int64_t at);

/// From now on, changes of files are remembered until they are synced. `kept`: a folder on the same file system.
/// `share_of_names`: see UnsyncedChanges::lose().
void remember_unsynced_changes(const std::string& kept, double share_of_names);

/// The power fails now.
void lose_unsynced_changes();

/// From now on file systems cannot swap two names (or can again).
void forbid_swaps(bool forbidden);

/// From now on every disk says that this many bytes are free.
void pretend_free_space(uint64_t bytes);

/// Calls since plan_fault.
int64_t calls_so_far();

}  // namespace ventris::test
