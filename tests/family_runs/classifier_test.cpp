#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/bert_runs.h"
#include "support/running_trainer.h"

/// A classifier over [CLS], which learns from labelled text, through the programs.
namespace ventris::test {
namespace {

constexpr const char* kTinyClassifier = R"({
  "architecture": "bert-classifier",
  "model": {"d_model": 32, "d_ff": 64, "heads": 4, "layers": 2, "max_positions": 64,
            "dropout": 0.1, "attention_dropout": 0},
  "data": {"max_length": 40},
  "tokenizer": {"vocab_size": 60},
  "training": {"batch_tokens": 256, "save_every": "5u", "report_every": "5u", "average_last": 2,
               "schedule": {"learning_rate": 0.003, "warmup_updates": 20}},
  "validation": {"every": "20u"}
})";

/// Texts of which two words tell the label: "low" or "high" number words.
std::string labelled(int count, int first) {
  const char* const words[] = {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
  std::string text;
  for (int i = 0; i < count; ++i) {
    const int k = (7 * i + first) % 10;
    text += std::string(k < 5 ? "low" : "high") + "\tthe number " + words[k] + " and " +
            words[(k < 5 ? 0 : 5) + i % 5] + "\n";
  }
  return text;
}

class ClassifierFamily : public BertRuns {
 protected:
  std::vector<std::string> labels_arguments(const std::string& run, const std::string& length,
                                            const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"-c", classifier,       "--train-labels", texts,  "--valid-labels", held_texts,
                                 "-m", folder.path(run), "--after",        length, "--threads",      threads};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Outcome learn(const std::string& run, const std::string& length, const std::vector<std::string>& more = {}) const {
    return run_program("ventris-train", labels_arguments(run, length, more));
  }
  nlohmann::json config_of(const std::string& bundle) const {
    return nlohmann::json::parse(file_bytes(folder.path(bundle + "/config.json")));
  }
  void refused(const Outcome& outcome, int code, const std::string& why) const {
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  }

  std::string classifier = folder.file("classifier.json", kTinyClassifier);
  std::string texts = folder.file("train.tsv", labelled(400, 0)), held_texts = folder.file("held.tsv", labelled(40, 3));
};

TEST_F(ClassifierFamily, LearnsTheLabelsAndPredictsThem) {
  const Outcome outcome = learn("run", "200u");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("2 labels: high, low"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("400 lines, 400 texts with 2 labels"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("(accuracy)"), std::string::npos) << outcome.err;  // the metric
  EXPECT_EQ(outcome.err.find("bleu"), std::string::npos) << outcome.err;
  const auto found = validations("run");
  ASSERT_GT(found.size(), 3U);
  EXPECT_GT(found.back().at("accuracy"), 0.95);
  EXPECT_NE(file_bytes(folder.path("run/report.html")).find("best accuracy"), std::string::npos);
  EXPECT_EQ(config_of("run/best").at("model").at("labels"), (nlohmann::json{"high", "low"}));
  EXPECT_EQ(config_of("run").at("model").at("labels"), (nlohmann::json{"high", "low"}));
  const Outcome labels = run_program("ventris-classify", {"-m", folder.path("run/best")},
                                     "the number two and three\n\nthe number nine and seven\n");
  EXPECT_EQ(labels.out, "low\n\nhigh\n") << labels.err;
  const Outcome summary =
      run_program("ventris-classify", {"-m", folder.path("run/best"), "-i", held_texts, "--gold", "--summary"});
  EXPECT_NE(summary.out.find("of 40 texts"), std::string::npos) << summary.out;
}

TEST_F(ClassifierFamily, IsKilledAndGoesOnWithTheBytesOfAnUninterruptedRunAlsoFromTheCache) {
  threads = "2";
  const std::vector<std::string> sampled{"--subword-sampling", "0.3"};
  ASSERT_EQ(learn("whole", "40u", sampled).code, 0);
  const std::vector<std::string> cached{"--cache", folder.path("cache"), "--subword-sampling", "0.3"};
  ASSERT_EQ(learn("stopped", "15u", cached).code, 0);
  {
    RunningTrainer killed(labels_arguments("stopped", "40u", cached), folder.path("killed.err"));
    ASSERT_TRUE(wait_until([&] { return std::filesystem::exists(folder.path("stopped/checkpoints/step-00000020")); }));
    killed.send(SIGKILL);
    killed.wait();
  }
  const Outcome resumed = learn("stopped", "40u", cached);
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  for (const char* bundle : {"final", "averaged"}) {
    const std::string file = "/" + std::string(bundle) + "/model.safetensors";
    EXPECT_FALSE(file_bytes(folder.path("whole" + file)).empty());
    EXPECT_EQ(file_bytes(folder.path("whole" + file)), file_bytes(folder.path("stopped" + file))) << bundle;
  }
}

TEST_F(ClassifierFamily, StartsFromABertAndGoesOnWithoutIt) {
  ASSERT_EQ(train("bert", "5u").code, 0);
  const std::string bert = folder.path("bert/final");
  const std::vector<std::string> from{"--encoder-from", bert};
  const Outcome frozen = learn("run", "5u", {"--encoder-from", bert, "--learning-rate", "0"});
  ASSERT_EQ(frozen.code, 0) << frozen.err;
  EXPECT_EQ(file_bytes(folder.path("run/final/source.spm")), file_bytes(bert + "/source.spm"));
  EXPECT_EQ(config_of("run/final").at("provenance").at("encoder_from"), bert);
  for (const std::string& model : {bert, folder.path("run/final")}) {  // both give the same vectors
    const Outcome vectors = run_program("ventris-embed", {"-m", model, "--pooling", "pooler", "-o", model + ".npy"},
                                        "the number one\nand ten\n");
    EXPECT_EQ(vectors.code, 0) << vectors.err;
  }
  EXPECT_EQ(file_bytes(bert + ".npy"), file_bytes(folder.path("run/final.npy")));
  ASSERT_EQ(learn("whole", "20u", from).code, 0);
  ASSERT_EQ(learn("stopped", "10u", from).code, 0);
  std::filesystem::rename(folder.path("bert"), folder.path("elsewhere"));
  const Outcome resumed = learn("stopped", "20u", from);
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(file_bytes(folder.path("whole/final/model.safetensors")),
            file_bytes(folder.path("stopped/final/model.safetensors")));
}

TEST_F(ClassifierFamily, IsInspectedAveragedAndTunedButDoesNotTranslate) {
  ASSERT_EQ(learn("run", "10u").code, 0);
  const std::string last = folder.path("run/final");
  const Outcome inspected = run_program("ventris-inspect", {last});
  ASSERT_EQ(inspected.code, 0) << inspected.err;
  EXPECT_NE(inspected.out.find("labels [\"high\",\"low\"]"), std::string::npos) << inspected.out;
  EXPECT_EQ(run_program("ventris-average", {"-m", last, folder.path("run/best"), "-o", folder.path("mean")}).code, 0);
  const Outcome tuned = learn("tuned", "5u", {"--finetune-from", last});
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  for (const std::string program : {"ventris-translate", "ventris-score", "ventris-export"}) {
    std::vector<std::string> arguments{"-m", last};
    if (program == "ventris-score") arguments.insert(arguments.end(), {held, held});
    if (program == "ventris-translate") arguments.insert(arguments.end(), {"-i", held});
    if (program == "ventris-export") arguments.insert(arguments.end(), {"-o", folder.path("model.pt")});
    refused(run_program(program, arguments), 4,
            "expected a model that translates; models of the family 'bert-classifier' do not; use ventris-classify");
  }
}

TEST_F(ClassifierFamily, OtherLabelsNeedANewLastLayer) {
  ASSERT_EQ(learn("run", "5u").code, 0);
  const std::string last = folder.path("run/final");
  const std::string other = folder.file("other.tsv", "x\tone two\ny\tthree\nx\tfive\ny\tsix\n");
  const auto on_others = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"-c", classifier,           "--train-labels", other,
                                 "-m", folder.path("other"), "--after",        "5u"};
    all.insert(all.end(), more.begin(), more.end());
    return run_program("ventris-train", all);
  };
  refused(on_others({"--finetune-from", last}), 3,
          "other.tsv:1: the label 'x' is not a label of the model, which has high, low");
  const std::string named = folder.file("named.json", R"({"model": {"labels": ["x", "y"]}})");
  refused(on_others({"--finetune-from", last, "-c", named}), 2,
          "model.labels: [\"x\",\"y\"] is set, but " + last +
              ", which the run starts from (training.finetune_from), has [\"high\",\"low\"]; leave it out, or start "
              "only the encoder from it (training.encoder_from)");
  const Outcome outcome = on_others({"--encoder-from", last});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(config_of("other/final").at("model").at("labels"), (nlohmann::json{"x", "y"}));
}

TEST_F(ClassifierFamily, GivenLabelsKeepTheirOrder) {
  const std::string named = folder.file("named.json", R"({"model": {"labels": ["low", "none", "high"]}})");
  ASSERT_EQ(learn("run", "5u", {"-c", named}).code, 0);
  EXPECT_EQ(config_of("run/final").at("model").at("labels"), (nlohmann::json{"low", "none", "high"}));
  refused(learn("run", "10u"), 0, "resuming from");  // with the labels of the run
  const std::string turned = folder.file("turned.json", R"({"model": {"labels": ["high", "none", "low"]}})");
  refused(learn("run", "10u", {"-c", turned}), 2, "model.labels: the run was begun with [\"low\",\"none\",\"high\"]");
}

TEST_F(ClassifierFamily, ARunGoesOnWithFilesThatHaveMoved) {
  ASSERT_EQ(learn("run", "5u").code, 0);
  std::filesystem::rename(texts, folder.path("moved.tsv"));
  texts = folder.path("moved.tsv");
  refused(learn("run", "10u"), 0, "resuming from");
}

TEST_F(ClassifierFamily, ReadsStandardInputAndItsCostIsEstimated) {
  const Outcome piped =
      run_program("ventris-train", {"-c", classifier, "--train-labels", "-", "-m", folder.path("run"), "--after", "5u"},
                  labelled(50, 0));
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(config_of("run/final").at("model").at("labels"), (nlohmann::json{"high", "low"}));
  const Outcome doctor = learn("none", "200u", {"--doctor"});
  ASSERT_EQ(doctor.code, 0) << doctor.err;
  EXPECT_NE(doctor.out.find("400 texts with 2 labels"), std::string::npos) << doctor.out;
  EXPECT_FALSE(std::filesystem::exists(folder.path("none")));
}

TEST_F(ClassifierFamily, WhatDoesNotGoTogetherIsOneSentence) {
  const auto with = [&](const std::string& json) {
    return learn("refused", "5u", {"-c", folder.file("more.json", json)});
  };
  refused(with(R"({"validation": {"metric": "bleu"}})"), 2,
          "'bert-classifier' does not make; use accuracy, loss or perplexity");
  refused(with(R"({"tokenizer": {"shared": false}})"), 2,
          "tokenizer.shared: a bert-classifier model reads one language");
  refused(with(R"({"training": {"word_dropout": 0.1}})"), 2,
          "training.word_dropout: is only for models that translate");
  refused(with(R"({"model": {"labels": ["low"]}})"), 2, "model.labels: expected at least 2 labels, got 1, 'low'");
  const auto files = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> all{"-c", classifier, "-m", folder.path("refused"), "--after", "5u"};
    all.insert(all.end(), flags.begin(), flags.end());
    return run_program("ventris-train", all);
  };
  refused(files({"--train-tsv", texts}), 2, "learns from labelled text (\"labels\"); " + texts + " is given as pairs");
  refused(files({"--train", texts, texts}), 2, "learns from labelled text, which is one file; got two");
  refused(run_program("ventris-train", {"--train-labels", texts, "-m", folder.path("refused"), "--after", "5u"}), 2,
          "a model of the family 'transformer' learns from pairs");
  refused(run_program("ventris-train", {"-c", settings, "--train-text", first, "--metric", "accuracy", "-m",
                                        folder.path("refused"), "--after", "5u"}),
          2, "validation.metric: accuracy is measured only for classifiers, and a model of the family 'bert' is none");
  refused(files({"-c", folder.file("tag.json", R"({"data": {"corpora": [{"labels": "a.tsv", "tag": "<x>"}]}})")}), 2,
          "labelled text (\"labels\") has no tag; leave it out");
  refused(files({"--train-labels", folder.file("one.tsv", "a\tone\na\ttwo\n")}), 3,
          "expected texts with at least 2 different labels, found only 'a'");
  refused(files({"--train-labels", folder.file("none.tsv", "one\ntwo\n")}), 3,
          "none.tsv:1: expected 2 columns separated by TABs, found 1");
  refused(files({"--train-labels", texts, "--valid-labels", folder.file("odd.tsv", "low\tone\nlo\ttwo\n")}), 3,
          "odd.tsv:2: the label 'lo' is not a label of the model, which has high, low");
  ASSERT_EQ(train("bert", "5u").code, 0);
  refused(learn("refused", "5u", {"--finetune-from", folder.path("bert/final")}), 2,
          "bert/final is a 'bert', but a 'bert-classifier' is to be trained; start its encoder from this BERT with "
          "training.encoder_from (--encoder-from)");
}

}  // namespace
}  // namespace ventris::test
