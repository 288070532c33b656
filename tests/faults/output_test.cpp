#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "faults/faults.h"
#include "files/files.h"
#include "support/temp_folder.h"

namespace ventris::test {
namespace {

/// Writes a file in a process of its own, in which the power fails in place of the `at`-th call, or at the end. Returns
/// whether it came to the end.
bool write_until_power_cut(const TempFolder& kept, double share_of_names, const std::string& path, int64_t at) {
  const pid_t child = fork();
  if (child == 0) {
    remember_unsynced_changes(kept.path(), share_of_names);
    plan_fault(Fault::kPowerCut, at);
    files::write_file(path, "the new text");
    plan_fault(Fault::kNone, 0);
    lose_unsynced_changes();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) ? WEXITSTATUS(status) == 0 : WTERMSIG(status) == SIGKILL);
  return WIFEXITED(status);
}

class WriteFile : public testing::TestWithParam<double> {};

TEST_P(WriteFile, APowerCutAtAnyCallLeavesTheOldFileOrTheNewOne) {
  const TempFolder folder{memory_folder()}, kept{memory_folder()};
  bool at_end = false;
  for (int64_t at = 1; !at_end; ++at) {
    const std::string path = folder.file("out", "the old text");
    at_end = write_until_power_cut(kept, GetParam(), path, at);
    const std::string found = files::read_plain_file(path);
    EXPECT_TRUE(found == "the new text" || (!at_end && found == "the old text")) << at << ": " << found;
    ASSERT_LT(at, 100);
  }
}

INSTANTIATE_TEST_SUITE_P(SharesOfNames, WriteFile, testing::Values(0, 0.5, 1));

}  // namespace
}  // namespace ventris::test
