#include "core/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.h"

namespace ventris::core {
namespace {

using nlohmann::json;
using testing::ElementsAre;

enum class Colour { kRed, kBlue };
const Choices<Colour> kColours{{"red", Colour::kRed}, {"blue", Colour::kBlue}};

struct Inner {
  std::string word = "none";
};

struct Things {
  int32_t count = 3;
  double share = 0.5;
  bool on = true;
  uint64_t seed = 1;
  Colour colour = Colour::kBlue;
  Inner inner;
};

template <typename V>
void fields(V& visit, Inner& inner) {
  visit({"word", "A word."}, inner.word);
}

template <typename V>
void fields(V& visit, Things& things) {
  visit({"count", "How many."}, things.count, {.least = 1});
  visit({"share", "How much."}, things.share, {.least = 0, .over = 0, .under = 1});
  visit({"on", kHelpOfItsFlag}, things.on);
  visit({"seed", "Seed."}, things.seed);
  visit({"colour", "What it looks like."}, things.colour, kColours);
  visit.section({"inner", "Inner things."}, [&](auto& visit_inner) { fields(visit_inner, things.inner); });
}

Things read_things(const json& source) {
  JsonReader reader(source, "");
  FieldReader visit(reader);
  Things things;
  fields(visit, things);
  reader.finish();
  return things;
}

json written(Things things) {
  FieldWriter visit;
  fields(visit, things);
  return visit.out;
}

TEST(Fields, WhatIsWrittenReadsBackTheSame) {
  const json changed = {{"count", 7},         {"share", 0.25},   {"on", false},
                        {"seed", 1ULL << 63}, {"colour", "red"}, {"inner", {{"word", "some"}}}};
  EXPECT_EQ(written(read_things(changed)), changed);
  EXPECT_EQ(written(read_things(json::object())), written({}));
}

TEST(Fields, ANumberOutsideItsLimitsIsRefused) {
  EXPECT_FAILS(read_things({{"count", 0}}), ConfigError, "count: must be at least 1, got 0");
  EXPECT_FAILS(read_things({{"count", int64_t{1} << 40}}), ConfigError,
               "count: must be at most 2147483647, got 1099511627776");
  EXPECT_FAILS(read_things({{"share", -0.5}}), ConfigError, "share: must be at least 0, got -0.5");
  EXPECT_FAILS(read_things({{"share", 0}}), ConfigError, "share: must be over 0, got 0");
  EXPECT_FAILS(read_things({{"share", 1}}), ConfigError, "share: must be under 1, got 1");
  EXPECT_FAILS(read_things({{"share", INFINITY}}), ConfigError, "share: must be a finite number, got inf");
}

TEST(Fields, AnUnknownKeyOfAnInnerSectionIsRefused) {
  EXPECT_FAILS(read_things({{"inner", {{"wrod", "x"}}}}), ConfigError,
               "inner.wrod: unknown setting (did you mean 'word'?)");
}

TEST(Fields, TheListHasThePathTypeDefaultLimitsAndMeaningOfEach) {
  FieldList list;
  Things things;
  fields(list, things);
  ASSERT_EQ(list.sections.size(), 2U);
  const auto& settings = list.sections[0].settings;
  ASSERT_EQ(settings.size(), 5U);
  EXPECT_EQ(settings[0].path, "count");
  EXPECT_EQ(settings[0].type, "whole number");
  EXPECT_EQ(settings[0].fallback, "3");
  EXPECT_EQ(settings[0].limits.least, 1);
  EXPECT_EQ(settings[0].meaning, "How many.");
  EXPECT_EQ(settings[1].limits.under, 1);
  EXPECT_EQ(settings[2].type, "true or false");
  EXPECT_EQ(settings[2].meaning, "");
  EXPECT_EQ(settings[3].type, "whole number, at least 0");
  EXPECT_EQ(settings[4].fallback, "\"blue\"");
  EXPECT_THAT(settings[4].choices, ElementsAre("red", "blue"));
  EXPECT_EQ(list.sections[1].title, "inner");
  EXPECT_EQ(list.sections[1].meaning, "Inner things.");
  EXPECT_EQ(list.sections[1].settings[0].path, "inner.word");
}

}  // namespace
}  // namespace ventris::core
