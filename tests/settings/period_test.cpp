#include "settings/period.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace ventris::settings {
namespace {

TEST(Period, CountsEpochsUpdatesTokensAndMinutes) {
  EXPECT_TRUE(Period::parse("2e", "x").reached({.epoch = 2}));
  EXPECT_FALSE(Period::parse("3e", "x").reached({.epoch = 2}));
  EXPECT_TRUE(Period::parse("500u", "x").reached({.updates = 500}));
  EXPECT_TRUE(Period::parse("2.5Mt", "x").reached({.tokens = 2'500'000}));
  EXPECT_TRUE(Period::parse("30m", "x").reached({.minutes = 30.1}));
  EXPECT_FALSE(Period::parse("30m", "x").reached({.minutes = 29.9}));
}

TEST(Period, IsDueOnceAMultipleIsCrossed) {
  const Period every = Period::parse("100u", "x");
  EXPECT_FALSE(every.due({.updates = 98}, {.updates = 99}));
  EXPECT_TRUE(every.due({.updates = 99}, {.updates = 100}));
  EXPECT_FALSE(every.due({.updates = 100}, {.updates = 101}));
  EXPECT_TRUE(every.due({.updates = 150}, {.updates = 320}));
}

TEST(Period, ZeroIsNever) {
  for (const char* text : {"0", "0u"}) {
    const Period never = Period::parse(text, "x");
    EXPECT_TRUE(never.never());
    EXPECT_FALSE(never.reached({.updates = 1'000'000}));
    EXPECT_FALSE(never.due({}, {.updates = 1'000'000}));
    EXPECT_EQ(never.share({.updates = 7}), 0.0);
  }
}

TEST(Period, KnowsWhetherItSplitsEpochs) {
  EXPECT_TRUE(Period::parse("0.5e", "x").splits_epochs());
  EXPECT_FALSE(Period::parse("1e3e", "x").splits_epochs());
  EXPECT_FALSE(Period::parse("0.5m", "x").splits_epochs());
}

TEST(Period, SaysHowFarARunIs) {
  EXPECT_DOUBLE_EQ(Period::parse("200u", "x").share({.updates = 50}), 0.25);
  EXPECT_DOUBLE_EQ(Period::parse("200u", "x").share({.updates = 900}), 1.0);
}

TEST(Period, RefusesOtherTextsAndNamesTheSetting) {
  for (const char* text : {"", "ten", "10", "10x", "10Xt", "-5u", "5 u", "nanu", "10uu", "u"}) {
    try {
      Period::parse(text, "training.after");
      ADD_FAILURE() << text << " was taken";
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find("training.after: expected an amount of training"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace ventris::settings
