#include "preparation/modified_text.h"

#include <gtest/gtest.h>

#include "core/log.h"
#include "preparation/training_data.h"
#include "support/toy_run.h"

namespace ventris::preparation {
namespace {

using Kind = modifiers::ModifierKind;

class ModifiedText : public testing::Test {
 protected:
  std::string log_of(const std::vector<modifiers::Modifier>& list) {
    config.data.modifiers = list;
    const Tokenizers tokenizers = prepare_tokenizers(config, {});
    testing::internal::CaptureStderr();
    load_training_pairs(config, tokenizers);
    return testing::internal::GetCapturedStderr();
  }

  test::TempFolder folder;
  test::ToyCorpus corpus = test::write_toy_corpus(folder, "train", 60, 1);
  settings::RunConfig config = test::toy_config(corpus);
};

TEST_F(ModifiedText, IsMadeOnlyIfItIsAskedFor) {
  const Tokenizers tokenizers = prepare_tokenizers(config, {});
  EXPECT_EQ(modifier_of(config, tokenizers), nullptr);
  const auto pairs = load_training_pairs(config, tokenizers);
  EXPECT_EQ(step_options(config, *pairs, tokenizers).modifier, nullptr);
  EXPECT_FALSE(pairs->summary().has_text);
  config.data.modifiers = {{Kind::kMerge, 0.5}};
  EXPECT_NE(step_options(config, *pairs, tokenizers).modifier, nullptr);
  EXPECT_EQ(step_options(config, *pairs, tokenizers).sampler, nullptr);
  EXPECT_TRUE(load_training_pairs(config, tokenizers)->summary().has_text);
}

TEST_F(ModifiedText, FitsIntoABatch) {
  config.data.modifiers = {{Kind::kMerge, 1, 0.1, 100}};
  const Tokenizers tokenizers = prepare_tokenizers(config, {});
  const auto pairs = load_training_pairs(config, tokenizers);
  config.training.batch_tokens = pairs->summary().longest + 5;
  const auto modifier = modifier_of(config, tokenizers);
  size_t longest = 0;
  for (size_t i = 0; i < pairs->size(); ++i) {
    data::SentencePair pair = pairs->pair(i);
    modifier->modify(*pairs, i, 0, pair);
    longest = std::max({longest, pair.source.size(), pair.target.size()});
  }
  EXPECT_GT(longest, pairs->summary().longest);
  EXPECT_LE(longest, pairs->summary().longest + 4);
}

TEST_F(ModifiedText, IsCountedInTheLog) {
  const std::string log = log_of({{Kind::kMerge, 1, 0.1, 2}});
  EXPECT_NE(log.find("changed training text, of 60 pairs in the first epoch: merge "), std::string::npos) << log;
  EXPECT_EQ(log.find("data.modifiers[0]"), std::string::npos) << log;
}

TEST_F(ModifiedText, ThatTheTokenizerDoesNotKnowGivesAWarning) {
  const std::string log = log_of({{Kind::kEmoji, 1}});
  EXPECT_NE(log.find("emoji 0 (drawn 60)"), std::string::npos) << log;
  EXPECT_NE(log.find("data.modifiers[0] (emoji): 60 of 60 pairs that it was drawn for stay as they are"),
            std::string::npos)
      << log;
}

}  // namespace
}  // namespace ventris::preparation
