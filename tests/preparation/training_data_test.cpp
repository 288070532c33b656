#include "preparation/training_data.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/error.h"
#include "data/corpus.h"
#include "support/errors.h"
#include "support/toy_run.h"

namespace ventris::preparation {
namespace {

class TrainingData : public testing::Test {
 protected:
  static data::ParallelCorpus pairs(const std::vector<uint64_t>& sizes) {
    data::ParallelCorpus all;
    for (const uint64_t size : sizes) {
      all.begin_part(0);
      for (uint64_t i = 0; i < size; ++i) all.add(std::vector<int32_t>{5}, std::vector<int32_t>{6});
    }
    return all;
  }
  void give_two(double first, double second) {
    config.data.corpora.resize(2);
    config.data.corpora[0].weight = first;
    config.data.corpora[1].weight = second;
  }

  test::TempFolder folder;
  test::ToyCorpus corpus = test::write_toy_corpus(folder, "train", 60, 1);
  settings::RunConfig config = test::toy_config(corpus);
};

TEST_F(TrainingData, SharesAreTheWeightsOrFollowTheTemperature) {
  EXPECT_TRUE(corpus_shares(config.data, pairs({10}).summary()).empty());
  give_two(0, 0);
  EXPECT_TRUE(corpus_shares(config.data, pairs({10, 30}).summary()).empty());
  config.data.temperature = 1e9;
  EXPECT_NEAR(corpus_shares(config.data, pairs({10, 30}).summary())[0], 0.5, 1e-6);
  give_two(3, 1);
  EXPECT_EQ(corpus_shares(config.data, pairs({10, 30}).summary()), (std::vector<double>{0.75, 0.25}));
  EXPECT_EQ(batch_options(config, pairs({10, 30})).shares, (std::vector<double>{0.75, 0.25}));
}

TEST_F(TrainingData, ThereIsASamplerOnlyIfSamplingIsAskedFor) {
  const Tokenizers tokenizers = prepare_tokenizers(config, {});
  EXPECT_EQ(step_options(config, pairs({10}), tokenizers).sampler, nullptr);
  config.tokenizer.sampling_alpha = 0.1;
  EXPECT_NE(step_options(config, pairs({10}), tokenizers).sampler, nullptr);
  EXPECT_TRUE(load_training_pairs(config, tokenizers)->summary().has_text);
}

TEST_F(TrainingData, FilesThatACacheWasMadeOfAreNotReadToBeChecked) {
  config.data.cache = folder.path("cache");
  load_training_pairs(config, prepare_tokenizers(config, {}));
  EXPECT_NO_THROW(check_files(config.data));
  folder.file("train.tgt", "one line\n");
  EXPECT_FAILS(check_files(config.data), DataError, "line counts differ");
}

TEST_F(TrainingData, ThereIsContextOnlyIfItIsAskedFor) {
  const auto tokenizers = prepare_tokenizers(config, {});
  EXPECT_EQ(step_options(config, pairs({10}), tokenizers).context, nullptr);
  EXPECT_FALSE(read_options(config).documents);
  config.data.context.sentences = 1;
  EXPECT_NE(step_options(config, pairs({10}), tokenizers).context, nullptr);
  EXPECT_TRUE(read_options(config).documents);
}

}  // namespace
}  // namespace ventris::preparation
