#include "training/task.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "data/corpus.h"
#include "support/errors.h"
#include "support/other_architecture.h"

namespace ventris::training {
namespace {

TEST(MakeTask, OfATranslationModelPadsPairs) {
  const Task task = make_task(settings::RunConfig(), {});
  const std::vector<data::SentencePair> pairs{{{5, 6}, {7}, "", "", 1}};
  data::ParallelCorpus store;
  EXPECT_EQ(task.batches->make(pairs, {store, {}}).source, (std::vector<int32_t>{5, 6, 3}));
  EXPECT_NE(task.objective, nullptr);
}

TEST(MakeTask, ThatIsNotKnownIsRefusedByName) {
  settings::RunConfig config;
  config.model = std::make_shared<test::OtherArchitecture>();
  EXPECT_FAILS(make_task(config, {}), ConfigError,
               "architecture: other learns the task 'guessing', which this version does not know");
}

}  // namespace
}  // namespace ventris::training
