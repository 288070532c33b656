#include "core/suggest.h"

#include <gtest/gtest.h>

#include <vector>

namespace ventris::core {
namespace {

const std::vector<std::string> kNames{"warmup_steps", "learning_rate", "beam"};

TEST(Nearest, SmallMisspellingsAreRecognised) {
  EXPECT_EQ(nearest("warmup_step", kNames), "warmup_steps");
  EXPECT_EQ(nearest("learnign_rate", kNames), "learning_rate");
  EXPECT_EQ(nearest("bema", kNames), "beam");
}

TEST(Nearest, NothingNearIsNothing) {
  EXPECT_EQ(nearest("tokenizer", kNames), "");
  EXPECT_EQ(nearest("beam", {}), "");
  EXPECT_EQ(nearest("ba", kNames), "");  // two edits; one is allowed
}

TEST(DidYouMean, IsATailOrEmpty) {
  EXPECT_EQ(did_you_mean("baem", kNames), " (did you mean 'beam'?)");
  EXPECT_EQ(did_you_mean("zzzzzzzzz", kNames), "");
}

}  // namespace
}  // namespace ventris::core
