#include "settings/run_config.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.h"
#include "support/setting_probes.h"

namespace ventris::settings {
namespace {

using nlohmann::json;

std::string error_of(const json& source) {
  try {
    RunConfig::parse(source);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(RunConfig, DefaultsSurviveARoundTripThroughJson) {
  const json defaults = RunConfig().to_json();
  EXPECT_EQ(RunConfig::parse(json::object()).to_json(), defaults);
  EXPECT_EQ(RunConfig::parse(defaults).to_json(), defaults);
}

TEST(RunConfig, ReadsWhatItIsGiven) {
  const auto config = RunConfig::parse(json::parse(R"({
    "data": {"train": ["a.en", "a.de"], "valid": ["v.tsv"]},
    "model": {"d_model": 64, "heads": 4, "norm": "post"},
    "training": {"after": "20e", "schedule": {"kind": "noam", "learning_rate": 2}},
    "validation": {"metric": "chrf"}
  })"));
  EXPECT_EQ(config.data.train.target, "a.de");
  EXPECT_EQ(config.data.valid.source, "v.tsv");
  EXPECT_EQ(config.data.valid.target, "");
  EXPECT_EQ(config.model->width(), 64);
  EXPECT_EQ(config.model->to_json()["norm"], "post");
  EXPECT_EQ(config.training.after.text(), "20e");
  EXPECT_EQ(config.training.schedule.kind, ScheduleKind::kNoam);
  EXPECT_EQ(config.validation.metric, Metric::kChrf);
}

TEST(RunConfig, RefusesAMisspeltSettingAndSuggestsTheRightOne) {
  EXPECT_EQ(error_of({{"training", {{"schedule", {{"warmup_update", 3}}}}}}),
            "training.schedule.warmup_update: unknown setting (did you mean 'warmup_updates'?)");
  EXPECT_EQ(error_of({{"trainin", json::object()}}), "trainin: unknown setting (did you mean 'training'?)");
}

TEST(RunConfig, NamesThePathOfAWrongTypeOrValue) {
  EXPECT_EQ(error_of({{"training", {{"batch_tokens", "many"}}}}),
            "training.batch_tokens: expected a whole number, got \"many\"");
  EXPECT_NE(error_of({{"training", {{"batch_tokens", 0}}}}).find("training.batch_tokens: must be at least 1, got 0"),
            std::string::npos);
  EXPECT_NE(error_of({{"training", {{"label_smoothing", 1.0}}}}).find("training.label_smoothing: must be under 1"),
            std::string::npos);
  EXPECT_NE(error_of({{"training", {{"after", "soon"}}}}).find("training.after: expected an amount"),
            std::string::npos);
  EXPECT_NE(error_of({{"training", {{"device", "gpu"}}}}).find("training.device: expected cpu, cuda or cuda:N"),
            std::string::npos);
  EXPECT_NE(error_of({{"validation", {{"metric", "blue"}}}}).find("did you mean 'bleu'"), std::string::npos);
  EXPECT_NE(error_of({{"data", {{"train", {"a", "b", "c"}}}}}).find("data.train: expected [source, target] or [file]"),
            std::string::npos);
  EXPECT_NE(error_of({{"training", {{"schedule", {{"kind", "linear"}}}}}}).find("total_updates: must be over"),
            std::string::npos);
  EXPECT_NE(error_of({{"training", {{"optimizer", {{"beta2", 1.0}}}}}}).find("beta1 and beta2 must be under 1"),
            std::string::npos);
  EXPECT_NE(error_of({{"decoding", {{"length_alpha", 11}}}}).find("decoding.length_alpha: must be at most 10, got 11"),
            std::string::npos);
  EXPECT_NE(error_of({{"data", {{"max_length", 5000}}}}).find("are over the maximum length of the model (1024)"),
            std::string::npos);
  EXPECT_NE(
      error_of({{"data", {{"max_length", std::numeric_limits<int64_t>::max()}}}}).find("are over the maximum length"),
      std::string::npos);
  EXPECT_NE(
      error_of({{"tokenizer", {{"vocab_size", int64_t{1} << 32}}}}).find("vocab_size: must be at most 2147483647"),
      std::string::npos);
  EXPECT_NE(error_of({{"training", {{"optimizer", {{"epsilon", 0}}}}}}).find("epsilon: must be over 0, got 0"),
            std::string::npos);
  EXPECT_NE(error_of({{"training", {{"r_drop", INFINITY}}}}).find("training.r_drop: must be a finite number"),
            std::string::npos);
  EXPECT_NE(error_of({{"data", {{"train", {"caf\xe9.en", "b"}}}}}).find("data.train.0: expected valid UTF-8"),
            std::string::npos);
}

TEST(RunConfig, RefusesAveragesThatMeanNothing) {
  const json valid = {{"valid", {"v.en", "v.de"}}};
  const auto error = [&](const json& training, const json& data) {
    return error_of({{"training", training}, {"data", data}});
  };
  EXPECT_EQ(error({{"average_last", 1}}, valid),
            "training.average_last: expected 0 (none) or at least 2 models, got 1");
  EXPECT_EQ(error({{"average_last", 3}, {"average_best", 2}}, valid),
            "training.average_last, training.average_best: expected only one of them, got 3 and 2");
  EXPECT_NE(error({{"average_best", 2}}, json::object())
                .find("training.average_best: needs a validation corpus, which decides which models are best"),
            std::string::npos);
  EXPECT_NE(error({{"keep_best", 2}}, json::object()).find("training.keep_best: needs a validation corpus"),
            std::string::npos);
  EXPECT_EQ(error({{"keep_best", 2}, {"average_best", 2}}, valid), "");
  EXPECT_EQ(error({{"average_last", 2}}, json::object()), "");
}

TEST(RunConfig, HowAModelWritesDecidesWhatIsNotGiven) {
  const auto decoding = [](const json& model, const json& given = json::object()) {
    return RunConfig::parse({{"architecture", "transformer-nat"}, {"model", model}, {"decoding", given}}).decoding;
  };
  const auto refined = decoding(json::object());
  EXPECT_EQ(refined.beam_size, 1);
  EXPECT_EQ(refined.iterations, 10);
  EXPECT_EQ(refined.length_candidates, 5);
  EXPECT_EQ(decoding({{"length_range", 1}}).length_candidates, 3);
  EXPECT_EQ(decoding(json::object(), {{"iterations", 4}}).iterations, 4);
  const auto ctc = decoding({{"objective", "ctc"}});
  EXPECT_EQ(ctc.beam_size, 1);
  EXPECT_EQ(ctc.iterations, 1);
  EXPECT_EQ(ctc.length_candidates, 1);
  EXPECT_EQ(RunConfig::parse(json::object()).decoding.beam_size, 5);
}

TEST(RunConfig, SettingsThatAModelDoesNotTakeAreRefused) {
  const auto error = [](json more) {
    more["architecture"] = "transformer-nat";
    return error_of(more);
  };
  EXPECT_EQ(error({{"decoding", {{"beam_size", 5}}}}),
            "decoding: beam_size: must be 1, because this model writes all tokens at once, without a search, got 5; "
            "leave it out, or give length_candidates");
  EXPECT_EQ(error({{"training", {{"r_drop", 1.0}}}}),
            "training.r_drop: is only for models that write token by token; leave it out");
  EXPECT_NE(error({{"model", {{"objective", "ctc"}}}, {"training", {{"label_smoothing", 0.1}}}})
                .find("training.label_smoothing: CTC has no single target"),
            std::string::npos);
  EXPECT_NE(error_of({{"decoding", {{"iterations", 3}}}})
                .find("decoding: iterations: this is only for models that write all tokens at once"),
            std::string::npos);
}

TEST(RunConfig, AccuracyIsTheMetricOfClassifiersAlone) {
  EXPECT_EQ(RunConfig::parse({{"architecture", "bert-classifier"}}).validation.metric, Metric::kAccuracy);
  EXPECT_EQ(RunConfig::parse({{"architecture", "bert"}}).validation.metric, Metric::kLoss);
  EXPECT_EQ(error_of({{"architecture", "bert-classifier"}, {"validation", {{"metric", "perplexity"}}}}), "");
  EXPECT_EQ(error_of({{"validation", {{"metric", "accuracy"}}}}),
            "validation.metric: accuracy is measured only for classifiers, and a model of the family 'transformer' is "
            "none; use bleu, chrf, loss or perplexity");
}

TEST(RunConfig, ARunStartsFromOneModelOnly) {
  EXPECT_EQ(
      error_of({{"training", {{"encoder_from", "bert"}, {"finetune_from", "run/best"}}}}),
      "training.encoder_from, training.finetune_from: expected only one of them, got bert and run/best; leave one "
      "of them out");
  EXPECT_NE(error_of({{"training", {{"target_vectors", "a.vec"}, {"finetune_from", "run/best"}}}})
                .find("training.target_vectors, training.finetune_from: expected only one of them"),
            std::string::npos);
  EXPECT_NE(error_of({{"training", {{"source_vectors", "a.vec"}, {"encoder_from", "bert"}}}})
                .find("training.source_vectors, training.encoder_from: expected only one of them"),
            std::string::npos);
}

/// The sections that describe the settings of a run with a model of this family; those of other families are left out.
std::vector<core::SettingsSection> sections_of(const std::string& family) {
  std::vector<core::SettingsSection> sections;
  for (const auto& section : RunConfig::describe()) {
    const bool of_a_family = section.title == "model";
    if (!of_a_family || section.meaning == "Settings of the family `" + family + "`.") sections.push_back(section);
  }
  return sections;
}

class SettingsOfAFamily : public testing::TestWithParam<std::string> {};

TEST_P(SettingsOfAFamily, AreAllDescribedWithTheirValuesAsDefaults) {
  const json defaults = RunConfig::parse({{"architecture", GetParam()}}).to_json();
  std::map<std::string, core::SettingDescription> described;
  for (const auto& section : sections_of(GetParam())) {
    for (const auto& setting : section.settings) {
      EXPECT_TRUE(described.emplace(setting.path, setting).second) << setting.path;
      EXPECT_FALSE(setting.on_resume.empty()) << setting.path;
    }
  }
  for (const std::string& path : test::leaves_of(defaults)) {
    ASSERT_TRUE(described.contains(path)) << path;
    const std::set<std::string> of_the_family{
        "architecture",       "validation.metric",   "training.label_smoothing",
        "decoding.beam_size", "decoding.iterations", "decoding.length_candidates"};
    const bool depends = of_the_family.contains(path);
    if (!depends) {
      EXPECT_EQ(described[path].fallback, defaults.at(test::pointer_to(path)).dump()) << path;
    }
    described.erase(path);
  }
  for (const auto& [path, setting] : described) EXPECT_EQ(setting.fallback, "") << path << " is not written";
}

TEST_P(SettingsOfAFamily, HaveTheDescribedLimits) {
  size_t checked = 0;
  for (const auto& section : sections_of(GetParam())) {
    for (const auto& setting : section.settings) {
      if (setting.path.find("[]") != std::string::npos) continue;  // of a list's entries
      for (const test::Probe& probe : test::probes_of(setting)) {
        json source{{"architecture", GetParam()}};
        source[test::pointer_to(setting.path)] = probe.value;
        const std::string error = error_of(source);
        const bool refused =
            error.starts_with(setting.path + ": must be ") && error.find("multiple") == std::string::npos;
        EXPECT_EQ(refused, !probe.allowed) << setting.path << " " << probe.value << ": " << error;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 80U);
}

INSTANTIATE_TEST_SUITE_P(All, SettingsOfAFamily, testing::ValuesIn(architecture::family_names()));

TEST(RunConfig, TheLongestSideFitsIntoABatch) {
  RunConfig config;
  config.data.filter.max_length = 50;
  config.training.batch_tokens = 100;
  EXPECT_EQ(config.longest_side(), 50);
  config.training.batch_tokens = 20;
  EXPECT_EQ(config.longest_side(), 19);  // and eos
  config.training.length_cost = 0.1;     // 10 tokens count as 20
  EXPECT_EQ(config.longest_side(), 9);
}

}  // namespace
}  // namespace ventris::settings
