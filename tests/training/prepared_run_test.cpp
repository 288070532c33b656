#include "training/prepared_run.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "files/files.h"
#include "files/paths.h"
#include "support/errors.h"
#include "support/toy_run.h"
#include "support/two_processes.h"

namespace ventris::training {
namespace {

using Group = std::shared_ptr<distributed::ProcessGroup>;

class PreparedRunTest : public testing::Test {
 protected:
  PreparedRun prepare(distributed::ProcessGroup& group, std::optional<core::LogFile>& log) const {
    return prepare_run(group, config, {run.path}, 0, log);
  }

  test::TempFolder folder;
  run::RunFolder run{folder.path("run")};
  settings::RunConfig config = test::toy_config(test::write_toy_corpus(folder, "train", 60, 1));
};

TEST_F(PreparedRunTest, HasCorpusTokenizersAndConfigurationAndNothingIsReplacedYet) {
  distributed::SingleProcess alone;
  std::optional<core::LogFile> log;
  PreparedRun prepared = prepare(alone, log);
  EXPECT_EQ(prepared.pairs->size(), 60);
  EXPECT_EQ(prepared.package.source_spm, prepared.tokenizers.source.bytes());
  EXPECT_NE(prepared.folder, nullptr);
  EXPECT_TRUE(log.has_value());
  EXPECT_FALSE(files::exists(run.config()));
  prepared.begin();
  EXPECT_TRUE(files::exists(run.config()));
}

TEST_F(PreparedRunTest, OfOtherRanksHasTheTokenizersOfRank0AndNoFolder) {
  std::string bytes[2];
  test::as_two_processes([&](const Group& group) {
    std::optional<core::LogFile> log;
    const PreparedRun prepared = prepare(*group, log);
    EXPECT_EQ(prepared.folder != nullptr, group->leads());
    EXPECT_EQ(log.has_value(), group->leads());
    EXPECT_EQ(prepared.pairs->size(), 60);
    bytes[group->rank()] = prepared.tokenizers.source.bytes();
  });
  EXPECT_EQ(bytes[0], bytes[1]);
}

TEST_F(PreparedRunTest, SeveralProcessesCannotShareStandardInput) {
  config.data.train = {"-", ""};
  test::as_two_processes([&](const Group& group) {
    std::optional<core::LogFile> log;
    EXPECT_FAILS(prepare(*group, log), ConfigError,
                 "data.train: several processes cannot share one standard input; write the corpus to a file");
  });
}

TEST_F(PreparedRunTest, AWrongPathLeavesNoRunFolder) {
  config.data.train.source = folder.path("missing");
  distributed::SingleProcess alone;
  std::optional<core::LogFile> log;
  EXPECT_FAILS(prepare(alone, log), DataError, config.data.train.source);
  EXPECT_FALSE(files::exists(run.path));
}

}  // namespace
}  // namespace ventris::training
