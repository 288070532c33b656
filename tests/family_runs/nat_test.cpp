#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "files/files.h"
#include "support/run_program.h"
#include "support/running_trainer.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

/// The non-autoregressive family goes through all programs.
namespace ventris::test {
namespace {

using nlohmann::json;

json nat_settings(const json& model) {
  json settings = json::parse(kToySettings);
  settings["architecture"] = "transformer-nat";
  settings["model"].update(model);
  settings["training"].update({{"average_last", 2}, {"ema_decay", 0.9}, {"word_dropout", 0.05}});
  settings["validation"] = {{"every", "10u"}};
  settings.erase("decoding");
  return settings;
}

class NatFamily : public testing::Test {
 protected:
  Outcome train(const std::string& run, const json& settings, const std::string& length) const {
    return run_program("ventris-train", arguments(run, settings, length));
  }

  std::vector<std::string> arguments(const std::string& run, const json& settings, const std::string& length) const {
    return {"-c",        folder.file(run + ".json", settings.dump()),
            "--train",   text.source,
            text.target, "--valid",
            held.source, held.target,
            "-m",        folder.path(run),
            "--after",   length,
            "--threads", "2"};
  }

  std::string weights(const std::string& bundle) const {
    return file_bytes(folder.path(bundle + "/model.safetensors"));
  }

  /// Translates the validation part with these flags.
  Outcome translate(const std::string& model, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"-m", model, "-i", held.source};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-translate", all);
  }

  /// The flags that make a translation try this many lengths.
  std::vector<std::string> candidates(int count) const {
    const std::string name = "candidates-" + std::to_string(count) + ".json";
    return {"-c", folder.file(name, json{{"length_candidates", count}}.dump())};
  }

  /// A corpus whose target is its source: what a model that writes all tokens at once can learn in seconds.
  ToyCorpus copied(const std::string& name, size_t pairs, uint64_t seed) const {
    ToyCorpus corpus = write_toy_corpus(folder, name, pairs, seed);
    corpus.target = folder.file(name + ".copy", file_bytes(corpus.source));
    return corpus;
  }

  TempFolder folder;
  ToyCorpus text = copied("train", 300, 1), held = copied("held", 10, 2);
};

class ResumedNat : public NatFamily, public testing::WithParamInterface<std::pair<std::string, json>> {};

TEST_P(ResumedNat, EndsWithTheBytesOfAnUninterruptedRunAfterAKill) {
  const json settings = nat_settings(GetParam().second);
  const Outcome whole = train("whole", settings, "30u");
  ASSERT_EQ(whole.code, 0) << whole.err;
  ASSERT_EQ(train("stopped", settings, "12u").code, 0);
  {
    RunningTrainer killed(arguments("stopped", settings, "30u"), folder.path("killed.err"));
    ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder.path("stopped/checkpoints/step-00000020")); }));
    killed.send(SIGKILL);
    killed.wait();
  }
  const Outcome resumed = train("stopped", settings, "30u");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  for (const char* bundle : {"final", "averaged"}) {
    EXPECT_FALSE(weights("whole/" + std::string(bundle)).empty());
    EXPECT_EQ(weights("whole/" + std::string(bundle)), weights("stopped/" + std::string(bundle))) << bundle;
  }
}

const auto kKinds = testing::Values(
    std::pair<std::string, json>{"MaskPredict", json::object()},
    std::pair<std::string, json>{"PlainEos", json{{"objective", "plain"}, {"stop", "eos"}}},
    std::pair<std::string, json>{"GlancingSoft",
                                 json{{"objective", "glancing"}, {"decoder_input", "soft"}, {"glancing_updates", 25}}},
    std::pair<std::string, json>{"Ctc", json{{"objective", "ctc"}, {"decoder_input", "uniform"}}},
    std::pair<std::string, json>{"CtcGlancing", json{{"objective", "ctc_glancing"}, {"decoder_input", "uniform"}}});

INSTANTIATE_TEST_SUITE_P(Kinds, ResumedNat, kKinds, [](const auto& kind) { return kind.param.first; });

class TranslatedNat : public ResumedNat {
 protected:
  /// The scores of the validation part that ventris-score prints.
  std::vector<double> scores(const std::string& backend) const {
    const Outcome scored =
        run_program("ventris-score", {"-m", folder.path("run/final"), held.source, held.target, "--backend", backend});
    EXPECT_EQ(scored.code, 0) << scored.err;
    std::istringstream lines(scored.out);
    std::vector<double> found;
    for (std::string line; std::getline(lines, line);) found.push_back(std::stod(line));
    return found;
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, TranslatedNat, kKinds, [](const auto& kind) { return kind.param.first; });

TEST_P(TranslatedNat, OnTheEngineAsOnLibTorchAndWithTheSameScoresInEveryBatch) {
  const Outcome trained = train("run", nat_settings(GetParam().second), "30u");
  ASSERT_EQ(trained.code, 0) << trained.err;
  const std::string bundle = folder.path("run/final");
  const Outcome torch = translate(bundle, {"--backend", "torch"}), engine = translate(bundle, {"--backend", "engine"});
  ASSERT_EQ(torch.code, 0) << torch.err;
  ASSERT_EQ(engine.code, 0) << engine.err;
  EXPECT_EQ(engine.out, torch.out);
  EXPECT_EQ(translate(bundle).out, engine.out);
  const auto wanted = scores("torch"), found = scores("engine");
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < found.size(); ++i) {
    if (std::isfinite(wanted[i])) {
      EXPECT_NEAR(found[i], wanted[i], 1e-3) << i;
    }
  }
  for (const std::string precision : {"f32", "bf16", "int8"}) {
    const auto with = [&](std::vector<std::string> flags) {
      flags.insert(flags.end(), {"--precision", precision, "--format", "moses", "--word-scores"});
      const Outcome outcome = translate(bundle, flags);
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return outcome.out;
    };
    const std::string expected = with({});
    EXPECT_EQ(with({"--mini-batch", "1"}), expected) << precision;
    EXPECT_EQ(with({"--mini-batch", "3", "--threads", "2"}), expected) << precision;
  }
}

TEST_F(NatFamily, LearnsToCopyAndGoesThroughAllPrograms) {
  json settings = nat_settings({{"dropout", 0.0}, {"encoder_layers", 2}, {"decoder_layers", 2}, {"length_range", 8}});
  settings["training"].update({{"word_dropout", 0}, {"save_every", "200u"}});
  settings["validation"]["every"] = "200u";
  const Outcome trained = train("run", settings, "1600u");
  ASSERT_EQ(trained.code, 0) << trained.err;
  const std::string best = folder.path("run/best"), last = folder.path("run/final");
  const json config = json::parse(file_bytes(best + "/config.json"));
  EXPECT_EQ(config["decoding"]["beam_size"], 1);
  EXPECT_EQ(config["decoding"]["iterations"], 10);
  EXPECT_EQ(config["decoding"]["length_candidates"], 5);

  const Outcome found = translate(best);
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(std::count(found.out.begin(), found.out.end(), '\n'), 10);
  EXPECT_EQ(translate(best, {"--mini-batch", "1", "--threads", "2"}).out, found.out);
  std::istringstream ours(found.out), wanted(file_bytes(held.target));
  int same = 0;
  for (std::string a, b; std::getline(ours, a) && std::getline(wanted, b);) same += a == b;
  EXPECT_GE(same, 7) << found.out;

  const std::string once = folder.file("once.json", json{{"iterations", 1}, {"length_candidates", 1}}.dump());
  EXPECT_EQ(translate(best, {"-c", once}).code, 0);
  const Outcome listed = translate(best, {"--n-best", "2"});
  ASSERT_EQ(listed.code, 0) << listed.err;
  EXPECT_NE(listed.out.find("0 ||| "), std::string::npos);
  EXPECT_EQ(translate(best, {"--mbr", "chrf"}).code, 0);
  const Outcome aligned = translate(best, {"--alignment"});
  ASSERT_EQ(aligned.code, 0) << aligned.err;
  EXPECT_NE(aligned.out.find("0-"), std::string::npos) << aligned.out;

  const Outcome scored = run_program("ventris-score", {"-m", best, held.source, held.target});
  ASSERT_EQ(scored.code, 0) << scored.err;
  EXPECT_EQ(std::count(scored.out.begin(), scored.out.end(), '\n'), 10);
  const Outcome inspected = run_program("ventris-inspect", {best});
  ASSERT_EQ(inspected.code, 0) << inspected.err;
  for (const char* part : {"transformer-nat", "mask_predict", "length"}) {
    EXPECT_NE(inspected.out.find(part), std::string::npos) << inspected.out;
  }

  const std::string mean = folder.path("mean");
  const Outcome averaged = run_program("ventris-average", {"-m", best, last, "-o", mean});
  ASSERT_EQ(averaged.code, 0) << averaged.err;
  EXPECT_EQ(translate(mean).code, 0);

  json tuned = settings;
  tuned["training"]["finetune_from"] = last;
  const Outcome fine = train("tuned", tuned, "5u");
  EXPECT_EQ(fine.code, 0) << fine.err;

  const std::string script = folder.path("model.pt");
  const Outcome exported = run_program("ventris-export", {"-m", best, "-o", script, "--verify", held.source});
  ASSERT_EQ(exported.code, 0) << exported.err;
  EXPECT_NE(exported.err.find("verified: 10 lines translate the same"), std::string::npos) << exported.err;
  EXPECT_EQ(translate(script).out, found.out);
  EXPECT_TRUE(std::filesystem::exists(folder.path("run/report.html")));
}

TEST_F(NatFamily, WithCtcItLearnsAndIsScoredOverAllPaths) {
  json settings = nat_settings({{"objective", "ctc"}, {"decoder_input", "uniform"}, {"dropout", 0.0}});
  settings["training"].update({{"word_dropout", 0}, {"save_every", "200u"}});
  settings["validation"]["every"] = "200u";
  const Outcome trained = train("run", settings, "800u");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_NE(trained.err.find("ctc_too_long"), std::string::npos) << trained.err;
  const std::string best = folder.path("run/best");
  const Outcome found = translate(best, {"--format", "jsonl"});
  ASSERT_EQ(found.code, 0) << found.err;
  const Outcome plain = translate(best);
  const Outcome listed = translate(best, {"-b", "4", "--n-best", "3"});
  ASSERT_EQ(listed.code, 0) << listed.err;
  EXPECT_GT(std::count(listed.out.begin(), listed.out.end(), '\n'), 10);
  const std::string searched = translate(best, {"-b", "4"}).out;
  EXPECT_EQ(translate(best, {"-b", "4", "--backend", "torch"}).out, searched);
  EXPECT_EQ(translate(best, {"-b", "4", "--mini-batch", "3", "--threads", "2"}).out, searched);
  const Outcome scored = run_program("ventris-score", {"-m", best, held.source, folder.file("found", plain.out)});
  ASSERT_EQ(scored.code, 0) << scored.err;
  const Outcome aligned = translate(best, {"--alignment"});
  EXPECT_EQ(aligned.code, 2);
  EXPECT_NE(aligned.err.find("this model does not provide its attention"), std::string::npos) << aligned.err;
  const Outcome lengths = translate(best, candidates(2));
  EXPECT_EQ(lengths.code, 2);
  EXPECT_NE(lengths.err.find("length_candidates: must be 1, because this model does not predict a length, got 2"),
            std::string::npos)
      << lengths.err;
  const std::string script = folder.path("model.pt");
  EXPECT_EQ(run_program("ventris-export", {"-m", best, "-o", script, "--verify", held.source}).code, 0);
}

TEST_F(NatFamily, OptionsThatCannotWorkAreRefusedInOneSentence) {
  const Outcome trained = train("run", nat_settings({{"length_range", 4}}), "10u");
  ASSERT_EQ(trained.code, 0) << trained.err;
  const std::string bundle = folder.path("run/final");
  EXPECT_EQ(translate(bundle, candidates(9)).code, 0);
  const std::string prefixes = folder.file("prefixes", "red\nred\nred\nred\nred\nred\nred\nred\nred\nred\n");
  for (const auto& [flags, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"-b", "5"}, "beam_size: must be 1, because this model writes all tokens at once"},
           {candidates(10),
            "length_candidates: must be at most 9, the lengths that this model knows (2 x length_range + 1), got 10"},
           {{"--sampling"}, "sampling: this model writes all tokens at once"},
           {{"--no-repeat-ngram", "2"}, "no_repeat_ngram, repetition_penalty: this model writes all tokens at once"},
           {{"--force-prefix", prefixes}, "force_prefix: this model writes all tokens at once"},
           {{"--terms", folder.file("terms", "red\tblue\n")},
            "constraints, terms: this model writes all tokens at once"}}) {
    const Outcome refused = translate(bundle, flags);
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_NE(refused.err.find(message), std::string::npos) << refused.err;
  }
  const Outcome plotted =
      run_program("ventris-plot", {"attention", "-m", bundle, "--source", "red", "-o", folder.path("figures")});
  EXPECT_NE(plotted.code, 0);
  EXPECT_NE(plotted.err.find("expected a model that writes token by token"), std::string::npos) << plotted.err;
}

TEST_F(NatFamily, SettingsThatCannotWorkAreRefused) {
  const auto refusal = [&](json settings) {
    const Outcome refused = train("run", settings, "10u");
    EXPECT_EQ(refused.code, 2);
    return refused.err;
  };
  json beam = nat_settings(json::object());
  beam["decoding"]["beam_size"] = 5;
  EXPECT_NE(refusal(beam).find("decoding: beam_size: must be 1"), std::string::npos);
  json wide = nat_settings({{"length_range", 4}});
  wide["decoding"]["length_candidates"] = 10;
  EXPECT_NE(refusal(wide).find("decoding: length_candidates: must be at most 9, the lengths that this model knows"),
            std::string::npos);
  json smoothed = nat_settings({{"objective", "ctc"}});
  smoothed["training"]["label_smoothing"] = 0.1;
  EXPECT_NE(refusal(smoothed).find("training.label_smoothing: CTC has no single target"), std::string::npos);
  json twice = nat_settings(json::object());
  twice["training"]["r_drop"] = 1;
  EXPECT_NE(refusal(twice).find("training.r_drop: is only for models that write token by token"), std::string::npos);
  EXPECT_NE(refusal(nat_settings({{"stop", "eos"}})).find("model.stop: must be 'length'"), std::string::npos);
  json other = json::parse(kToySettings);
  other["decoding"]["iterations"] = 3;
  EXPECT_NE(refusal(other).find("decoding: iterations: this is only for models that write all tokens at once"),
            std::string::npos);
}

}  // namespace
}  // namespace ventris::test
