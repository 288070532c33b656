#include "settings/modifier_list.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "settings/run_config.h"
#include "support/errors.h"

namespace ventris::settings {
namespace {

using nlohmann::json;

RunConfig with_list(const json& list, const json& others = json::object()) {
  json source{{"data", {{"modifiers", list}}}};
  source.merge_patch(others);
  return RunConfig::parse(source, RunConfig::Corpora::kMayBeMissing);
}

/// A list with one entry.
json one(const json& entry) { return json::array({entry}); }

TEST(ModifierList, IsWrittenAsItWasRead) {
  const json list{{{"kind", "upper"}, {"share", 0.05}},
                  {{"kind", "title"}, {"share", 0.05}},
                  {{"kind", "typos"}, {"share", 0.05}, {"words", 0.2}},
                  {{"kind", "punctuation"}, {"share", 0.05}},
                  {{"kind", "emoji"}, {"share", 0.02}},
                  {{"kind", "merge"}, {"share", 0.05}, {"most", 4}},
                  {{"kind", "copy"}, {"share", 0.005}},
                  {{"kind", "tags"}, {"share", 0.1}, {"most", 1}}};
  const RunConfig config = with_list(list, {{"training", {{"guided_alignment", {{"links", "train"}}}}}});
  ASSERT_EQ(config.data.modifiers.size(), 8U);
  EXPECT_EQ(config.data.modifiers[2].words, 0.2);
  EXPECT_EQ(config.data.modifiers[5].most, 4);
  EXPECT_EQ(config.to_json()["data"]["modifiers"], list);
  EXPECT_EQ(RunConfig().to_json()["data"]["modifiers"], json::array());
}

TEST(ModifierList, ThatMakesNoSenseIsRefused) {
  EXPECT_FAILS(with_list(one({{"kind", "uper"}, {"share", 0.1}})), ConfigError,
               "data.modifiers[0].kind: expected one of upper, title, typos, punctuation, emoji, merge, copy, tags, "
               "terms; got 'uper' "
               "(did you mean 'upper'?)");
  EXPECT_FAILS(with_list(one({{"kind", "upper"}, {"share", 0}})), ConfigError,
               "data.modifiers[0].share: must be over 0, got 0");
  EXPECT_FAILS(with_list(one({{"kind", "upper"}, {"share", 1.5}})), ConfigError,
               "data.modifiers[0].share: must be at most 1, got 1.5");
  EXPECT_FAILS(with_list(one({{"kind", "upper"}, {"share", "0.1"}})), ConfigError,
               "data.modifiers[0].share: expected a number, got \"0.1\"");
  EXPECT_FAILS(with_list(one({{"kind", 3}, {"share", 0.1}})), ConfigError, "data.modifiers[0].kind: expected a");
  EXPECT_FAILS(with_list(one({{"share", 0.1}})), ConfigError, "data.modifiers[0].kind: is missing");
  EXPECT_FAILS(with_list(one({{"kind", "upper"}})), ConfigError, "data.modifiers[0].share: is missing");
  EXPECT_FAILS(with_list(one({{"kind", "typos"}, {"share", 0.1}, {"words", 0}})), ConfigError,
               "data.modifiers[0].words: must be over 0, got 0");
  EXPECT_FAILS(with_list(one({{"kind", "merge"}, {"share", 0.1}, {"most", 1}})), ConfigError,
               "data.modifiers[0].most: must be at least 2, got 1");
  EXPECT_FAILS(with_list(one({{"kind", "tags"}, {"share", 0.1}, {"most", 9}})), ConfigError,
               "data.modifiers[0].most: must be at most 8, got 9");
  EXPECT_FAILS(with_list(one({{"kind", "merge"}, {"share", 0.1}, {"words", 0.1}})), ConfigError,
               "data.modifiers[0].words: is only for the kind 'typos', not for 'merge'; leave it out");
  EXPECT_FAILS(with_list(one({{"kind", "copy"}, {"share", 0.1}, {"most", 3}})), ConfigError,
               "data.modifiers[0].most: is only for the kind 'merge', 'tags' or 'terms', not for 'copy'; leave it out");
  EXPECT_FAILS(with_list(one({{"kind", "upper"}, {"shar", 0.1}, {"share", 0.1}})), ConfigError,
               "data.modifiers[0].shar: unknown setting");
  EXPECT_FAILS(with_list({{"kind", "upper"}, {"share", 0.1}}), ConfigError,
               "data.modifiers: expected a list of objects, got ");
  EXPECT_FAILS(with_list({"upper"}), ConfigError, "data.modifiers[0]: expected an object {...}, got \"upper\"");
}

TEST(ModifierList, HasSharesThatSumToAtMostOne) {
  const auto shares = [](double first, double second) {
    return json{{{"kind", "upper"}, {"share", first}}, {{"kind", "title"}, {"share", second}}};
  };
  EXPECT_NO_THROW(with_list(shares(0.9, 0.1)));
  EXPECT_FAILS(with_list(shares(0.9, 0.2)), ConfigError,
               "data.modifiers: the shares sum to 1.1; expected at most 1, because a pair gets at most one change");
  json tenths;
  for (int i = 0; i < 10; ++i) tenths.push_back({{"kind", "upper"}, {"share", 0.1}});
  EXPECT_NO_THROW(with_list(tenths));
}

TEST(ModifierList, IsOnlyForSentencePairsThatATokenizerDivides) {
  const json list = one({{"kind", "upper"}, {"share", 0.1}});
  for (const char* family : {"bert", "bert-classifier"}) {
    EXPECT_FAILS(with_list(list, {{"architecture", family}}), ConfigError,
                 "data.modifiers: change sentence pairs, and a model of the family");
  }
  for (const char* family : {"rnn", "transformer-nat"}) EXPECT_NO_THROW(with_list(list, {{"architecture", family}}));
  EXPECT_FAILS(with_list(list, {{"tokenizer", {{"kind", "pieces"}}}}), ConfigError,
               "data.modifiers: a tokenizer of kind 'pieces' does not know the changed words; leave the setting out");
}

}  // namespace
}  // namespace ventris::settings
