#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/bert_runs.h"
#include "support/running_trainer.h"
#include "support/toy_corpus.h"

/// A translation model whose encoder starts from a BERT, through the programs.
namespace ventris::test {
namespace {

constexpr const char* kTranslation = R"({
  "model": {"decoder_layers": 1, "dropout": 0.1},
  "data": {"max_length": 40},
  "tokenizer": {"vocab_size": 40},
  "training": {"batch_tokens": 256, "save_every": "5u", "report_every": "5u",
               "schedule": {"learning_rate": 0.003, "warmup_updates": 20}},
  "validation": {"every": "20u", "beam_size": 1}
})";

class EncoderFrom : public BertRuns {
 protected:
  /// A BERT, made at the first call.
  const std::string& bert() {
    if (bert_.empty()) {
      bert_ = folder.path("bert/final");
      const Outcome outcome = train("bert", "5u");
      EXPECT_EQ(outcome.code, 0) << outcome.err;
    }
    return bert_;
  }

  std::vector<std::string> translation(const std::string& run, const std::string& length,
                                       const std::vector<std::string>& more = {}) {
    std::vector<std::string> all{
        "-c", translation_settings, "--train", pairs.source, pairs.target,     "--valid", valid.source, valid.target,
        "-m", folder.path(run),     "--after", length,       "--encoder-from", bert()};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Outcome translate(const std::string& run, const std::string& length, const std::vector<std::string>& more = {}) {
    return run_program("ventris-train", translation(run, length, more));
  }

  std::string bert_;
  std::string translation_settings = folder.file("translation.json", kTranslation);
  ToyCorpus pairs = write_toy_corpus(folder, "train", 200, 1), valid = write_toy_corpus(folder, "valid", 10, 2);
};

TEST_F(EncoderFrom, TheModelBeginsWithTheEncoderAndTheTokenizerOfTheBertAndSaysSo) {
  const Outcome outcome = translate("run", "20u", {"--learning-rate", "0"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(file_bytes(folder.path("run/final/source.spm")), file_bytes(bert() + "/source.spm"));
  EXPECT_NE(file_bytes(folder.path("run/final/target.spm")), file_bytes(bert() + "/source.spm"));
  const auto config = nlohmann::json::parse(file_bytes(folder.path("run/final/config.json")));
  EXPECT_EQ(config.at("provenance").at("encoder_from"), bert());
  EXPECT_EQ(config.at("model").at("encoder_layers"), 2);
  const Outcome output = run_program("ventris-translate", {"-m", folder.path("run/final"), "-i", valid.source});
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(std::ranges::count(output.out, '\n'), 10);
}

TEST_F(EncoderFrom, IsKilledAndGoesOnWithoutTheBertToTheBytesOfAnUninterruptedRun) {
  ASSERT_EQ(translate("whole", "30u").code, 0);
  {
    RunningTrainer killed(translation("stopped", "30u"), folder.path("killed.err"));
    ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder.path("stopped/checkpoints/step-00000010")); }));
    killed.send(SIGKILL);
    killed.wait();
  }
  std::filesystem::rename(folder.path("bert"), folder.path("elsewhere"));
  const Outcome resumed = translate("stopped", "30u");
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  const std::string weights = file_bytes(folder.path("whole/final/model.safetensors"));
  EXPECT_FALSE(weights.empty());
  EXPECT_EQ(file_bytes(folder.path("stopped/final/model.safetensors")), weights);
}

TEST_F(EncoderFrom, ItsCostIsEstimated) {
  const Outcome doctor = translate("none", "200u", {"--doctor"});
  EXPECT_EQ(doctor.code, 0) << doctor.err;
}

TEST_F(EncoderFrom, WhatDoesNotFitIsOneSentence) {
  const auto refused = [&](const std::vector<std::string>& more, const std::string& why) {
    const Outcome outcome = translate("refused", "5u", more);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  const auto with = [&](const std::string& json) {
    return std::vector<std::string>{"-c", folder.file("more.json", json)};
  };
  refused(with(R"({"model": {"d_model": 64}})"), "model.d_model: 64 is set, but an encoder that starts from " + bert());
  refused(with(R"({"architecture": "rnn"})"),
          "architecture: \"rnn\" is set, but only a 'transformer' or a 'bert-classifier' can start from");
  refused({"--finetune-from", bert()}, "training.encoder_from, training.finetune_from: expected only one of them");
}

}  // namespace
}  // namespace ventris::test
