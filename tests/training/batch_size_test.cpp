#include "training/batch_size.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/process.h"
#include "support/errors.h"
#include "support/toy_run.h"
#include "support/two_processes.h"
#include "training/learner.h"
#include "training/prepared_run.h"
#include "training/used_memory.h"

namespace ventris::training {
namespace {

TEST(BatchSize, SaysHowManySentencesFit) {
  EXPECT_EQ(sentences_that_fit({100, 0}, 10), 10);
  EXPECT_EQ(sentences_that_fit({100, 0.1}, 10), 5);
  EXPECT_EQ(sentences_that_fit({100, 0}, 101), 0);
}

TEST(BatchSize, IsDescribedWithItsUnitsOnce) {
  EXPECT_EQ(largest_batches({10'000, 0}, {5, 20, 100}), "at most 2,000 sentences of 5 tokens, 500 of 20, 100 of 100");
}

class BatchMemoryTest : public testing::Test {
 protected:
  BatchMemoryTest() { give(100); }

  /// So many MiB for batches, beside what this process takes already.
  void give(int64_t mebibytes) {
    const int64_t bytes = core::resident_memory().now + (mebibytes << 20);
    config.training.batch_memory = settings::MemorySize::parse(std::to_string(bytes), "test");
  }
  PreparedRun prepare() {
    distributed::SingleProcess alone;
    std::optional<core::LogFile> log;
    return prepare_run(alone, config, {run.path}, 0, log);
  }

  test::TempFolder folder;
  run::RunFolder run{folder.path("run")};
  settings::RunConfig config = test::toy_config(test::write_toy_corpus(folder, "train", 300, 1));
};

TEST_F(BatchMemoryTest, FindsBatchesWhoseTensorsFitIntoTheMemory) {
  give(300);  // some of it is taken when LibTorch computes for the first time
  const PreparedRun prepared = prepare();
  const BatchSize size = batch_size_of(prepared.config.training);
  const int64_t count = sentences_that_fit(size, 1 + int64_t{prepared.pairs->summary().longest});
  EXPECT_GT(count, 100);
  Learner learner(prepared.config, prepared.package, InitialWeights{}, std::make_shared<distributed::SingleProcess>());
  UsedMemory memory(torch::kCPU);
  learner.try_batch(*prepared.pairs, {}, std::vector<uint32_t>(static_cast<size_t>(count), 0));
  EXPECT_LT(memory.growth(), int64_t{300} << 20);
  EXPECT_GT(memory.growth(), int64_t{2} << 20);
}

TEST_F(BatchMemoryTest, MoreMemoryGivesLargerBatches) {
  const int64_t few = prepare().config.training.batch_tokens;
  give(300);
  EXPECT_GT(prepare().config.training.batch_tokens, few * 3 / 2);
}

TEST_F(BatchMemoryTest, IsLoggedWithTheSizesThatWereFound) {
  testing::internal::CaptureStderr();
  prepare();
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::ContainsRegex("batches within [0-9]+: at most [0-9,]+ sentences of [0-9]+ tokens, .* "
                                     "\\(batch_tokens [0-9,]+, length_cost [0-9.e-]+\\)"));
}

TEST_F(BatchMemoryTest, TooLittleMemoryIsRefusedWithWhatIsNeeded) {
  config.training.batch_memory = settings::MemorySize::parse("1M", "test");
  EXPECT_FAILS(prepare(), ConfigError, "training.batch_memory: 1M is not enough: the run needs ");
  EXPECT_FAILS(prepare(), ConfigError, "; raise this setting, or lower data.max_length or training.threads");
}

TEST_F(BatchMemoryTest, MoreThanTheMachineHasIsToldOf) {
  settings::TrainingConfig training;
  training.batch_memory = settings::MemorySize::parse("1T", "test");
  EXPECT_EQ(memory_problem(training, int64_t{3} << 30),
            "training.batch_memory: 1T is more than the process can have here (3,072 MiB)");
  EXPECT_EQ(memory_problem(training, int64_t{2} << 40), "");
  EXPECT_EQ(memory_problem(training, 0), "") << "unknown";
  training.device = "cuda";
  EXPECT_EQ(memory_problem(training, 1), "") << "of another device";
}

TEST_F(BatchMemoryTest, DoesNotChangeTheWeightsThatARunBeginsWith) {
  const auto weights = [&] {
    const PreparedRun prepared = prepare();
    return Learner(prepared.config, prepared.package, InitialWeights{}, std::make_shared<distributed::SingleProcess>())
        .weights();
  };
  const std::string measured = weights();
  config.training.batch_memory = {};
  EXPECT_EQ(measured, weights());
}

TEST_F(BatchMemoryTest, AllProcessesGetTheSizeOfRank0) {
  int64_t tokens[2] = {};
  test::as_two_processes([&](const std::shared_ptr<distributed::ProcessGroup>& group) {
    std::optional<core::LogFile> log;
    tokens[group->rank()] = prepare_run(*group, config, {run.path}, 0, log).config.training.batch_tokens;
  });
  EXPECT_EQ(tokens[0], tokens[1]);
  EXPECT_NE(tokens[0], config.training.batch_tokens);
}

}  // namespace
}  // namespace ventris::training
