#include "run/run_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "files/folders.h"
#include "support/errors.h"
#include "support/folder_entries.h"
#include "support/gone_process.h"
#include "support/temp_folder.h"

namespace ventris::run {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class RunFolderTest : public testing::Test {
 protected:
  void file(const std::string& name) {
    fs::create_directories(fs::path(folder.path(name)).parent_path());
    folder.file(name, "mine");
  }
  void saved(const std::string& name) const { files::write_folder(folder.path(name), {{"state.json", "{}"}}); }
  void clear() const {
    for (const auto& entry : fs::directory_iterator(folder.path())) fs::remove_all(entry.path());
  }

  test::TempFolder folder;
  RunFolder run{folder.path()};
};

TEST_F(RunFolderTest, IsOneByItsMark) {
  EXPECT_FALSE(is_run_folder(run));
  file("RUN");
  EXPECT_FALSE(is_run_folder(run)) << "a file of somebody's";
  fs::remove(run.mark());
  mark_run_folder(run);
  EXPECT_FALSE(is_run_folder(run)) << "a run that has not begun";
  file("config.json");
  EXPECT_TRUE(is_run_folder(run));
}

TEST_F(RunFolderTest, AMarkIsGoneAgainUnlessARunBegan) {
  {
    const EarlyMark mark(run);
  }
  EXPECT_FALSE(fs::exists(run.mark()));
  {
    const EarlyMark mark(run);
    file("config.json");
  }
  EXPECT_TRUE(fs::exists(run.mark()));
}

TEST_F(RunFolderTest, AMarkThatCannotBeReadStays) {
  {
    const EarlyMark mark(run);
    fs::remove(run.mark());
    fs::create_symlink("/proc/self/mem", run.mark());  // a file whose first byte nobody can read
  }
  EXPECT_TRUE(fs::is_symlink(run.mark()));
}

TEST_F(RunFolderTest, AMarkWithoutSettingsAllowsOnlyWhatStandardInputLeft) {
  mark_run_folder(run);
  file("standard-input.tsv");
  EXPECT_NO_THROW(refuse_foreign_files(run)) << "a process was killed while it read";
  file("report.html");
  EXPECT_FAILS(refuse_foreign_files(run), ConfigError, "report.html: would be replaced by a run");
}

TEST_F(RunFolderTest, ALogThatIsNoPlainFileIsRefused) {
  fs::create_directory(run.log());
  EXPECT_FAILS(refuse_foreign_files(run), ConfigError, "train.log: is not a regular file");
}

TEST_F(RunFolderTest, ThePartsOfARunAndTheRootAreNotRunFolders) {
  file("config.json");
  file("checkpoints/notes");
  const RunFolder part{folder.path("checkpoints/")};
  EXPECT_NO_THROW(refuse_foreign_files(part)) << "somebody's own folders";
  mark_run_folder(run);
  EXPECT_FAILS(refuse_foreign_files(part), ConfigError, "checkpoints/: is a part of the run in " + run.path);
  EXPECT_NO_THROW(refuse_foreign_files({folder.path("another")})) << "a run in a run's folder";
  EXPECT_FAILS(refuse_foreign_files({"/"}), ConfigError, "/: is the root of the file system");
}

TEST_F(RunFolderTest, FoldersOfAnotherRunAreNotReachedThroughALink) {
  const RunFolder other{folder.path("other")};
  fs::create_directories(other.checkpoints());
  fs::create_directory(folder.path("elsewhere"));
  const RunFolder mine{folder.path("mine")};
  fs::create_directory(mine.path);
  mark_run_folder(mine);
  folder.file("mine/config.json", "{}");
  fs::create_directory_symlink(folder.path("elsewhere"), mine.models());
  fs::create_directory_symlink(other.checkpoints(), mine.checkpoints());
  EXPECT_NO_THROW(refuse_foreign_files(mine)) << "no run is there";
  mark_run_folder(other);
  folder.file("other/config.json", "{}");
  EXPECT_FAILS(refuse_foreign_files(mine), ConfigError, "mine/checkpoints: is a link into another run's folder, ");
}

TEST_F(RunFolderTest, LeftoversAreThoseOfFilesThatARunWrites) {
  const std::string gone = ".tmp-" + std::to_string(test::process_that_is_gone()) + "-";
  for (const std::string& name : {gone + "best", "checkpoints/" + gone + "step-00000100", gone + "mine",
                                  std::string("report/") + gone + "attention.json"}) {
    file(name);
  }
  remove_leftovers(run);
  EXPECT_EQ(test::entries(folder.path()), (Names{gone + "mine", "checkpoints", "report"}));
  EXPECT_TRUE(fs::is_empty(run.checkpoints()) && fs::is_empty(run.report_data()));
}

TEST_F(RunFolderTest, OfVersion01IsOneByWhatItSaved) {
  fs::create_symlink("checkpoints/step-00000500", run.latest());
  EXPECT_TRUE(is_run_folder(run)) << "even where the checkpoints were removed";
  clear();
  saved("checkpoints/step-00000500");
  EXPECT_TRUE(is_run_folder(run)) << "even where the link was lost in a copy";
  clear();
  file("checkpoints/step-00000500/weights");
  file("config.json");
  EXPECT_FALSE(is_run_folder(run));
}

TEST_F(RunFolderTest, NothingOfSomebodyElseIsReplaced) {
  for (const char* name : {"checkpoints/last.ckpt", "models/my.spm", "report/a.en", "metrics.jsonl", "report.html",
                           "latest", "config.json", "best/thesis.txt", "final/x", "averaged/x", "standard-input.tsv",
                           ".older-standard-input.tsv", "events.out.tfevents.1.ventris", "RUN"}) {
    file(name);
    const std::string top = fs::path(name).begin()->string();
    EXPECT_FAILS(refuse_foreign_files(run), ConfigError, "/" + top + ": would be replaced by a run") << name;
    clear();
  }
}

TEST_F(RunFolderTest, WhatARunDoesNotReplaceIsNotInItsWay) {
  for (const char* name : {"notes.txt", "train.log", "events.out.tfevents.17.host", "step-00000100/x"}) file(name);
  EXPECT_NO_THROW(refuse_foreign_files(run));
  EXPECT_NO_THROW(refuse_foreign_files({folder.path("none")}));
}

TEST_F(RunFolderTest, InAMarkedFolderOnlyOtherKindsAreForeign) {
  mark_run_folder(run);
  for (const char* name : {"config.json", "metrics.jsonl"}) file(name);
  saved("best");
  EXPECT_NO_THROW(refuse_foreign_files(run));
  EXPECT_NO_THROW(refuse_foreign_kinds(run));
  fs::remove_all(run.best());
  const auto refused = [&](const std::string& name, const std::string& text) {
    EXPECT_FAILS(refuse_foreign_kinds(run), ConfigError, text);
    fs::remove_all(folder.path(name));
  };
  file("best/thesis.txt");
  refused("best", "best: expected a bundle that a run made, found a folder without MANIFEST; move it elsewhere");
  file("models");
  refused("models", "models: expected a folder that a run made, found a file");
  fs::remove(run.config());
  file("config.json/x");
  refused("config.json", "config.json: expected a file that a run made, found a folder");
  file("latest");
  refused("latest", "latest: expected a link that a run made, found something else");
}

TEST_F(RunFolderTest, WhatANewRunReplacesItMayNotRead) {
  mark_run_folder(run);
  file("report/a.en");
  const std::string message = " is among the files that a new run in " + run.path + " replaces; copy it elsewhere";
  for (const char* name : {"report/a.en", "report/../models/my.spm", "config.json", "train.log"}) {
    EXPECT_FAILS(refuse_replaced_input(run, "data.train", folder.path(name)), ConfigError,
                 "data.train: " + folder.path(name) + message);
  }
  fs::create_symlink(folder.path("report/a.en"), folder.path("link"));
  EXPECT_FAILS(refuse_replaced_input(run, "data.valid", folder.path("link")), ConfigError, message);
  for (const std::string& path : {std::string(), folder.path("corpus.en"), folder.path("reports/a.en")}) {
    EXPECT_NO_THROW(refuse_replaced_input(run, "data.train", path)) << path;
  }
}

TEST_F(RunFolderTest, RemovingARunLeavesEverythingElse) {
  mark_run_folder(run);
  for (const char* name : {"checkpoints/step-00000100", "models/step-00000100", "best", "final", "averaged"})
    saved(name);
  fs::create_symlink("checkpoints/step-00000100", run.latest());
  for (const char* name : {"config.json", "metrics.jsonl", "report.html", "report/samples.jsonl",
                           "events.out.tfevents.0000000017.ventris"}) {
    file(name);
  }
  const Names theirs{
      "notes.txt",   "best/thesis.txt", "checkpoints/last.ckpt", "models/step-00000100/notes", "models/my.spm",
      "report/a.en", "train.log",       "standard-input.tsv",    "events.out.tfevents.17.host"};
  for (const std::string& name : theirs) file(name);
  remove_run(run);
  for (const std::string& name : theirs) EXPECT_EQ(test::file_bytes(folder.path(name)), "mine") << name;
  EXPECT_EQ(test::entries(folder.path()), (Names{"RUN", "best", "checkpoints", "events.out.tfevents.17.host", "models",
                                                 "notes.txt", "report", "standard-input.tsv", "train.log"}));
  for (const char* name : {"best", "checkpoints", "report"}) EXPECT_EQ(test::entries(folder.path(name)).size(), 1U);
}

TEST_F(RunFolderTest, ADamagedCheckpointIsRemovedToo) {
  saved("checkpoints/step-00000100");
  folder.file("checkpoints/step-00000100/MANIFEST", "half a li");
  remove_saved(folder.path("checkpoints/step-00000100"));
  EXPECT_FALSE(fs::exists(folder.path("checkpoints/step-00000100")));
}

}  // namespace
}  // namespace ventris::run
