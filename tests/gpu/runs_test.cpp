#include <gtest/gtest.h>
#include <torch/torch.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "files/files.h"
#include "support/bert_runs.h"
#include "support/run_program.h"
#include "support/running_trainer.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

/// Every model family goes through the programs on a GPU.
namespace ventris::test {
namespace {

using nlohmann::json;

struct Kind {
  std::string name;
  json architecture;  // the parts of the settings that make the family
};

json nat(const json& model) { return {{"architecture", "transformer-nat"}, {"model", model}}; }

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"transformer", json::object()},
      {"post_norm_r_drop", {{"model", {{"norm", "post"}, {"tying", "all"}}}, {"training", {{"r_drop", 1.0}}}}},
      {"additive", {{"model", {{"attention_score", "additive"}}}}},
      {"window", {{"model", {{"self_attention", "window"}, {"window", 4}}}}},
      {"linear", {{"model", {{"self_attention", "linear"}}}}},
      {"ssru", {{"model", {{"self_attention", "ssru"}}}}},
      {"segment",
       {{"model", {{"self_attention", "segment"}, {"positions", "relative"}, {"segment", 4}, {"segment_memory", 4}}}}},
      {"gru",
       {{"architecture", "rnn"},
        {"model", {{"d_embedding", 24}, {"d_hidden", 24}, {"encoder_layers", 2}, {"max_length", 64}}}}},
      {"lstm",
       {{"architecture", "rnn"},
        {"model",
         {{"d_embedding", 24},
          {"d_hidden", 24},
          {"cell", "lstm"},
          {"attention", "dot"},
          {"input_feeding", false},
          {"max_length", 64}}}}},
      {"mask_predict", nat({{"objective", "mask_predict"}})},
      {"glancing", nat({{"objective", "glancing"}, {"decoder_input", "uniform"}, {"stop", "eos"}})},
      {"ctc_glancing", nat({{"objective", "ctc_glancing"}, {"decoder_input", "soft"}})},
  };
  return all;
}

class GpuRun : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "this machine has no GPU, or this LibTorch does not use it";
  }

  json settings(double dropout) const {
    json all = json::parse(kToySettings);
    if (GetParam().architecture.value("architecture", "") == "rnn") all.erase("model");
    if (GetParam().architecture.contains("architecture")) all.erase("decoding");
    all.merge_patch(GetParam().architecture);
    if (all.value("architecture", "") == "transformer-nat") all["validation"].erase("beam_size");
    all["model"]["dropout"] = dropout;
    all["training"].update({{"precision", "f32"}, {"ema_decay", 0.9}});
    return all;
  }

  std::vector<std::string> arguments(const std::string& run, const json& all, const std::string& length,
                                     const std::string& device) const {
    return {"-c",        folder.file(run + ".json", all.dump()),
            "--train",   text.source,
            text.target, "--valid",
            held.source, held.target,
            "-m",        folder.path(run),
            "--after",   length,
            "--device",  device};
  }

  Outcome train(const std::string& run, const json& all, const std::string& length, const std::string& device) const {
    return run_program("ventris-train", arguments(run, all, length, device));
  }

  std::vector<double> losses(const std::string& run) const {
    std::istringstream lines(file_bytes(folder.path(run + "/metrics.jsonl")));
    std::vector<double> found;
    for (std::string line; std::getline(lines, line);) {
      const json entry = json::parse(line);
      if (entry.contains("nll")) found.push_back(entry.at("nll"));
    }
    return found;
  }

  TempFolder folder;
  ToyCorpus text = write_toy_corpus(folder, "train", 300, 1), held = write_toy_corpus(folder, "held", 10, 2);
};

/// Without dropout, only the order of sums differs. (Models that draw other random numbers learn from other inputs.)
TEST_P(GpuRun, LearnsAsOnACpu) {
  const json all = settings(0);
  ASSERT_EQ(train("cpu", all, "20u", "cpu").code, 0);
  const Outcome outcome = train("gpu", all, "20u", "cuda");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto expected = losses("cpu"), found = losses("gpu");
  ASSERT_EQ(found.size(), expected.size());
  const bool draws = all.value("architecture", "") == "transformer-nat";
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i] / expected[i], 1, draws ? 0.2 : 1e-3) << i;
}

TEST_P(GpuRun, IsKilledResumedAndTranslatesAsOnACpu) {
  const json all = settings(0.1);
  ASSERT_EQ(train("whole", all, "40u", "cuda").code, 0);
  ASSERT_EQ(train("stopped", all, "15u", "cuda").code, 0);
  {
    RunningTrainer killed(arguments("stopped", all, "40u", "cuda"), folder.path("killed.err"));
    ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder.path("stopped/checkpoints/step-00000020")); }));
    killed.send(SIGKILL);
    killed.wait();
  }
  const Outcome resumed = train("stopped", all, "40u", "cuda");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(file_bytes(folder.path("whole/final/model.safetensors")),
            file_bytes(folder.path("stopped/final/model.safetensors")));

  const std::string bundle = folder.path("whole/final");
  const auto translated = [&](const std::string& device) {
    const Outcome outcome = run_program("ventris-translate", {"-m", bundle, "-i", held.source, "--device", device});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_EQ(translated("cuda"), translated("cpu"));
  const auto score = [&](const std::string& device) {
    const Outcome outcome = run_program("ventris-score", {"-m", bundle, held.source, held.target, "--device", device});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return std::stod(outcome.out);
  };
  EXPECT_NEAR(score("cuda"), score("cpu"), 1e-3);
}

TEST_P(GpuRun, TrainsInBf16) {
  json all = settings(0.1);
  all["training"]["precision"] = "bf16";
  const Outcome outcome = train("run", all, "10u", "cuda");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(Kinds, GpuRun, testing::ValuesIn(kinds()), [](const auto& kind) { return kind.param.name; });

class GpuBert : public BertRuns {};

TEST_F(GpuBert, LearnsAndGoesOnWithTheSameBytes) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "this machine has no GPU, or this LibTorch does not use it";
  const std::vector<std::string> device{"--device", "cuda"};
  const Outcome whole = train("whole", "40u", device);
  ASSERT_EQ(whole.code, 0) << whole.err;
  ASSERT_EQ(train("stopped", "15u", device).code, 0);
  ASSERT_EQ(train("stopped", "40u", device).code, 0);
  EXPECT_EQ(file_bytes(folder.path("whole/final/model.safetensors")),
            file_bytes(folder.path("stopped/final/model.safetensors")));
  ASSERT_EQ(train("cpu", "40u").code, 0);
  EXPECT_NEAR(validations("whole").back().at("nll").get<double>() / validations("cpu").back().at("nll").get<double>(),
              1, 0.01);
}

}  // namespace
}  // namespace ventris::test
