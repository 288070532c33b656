#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "files/files.h"
#include "support/run_program.h"
#include "support/running_trainer.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

/// The recurrent family goes through all programs.
namespace ventris::test {
namespace {

using nlohmann::json;

json rnn_settings(const json& model) {
  json settings = json::parse(kToySettings);
  settings["architecture"] = "rnn";
  settings["model"] = {{"d_embedding", 24}, {"d_hidden", 24}, {"dropout", 0.1}, {"max_length", 64}};
  settings["model"].update(model);
  settings["training"].update({{"average_last", 2}, {"ema_decay", 0.9}, {"word_dropout", 0.1}});
  settings["validation"]["every"] = "10u";
  return settings;
}

class RnnFamily : public testing::Test {
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

  TempFolder folder;
  ToyCorpus text = write_toy_corpus(folder, "train", 300, 1), held = write_toy_corpus(folder, "held", 10, 2);
};

class ResumedRnn : public RnnFamily, public testing::WithParamInterface<std::pair<std::string, json>> {};

TEST_P(ResumedRnn, EndsWithTheBytesOfAnUninterruptedRunAfterAKill) {
  const json settings = rnn_settings(GetParam().second);
  const Outcome whole = train("whole", settings, "40u");
  ASSERT_EQ(whole.code, 0) << whole.err;
  ASSERT_EQ(train("stopped", settings, "15u").code, 0);
  {
    RunningTrainer killed(arguments("stopped", settings, "40u"), folder.path("killed.err"));
    ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder.path("stopped/checkpoints/step-00000020")); }));
    killed.send(SIGKILL);
    killed.wait();
  }
  const Outcome resumed = train("stopped", settings, "40u");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("resuming from"), std::string::npos) << resumed.err;
  for (const char* bundle : {"final", "averaged"}) {
    EXPECT_FALSE(weights("whole/" + std::string(bundle)).empty());
    EXPECT_EQ(weights("whole/" + std::string(bundle)), weights("stopped/" + std::string(bundle))) << bundle;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ResumedRnn,
    testing::Values(std::pair<std::string, json>{"GruFed", json{{"cell", "gru"}, {"encoder_layers", 2}}},
                    std::pair<std::string, json>{
                        "LstmNotFed",
                        json{{"cell", "lstm"}, {"decoder_layers", 2}, {"attention", "dot"}, {"input_feeding", false}}},
                    std::pair<std::string, json>{"LstmFedBack",
                                                 json{{"cell", "lstm"}, {"attention", "bilinear"}, {"tying", "all"}}}),
    [](const auto& kind) { return kind.param.first; });

TEST_F(RnnFamily, LearnsAndGoesThroughAllPrograms) {
  const json settings = rnn_settings({{"d_hidden", 48}, {"d_embedding", 48}, {"tying", "all"}});
  const Outcome trained = train("run", settings, "150u");
  ASSERT_EQ(trained.code, 0) << trained.err;
  const std::string best = folder.path("run/best"), last = folder.path("run/final");

  std::istringstream lines(file_bytes(folder.path("run/metrics.jsonl")));
  std::vector<double> nll;
  for (std::string line; std::getline(lines, line);) nll.push_back(json::parse(line).value("nll", 0.0));
  EXPECT_LT(nll.back(), 0.7 * nll.front());

  const auto translate = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"-m", best, "-i", held.source, "-b", "3"};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-translate", all);
  };
  const Outcome beam = translate({});
  ASSERT_EQ(beam.code, 0) << beam.err;
  EXPECT_EQ(std::count(beam.out.begin(), beam.out.end(), '\n'), 10);
  EXPECT_EQ(translate({"--mini-batch", "1"}).out, beam.out);
  const Outcome aligned = translate({"--alignment", "--replace-unk", "--allow-unk", "--coverage-penalty", "0.2"});
  ASSERT_EQ(aligned.code, 0) << aligned.err;
  EXPECT_NE(aligned.out.find("0-0"), std::string::npos) << aligned.out;
  const Outcome too_high = translate({"--alignment", "--alignment-layer", "2"});
  EXPECT_EQ(too_high.code, 2);
  EXPECT_NE(too_high.err.find("the model has 1 layer with attention to the source, got 2"), std::string::npos);

  const Outcome scored = run_program("ventris-score", {"-m", best, held.source, held.target});
  ASSERT_EQ(scored.code, 0) << scored.err;
  EXPECT_EQ(std::count(scored.out.begin(), scored.out.end(), '\n'), 10);
  const Outcome evaluated =
      run_program("ventris-evaluate", {held.target, "-i", folder.file("found", beam.out), "-m", "chrf"});
  EXPECT_EQ(evaluated.code, 0) << evaluated.err;

  const Outcome inspected = run_program("ventris-inspect", {best});
  ASSERT_EQ(inspected.code, 0) << inspected.err;
  for (const char* part : {"rnn", "additive", "trg_embed"}) {
    EXPECT_NE(inspected.out.find(part), std::string::npos) << inspected.out;
  }

  const std::string mean = folder.path("mean");
  const Outcome averaged = run_program("ventris-average", {"-m", best, last, "-o", mean});
  ASSERT_EQ(averaged.code, 0) << averaged.err;
  EXPECT_EQ(run_program("ventris-translate", {"-m", mean, "-i", held.source}).code, 0);

  json tuned = settings;
  tuned["training"]["finetune_from"] = last;
  const Outcome fine = train("tuned", tuned, "5u");
  EXPECT_EQ(fine.code, 0) << fine.err;

  const std::string script = folder.path("model.pt");
  const Outcome exported =
      run_program("ventris-export", {"-m", best, "-o", script, "--verify", held.source, "-b", "3"});
  ASSERT_EQ(exported.code, 0) << exported.err;
  EXPECT_NE(exported.err.find("verified: 10 lines translate the same"), std::string::npos) << exported.err;
  EXPECT_EQ(run_program("ventris-translate", {"-m", script, "-i", held.source, "-b", "3"}).out, beam.out);

  const std::string figures = folder.path("figures");
  const Outcome plotted = run_program("ventris-plot", {"attention", "-m", best, "--source", "red tree", "-o", figures});
  EXPECT_EQ(plotted.code, 0) << plotted.err;
  EXPECT_TRUE(std::filesystem::exists(figures + "/cross-layer-1.svg"));
  EXPECT_TRUE(std::filesystem::exists(folder.path("run/report.html")));
}

TEST_F(RnnFamily, WithoutAttentionWhatNeedsItIsRefused) {
  const Outcome trained = train("run", rnn_settings({{"attention", "none"}, {"input_feeding", false}}), "10u");
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_EQ(trained.err.find("no attention in the report"), std::string::npos) << trained.err;
  const std::string bundle = folder.path("run/final");
  const Outcome aligned = run_program("ventris-translate", {"-m", bundle, "-i", held.source, "--alignment"});
  EXPECT_EQ(aligned.code, 2);
  EXPECT_NE(aligned.err.find("this model does not provide its attention; either it has none"), std::string::npos);
  const Outcome plotted =
      run_program("ventris-plot", {"attention", "-m", bundle, "--source", "red", "-o", folder.path("figures")});
  EXPECT_EQ(plotted.code, 2);
  EXPECT_NE(plotted.err.find("this model has no attention to the source"), std::string::npos) << plotted.err;
}

TEST_F(RnnFamily, TrainsInBf16) {
  json settings = rnn_settings(json::object());
  settings["training"]["precision"] = "bf16";
  const Outcome trained = train("run", settings, "10u");
  EXPECT_EQ(trained.code, 0) << trained.err;
}

TEST_F(RnnFamily, ImpossibleSettingsAreRefused) {
  const Outcome refused = train("run", rnn_settings({{"attention", "none"}}), "10u");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("model.input_feeding: must be false"), std::string::npos) << refused.err;
}

}  // namespace
}  // namespace ventris::test
