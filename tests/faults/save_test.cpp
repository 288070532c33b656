#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/log.h"
#include "faults/faults.h"
#include "faults/tiny_checkpoint.h"
#include "files/folders.h"
#include "support/errors.h"
#include "support/temp_folder.h"

/// Whatever happens at whichever system call of a save, there is a whole checkpoint afterwards, the old or the new one;
/// and a save that says it is done has written the new one.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;
using run::RunFolder;

constexpr int64_t kOldUpdates = 100;
constexpr float kOld = 1, kNew = 2;
constexpr int kCannotWrite = 74, kBug = 70;

/// How a save in a process of its own ended.
struct Ending {
  bool killed = false;
  int code = 0;
  int64_t calls = 0;
};

struct Scenario {
  const char* name;
  int64_t new_updates;
  bool swaps;  // whether the file system can swap two names

  friend void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }
};

class Save : public testing::TestWithParam<Scenario> {
 protected:
  void SetUp() override { core::set_log_level("off"); }
  void TearDown() override {
    core::set_log_level("info");
    forbid_swaps(false);
    munmap(calls, sizeof *calls);
  }

  void save_old() const {
    fs::remove_all(run.path);
    fs::create_directories(run.path);
    run::save_checkpoint(run, tiny_checkpoint(kOldUpdates, kOld), 1);
    fs::create_directories(run.model(kOldUpdates - 50));  // a model that the new state does not list
    std::ofstream(run.model(kOldUpdates - 50) + "/MANIFEST") << "END\n";
  }

  void save_new() const { run::save_checkpoint(run, tiny_checkpoint(GetParam().new_updates, kNew), 1); }

  [[noreturn]] void save_and_exit(Fault fault, int64_t at) const {
    int code = 0;
    if (fault == Fault::kPowerCut) remember_unsynced_changes(kept.path(""), share_of_names);
    plan_fault(fault, at);
    try {
      save_new();
    } catch (const WriteError&) {
      code = kCannotWrite;
    } catch (...) {
      code = kBug;
    }
    *calls = calls_so_far();
    plan_fault(Fault::kNone, 0);
    lose_unsynced_changes();
    _exit(code);
  }

  Ending save_with(Fault fault, int64_t at) const {
    forbid_swaps(!GetParam().swaps);
    const pid_t child = fork();
    if (child == 0) save_and_exit(fault, at);
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFSIGNALED(status), WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), *calls};
  }

  /// The value in the newest checkpoint, found as a run that goes on finds it.
  float newest() const {
    run::remove_leftovers(run);
    const auto checkpoint = run::load_newest_checkpoint(run);
    files::verify_folder(run.latest());
    return checkpoint ? value_in(*checkpoint) : 0;
  }

  std::vector<std::string> entries() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(run.path)) {
      if (entry.is_directory() || entry.is_symlink()) found.push_back(fs::relative(entry.path(), run.path).string());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  void expect_whole_after(Fault fault, int64_t at) const {
    save_old();
    const Ending ending = save_with(fault, at);
    const std::string where = "call " + std::to_string(at) + " of fault " + std::to_string(static_cast<int>(fault));
    EXPECT_EQ(ending.killed, fault == Fault::kKill || (fault == Fault::kPowerCut && at <= ending.calls)) << where;
    const bool may_fail = fault != Fault::kShortWrite;
    EXPECT_TRUE(ending.killed || ending.code == 0 || (may_fail && ending.code == kCannotWrite))
        << where << ": " << ending.code;
    SCOPED_TRACE(where);
    const float found = newest();
    EXPECT_TRUE(found == kNew || (found == kOld && (ending.killed || ending.code != 0))) << where << ": " << found;
    save_new();  // the trouble is over
    EXPECT_EQ(newest(), kNew) << where;
    EXPECT_EQ(entries(), tidy) << where;
  }

  /// The power fails in place of each call, and after the last one, when the save is done.
  void expect_whole_after_power_cuts(double share) {
    share_of_names = share;
    expect_whole_after_every(Fault::kPowerCut);
    expect_whole_after(Fault::kPowerCut, std::numeric_limits<int64_t>::max());
  }

  void expect_whole_after_every(Fault fault) {
    save_old();
    const int64_t last = save_with(Fault::kNone, 0).calls;
    ASSERT_GT(last, 60);
    tidy = entries();
    for (int64_t at = 1; at <= last && !HasFailure(); ++at) expect_whole_after(fault, at);
  }

  TempFolder folder{memory_folder()};
  TempFolder kept{memory_folder()};
  RunFolder run{folder.path("run")};
  double share_of_names = 0;  // that are on the disk when the power fails, although they are not synced
  std::vector<std::string> tidy;  // what is there after a save without trouble
  int64_t* calls =
      static_cast<int64_t*>(mmap(nullptr, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
};

TEST_P(Save, KilledAtAnyCallLeavesAWholeCheckpoint) { expect_whole_after_every(Fault::kKill); }
TEST_P(Save, ADiskThatIsFullFromAnyCallOnCostsNoCheckpoint) { expect_whole_after_every(Fault::kFullDisk); }
TEST_P(Save, ADiskThatIsReadOnlyFromAnyCallOnCostsNoCheckpoint) { expect_whole_after_every(Fault::kReadOnly); }
TEST_P(Save, AnInputOutputErrorAtAnyCallCostsNoCheckpoint) { expect_whole_after_every(Fault::kBadBlock); }
TEST_P(Save, ShortWritesWriteItAll) { expect_whole_after_every(Fault::kShortWrite); }

TEST_P(Save, APowerCutAtAnyCallLeavesAWholeCheckpointWithoutUnsyncedNames) { expect_whole_after_power_cuts(0); }
TEST_P(Save, APowerCutAtAnyCallLeavesAWholeCheckpointWithHalfOfThem) { expect_whole_after_power_cuts(0.5); }
TEST_P(Save, APowerCutAtAnyCallLeavesAWholeCheckpointWithAllOfThem) { expect_whole_after_power_cuts(1); }

TEST_P(Save, WithoutRoomForItNothingIsBegun) {
  save_old();
  pretend_free_space(100);
  plan_fault(Fault::kNone, 0);
  EXPECT_FAILS(save_new(), WriteError, "checkpoints: not enough free space: ");
  EXPECT_FAILS(save_new(), WriteError, " bytes needed, 100 free; make room, or use a folder on another disk");
  EXPECT_EQ(calls_so_far(), 0);
  pretend_free_space(uint64_t{1} << 40);
  EXPECT_EQ(newest(), kOld);
}

INSTANTIATE_TEST_SUITE_P(Saves, Save,
                         testing::Values(Scenario{"BesideAnOlder", 200, true},
                                         Scenario{"OverOneOfTheSameUpdate", kOldUpdates, true},
                                         Scenario{"OverOneInTwoSteps", kOldUpdates, false}),
                         [](const auto& scenario) { return scenario.param.name; });

}  // namespace
}  // namespace ventris::test
