#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/bert_runs.h"
#include "support/running_trainer.h"

/// BERT, which learns from running text and does not translate, through the programs.
namespace ventris::test {
namespace {

using BertFamily = BertRuns;

TEST_F(BertFamily, LearnsHiddenWordsAndWhichSentenceFollows) {
  const Outcome outcome = train("run", "400u");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("lines in 60 documents"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("masked_accuracy"), std::string::npos) << outcome.err;
  EXPECT_EQ(outcome.err.find("bleu"), std::string::npos) << outcome.err;
  const auto found = validations("run");
  ASSERT_GT(found.size(), 3U);
  EXPECT_FALSE(found.back().contains("bleu"));
  EXPECT_LT(found.back().at("nll"), found.front().at("nll"));
  EXPECT_GT(found.back().at("masked_accuracy"), 0.5);
  EXPECT_TRUE(found.back().contains("next_sentence_accuracy"));
  const std::string report = file_bytes(folder.path("run/report.html"));
  EXPECT_EQ(report.find("best BLEU"), std::string::npos);
  EXPECT_NE(report.find("best perplexity"), std::string::npos);
}

TEST_F(BertFamily, IsKilledAndGoesOnWithTheBytesOfAnUninterruptedRunAlsoFromTheCache) {
  threads = "2";
  ASSERT_EQ(train("whole", "40u").code, 0);
  const std::vector<std::string> cached{"--cache", folder.path("cache")};
  ASSERT_EQ(train("stopped", "15u", cached).code, 0);
  {
    RunningTrainer killed(arguments("stopped", "40u", cached), folder.path("killed.err"));
    ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder.path("stopped/checkpoints/step-00000020")); }));
    killed.send(SIGKILL);
    killed.wait();
  }
  const Outcome resumed = train("stopped", "40u", cached);
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  for (const char* bundle : {"final", "averaged"}) {
    const std::string file = "/" + std::string(bundle) + "/model.safetensors";
    EXPECT_FALSE(file_bytes(folder.path("whole" + file)).empty());
    EXPECT_EQ(file_bytes(folder.path("whole" + file)), file_bytes(folder.path("stopped" + file))) << bundle;
  }
}

TEST_F(BertFamily, IsInspectedAveragedAndTunedButDoesNotTranslate) {
  ASSERT_EQ(train("run", "10u").code, 0);
  const std::string last = folder.path("run/final");
  const Outcome inspected = run_program("ventris-inspect", {last});
  ASSERT_EQ(inspected.code, 0) << inspected.err;
  EXPECT_NE(inspected.out.find("encoder.layer.1.attention.self.query"), std::string::npos) << inspected.out;
  EXPECT_EQ(run_program("ventris-average", {"-m", last, folder.path("run/best"), "-o", folder.path("mean")}).code, 0);
  const std::string other = folder.file("other.json", R"({"model": {"mask_rate": 0.3, "next_sentence": false}})");
  const Outcome tuned = train("tuned", "5u", {"--finetune-from", last, "-c", other});
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  for (const std::string program : {"ventris-translate", "ventris-score", "ventris-export"}) {
    std::vector<std::string> arguments{"-m", last};
    if (program == "ventris-score") arguments.insert(arguments.end(), {held, held});
    if (program == "ventris-translate") arguments.insert(arguments.end(), {"-i", held});
    if (program == "ventris-export") arguments.insert(arguments.end(), {"-o", folder.path("model.pt")});
    const Outcome refused = run_program(program, arguments);
    EXPECT_EQ(refused.code, 4) << program << refused.err;
    EXPECT_NE(
        refused.err.find("expected a model that translates; models of the family 'bert' do not; use ventris-fill"),
        std::string::npos)
        << program << refused.err;
  }
}

TEST_F(BertFamily, ItsCostIsEstimated) {
  const Outcome doctor = train("none", "200u", {"--doctor"});
  ASSERT_EQ(doctor.code, 0) << doctor.err;
  EXPECT_NE(doctor.out.find("passages"), std::string::npos) << doctor.out;
  EXPECT_FALSE(std::filesystem::exists(folder.path("none")));
}

TEST_F(BertFamily, WhatDoesNotGoTogetherIsRefused) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& why) {
    std::vector<std::string> all{"-m", folder.path("refused"), "--after", "5u"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run_program("ventris-train", all);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  };
  refused({"-c", settings, "--train", first, second},
          "data.train: a model of the family 'bert' learns from running text, which is one file; got two");
  refused({"--train-text", first}, "data.corpora: a model of the family 'transformer' learns from pairs");
  refused({"-c", settings, "-c", folder.file("bleu.json", R"({"validation": {"metric": "bleu"}})")},
          "validation.metric: bleu needs translations, which a model of the family 'bert' does not make");
  const auto with = [&](const std::string& json) {
    return std::vector<std::string>{"-c", settings, "-c", folder.file("more.json", json), "--train-text", first};
  };
  refused(with(R"({"tokenizer": {"sampling_alpha": 0.1}})"),
          "tokenizer.sampling_alpha: subword sampling is for sentence pairs, not for running text");
  refused(with(R"({"tokenizer": {"shared": false}})"), "tokenizer.shared: a bert model reads one language");
  refused(with(R"({"training": {"r_drop": 1}})"), "training.r_drop: is only for models that translate");
  refused({"-c", settings, "--train-tsv", first}, "learns from running text (\"text\")");
  refused(with(R"({"model": {"d_model": 30}})"), "model.d_model: must be a multiple of heads (4), got 30");
  refused(with(R"({"model": {"max_positions": 42}})"), "data.max_length: 40 tokens and eos are over");
  refused(
      {"-c", settings, "-c", folder.file("tag.json", R"({"data": {"corpora": [{"text": "a.txt", "tag": "<x>"}]}})")},
      "running text (\"text\") has no tag and no line weights");
  refused({"-c", settings, "-c", folder.file("two.json", R"({"data": {"corpora": [{"text": "a", "tsv": "b"}]}})")},
          "expected \"source\" and \"target\", or \"tsv\", or \"text\"");
  const Outcome vocab = run_program("ventris-vocab", {"-i", first, "-o", folder.path("plain.spm"), "--size", "40"});
  ASSERT_EQ(vocab.code, 0) << vocab.err;
  refused(with(nlohmann::json({{"tokenizer", {{"source", folder.path("plain.spm")}}}}).dump()),
          "plain.spm has no piece [MASK], which a model of the family 'bert' needs");
}

}  // namespace
}  // namespace ventris::test
