#include "filters/score_settings.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/setting_probes.h"

namespace ventris::filters {
namespace {

using nlohmann::json;

TEST(ScoreSettings, WhatIsWrittenReadsBackTheSame) {
  const json changed = ScoreSettings::parse({{"source", "a"},
                                             {"n_best", "list"},
                                             {"sort", true},
                                             {"feature", "Ours"},
                                             {"format", "jsonl"},
                                             {"normalize", 0.6},
                                             {"threads", 3}})
                           .to_json();
  EXPECT_EQ(ScoreSettings::parse(changed).to_json(), changed);
  EXPECT_EQ(changed["feature"], "Ours");
  EXPECT_EQ(ScoreSettings::parse(ScoreSettings().to_json()).to_json(), ScoreSettings().to_json());
}

TEST(ScoreSettings, MistakesAreNamed) {
  const auto expect_mistake = [](const json& source, const char* part) {
    EXPECT_FAILS(ScoreSettings::parse(source), ConfigError, part);
  };
  expect_mistake({{"sumary", true}}, "did you mean 'summary'?");
  expect_mistake({{"format", "moses"}}, "format: expected one of text, jsonl");
  expect_mistake({{"normalize", 11}}, "normalize: must be from 0 to 10, got 11");
  expect_mistake({{"source", "a"}}, "source, target: one of them is missing");
  expect_mistake({{"target", "a"}}, "source, target: one of them is missing");
  expect_mistake({{"n_best", "list"}}, "n_best: the sources of the list are missing");
  expect_mistake({{"n_best", "list"}, {"source", "a"}, {"target", "b"}},
                 "target: an n-best list already has the targets");
  expect_mistake({{"tsv", "t"}, {"source", "a"}, {"target", "b"}}, "source, tsv: cannot be used together");
  expect_mistake({{"source", "-"}, {"target", "-"}}, "standard input can be only one of the files");
  expect_mistake({{"source", "-"}, {"n_best", "-"}}, "standard input can be only one of the files");
  expect_mistake({{"sort", true}}, "sort: has an effect only with --n-best");
  expect_mistake({{"summary", true}, {"sort", true}, {"n_best", "l"}, {"source", "a"}}, "summary, sort");
  expect_mistake({{"summary", true}, {"word_scores", true}}, "summary, word_scores");
  const json list{{"n_best", "l"}, {"source", "a"}};
  const auto weights = [&](const char* text) {
    json source = list;
    source["feature_weights"] = text;
    return source;
  };
  expect_mistake({{"feature_weights", "Score= 1"}}, "feature_weights: have an effect only with --n-best");
  expect_mistake(weights("Score 1"), "feature_weights: expected names with weights, such as \"Score= 0.6 LM0= 0.4\"");
  expect_mistake(weights(" "), "feature_weights: expected names with weights");
  expect_mistake(weights("LM0= 1"), "feature_weights: expected one weight of the new feature, Score, got 0");
  expect_mistake(weights("Score= 1 2"), "feature_weights: expected one weight of the new feature, Score, got 2");
  json summed = weights("Score= 1");
  summed["summary"] = true;
  expect_mistake(summed, "summary, feature_weights: cannot be used together, because a summary has no n-best list");
  const ScoreSettings weighted = ScoreSettings::parse(weights("Score= 1 LM0= 2"));
  EXPECT_EQ(weighted.feature_weights, "Score= 1 LM0= 2");
  EXPECT_EQ(weighted.weights, (Features{{"Score", {1}}, {"LM0", {2}}}));
  for (const char* feature : {"", "two words", "a=", "a|"}) expect_mistake({{"feature", feature}}, "feature: must be");
}

TEST(ScoreSettings, DescribesEverySettingThatItWrites) {
  const json written = ScoreSettings().to_json();
  const auto sections = ScoreSettings::describe();
  ASSERT_EQ(sections.size(), 1U);
  EXPECT_EQ(sections[0].settings.size(), written.size());
  for (const auto& setting : sections[0].settings) {
    ASSERT_TRUE(written.contains(setting.path)) << setting.path;
    EXPECT_EQ(setting.fallback, written.at(setting.path).dump()) << setting.path;
  }
}

TEST(ScoreSettings, TheLimitsThatItDescribesAreThoseOfItsParser) {
  size_t checked = 0;
  const auto sections = ScoreSettings::describe();
  for (const auto& setting : sections.front().settings) {
    for (const test::Probe& probe : test::probes_of(setting)) {
      json source = json::object();
      source[setting.path] = probe.value;
      std::string error;
      try {
        ScoreSettings::parse(source);
      } catch (const ConfigError& thrown) {
        error = thrown.what();
      }
      EXPECT_EQ(error.starts_with(setting.path + ": must be "), !probe.allowed)
          << setting.path << " " << probe.value << ": " << error;
      ++checked;
    }
  }
  EXPECT_GT(checked, 10U);
}

}  // namespace
}  // namespace ventris::filters
