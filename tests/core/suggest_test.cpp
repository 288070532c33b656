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

TEST(Nearest, ABeginningIsCompletedToTheShortestChoice) {
  const std::vector<std::string> flags{"--seed", "--beam-size", "--beam-size-of-all", "--batch"};
  EXPECT_EQ(nearest("--beam", flags), "--beam-size");
  EXPECT_EQ(nearest("--be", flags), "--beam-size");
  EXPECT_EQ(nearest("--x", flags), "");
  EXPECT_EQ(nearest("--", flags), "");
  EXPECT_EQ(nearest("", flags), "");
}

TEST(Nearest, DashesAreNoLettersThatAllowMoreEdits) {
  EXPECT_EQ(nearest("--beat", std::vector<std::string>{"--seed"}), "");
  EXPECT_EQ(nearest("--sead", std::vector<std::string>{"--seed"}), "--seed");
}

TEST(Nearest, OfEquallyNearOnesTheLongestCommonBeginningWins) {
  EXPECT_EQ(nearest("mode", std::vector<std::string>{"node", "mose"}), "mose");
  EXPECT_EQ(nearest("mode", std::vector<std::string>{"mose", "node"}), "mose");
}

TEST(Nearest, SwappedLettersAreOneEdit) { EXPECT_EQ(nearest("ab", std::vector<std::string>{"ba"}), "ba"); }

TEST(Nearest, NothingNearIsNothing) {
  EXPECT_EQ(nearest("tokenizer", kNames), "");
  EXPECT_EQ(nearest("beam", {}), "");
  EXPECT_EQ(nearest("ba", kNames), "");  // two edits; one is allowed
}

TEST(Nearest, AVeryLongWordTakesNoTime) {
  std::string word;
  word.resize(20'000'000, 'a');
  EXPECT_EQ(nearest(word, kNames), "");
}

TEST(DidYouMean, IsATailOrEmpty) {
  EXPECT_EQ(did_you_mean("baem", kNames), " (did you mean 'beam'?)");
  EXPECT_EQ(did_you_mean("zzzzzzzzz", kNames), "");
}

}  // namespace
}  // namespace ventris::core
