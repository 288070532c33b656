#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/tiny_classifier.h"

namespace ventris::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::MatchesRegex;

constexpr const char* kLabel = "(food|people|weather)";

class ClassifyProgram : public testing::Test {
 protected:
  ClassifyProgram() { write_tiny_classifier(model); }

  Outcome classify(const std::string& input, std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"-m", model});
    return run_program("ventris-classify", more, input);
  }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  TempFolder folder;
  std::string model = folder.path("classifier");
};

TEST_F(ClassifyProgram, EveryLineGivesALine) {
  const Outcome outcome = classify("The old man\n\nbread\n");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[0], MatchesRegex(kLabel));
  EXPECT_EQ(lines[1], "");
  EXPECT_THAT(lines[2], MatchesRegex(kLabel));
  EXPECT_THAT(outcome.err, HasSubstr("3 lines (1 empty)"));
}

TEST_F(ClassifyProgram, TheBestLabelsHaveTheirProbabilities) {
  const Outcome outcome = classify("bread\n\n", {"-n", "2"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_THAT(lines[0], MatchesRegex("[a-z]+ [01]\\.[0-9]{4}\t[a-z]+ [01]\\.[0-9]{4}"));
  EXPECT_EQ(lines[1], "");
}

TEST_F(ClassifyProgram, JsonLinesHaveTheProbabilitiesOfAllLabels) {
  const Outcome outcome = classify("bread\n\n", {"--format", "jsonl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 2U);
  const json first = json::parse(lines[0]), second = json::parse(lines[1]);
  EXPECT_EQ(first.at("text"), "bread");
  ASSERT_EQ(first.at("labels").size(), 3U);
  EXPECT_EQ(first.at("label"), first.at("labels").at(0).at("label"));
  double sum = 0;
  for (const json& one : first.at("labels")) sum += one.at("probability").get<double>();
  EXPECT_NEAR(sum, 1, 1e-4);
  EXPECT_EQ(first.at("cut"), false);
  EXPECT_EQ(second.at("label"), nullptr);
  EXPECT_EQ(second.at("labels"), json::array());
  EXPECT_EQ(json::parse(lines_of(classify("bread\n", {"--format", "jsonl", "-n", "1"}).out)[0]).at("labels").size(),
            1U);
}

TEST_F(ClassifyProgram, LabelsInTheInputGiveTheAccuracy) {
  const std::string right = lines_of(classify("bread\n").out).at(0), wrong = right == "food" ? "people" : "food";
  const std::string input = right + "\tbread\n" + wrong + "\tbread\n" + right + "\t\n" + right + "\tbread\n";
  const Outcome outcome = classify(input, {"--gold"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, right + "\n" + right + "\n\n" + right + "\n");
  EXPECT_THAT(outcome.err, HasSubstr("accuracy 0.6667 (2 of 3 texts)"));
  const Outcome gold = classify(wrong + "\tbread\n", {"--gold", "--format", "jsonl"});
  const json line = json::parse(lines_of(gold.out).at(0));
  EXPECT_EQ(line.at("gold"), wrong);
  EXPECT_EQ(line.at("label"), right);
  EXPECT_EQ(line.at("text"), "bread");
}

TEST_F(ClassifyProgram, TheSummaryHasTheScoresOfEachLabel) {
  const std::string right = lines_of(classify("bread\n").out).at(0), wrong = right == "food" ? "people" : "food";
  const std::string input = right + "\tbread\n" + wrong + "\tbread\n" + right + "\t\n" + right + "\tbread\n";
  const Outcome text = classify(input, {"--gold", "--summary"});
  ASSERT_EQ(text.code, 0) << text.err;
  const auto lines = lines_of(text.out);
  ASSERT_EQ(lines.size(), 5U) << text.out;
  EXPECT_EQ(lines[0], "accuracy 0.6667 (2 of 3 texts), macro F1 0.4000");
  EXPECT_THAT(lines[1], MatchesRegex("label +precision +recall +F1 +gold +predicted +correct"));
  EXPECT_THAT(text.out, testing::ContainsRegex(right + " +0.6667 +1.0000 +0.8000 +2 +3 +2\n"));
  const Outcome outcome = classify(input, {"--gold", "--summary", "--format", "jsonl"});
  const json summary = json::parse(outcome.out);
  EXPECT_EQ(summary.at("texts"), 3);
  EXPECT_EQ(summary.at("blank"), 1);
  EXPECT_EQ(summary.at("correct"), 2);
  EXPECT_EQ(summary.at("labels").size(), 3U);
  EXPECT_EQ(summary.at("confusion").size(), 3U);
}

TEST_F(ClassifyProgram, ThreadsAndBatchesChangeNothing) {
  std::string input;
  for (int i = 0; i < 40; ++i) input += std::string(i % 3 == 0 ? "" : "The old ") + "man sees bread.\n";
  const Outcome one = classify(input), other = classify(input, {"--threads", "3", "--mini-batch", "2"});
  EXPECT_EQ(lines_of(one.out).size(), 40U);
  EXPECT_EQ(other.out, one.out);
}

TEST_F(ClassifyProgram, ALongLineIsCutAndCounted) {
  std::string line;
  for (int i = 0; i < 30; ++i) line += "bread ";
  const Outcome outcome = classify(line + "\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("1 line had more tokens than the model can take and was cut (first: line 1)"));
}

TEST_F(ClassifyProgram, AFileIsWrittenAsAWholeOrNotAtAll) {
  const std::string output = folder.path("labels.gz");
  ASSERT_EQ(classify("bread\n", {"-o", output}).code, 0);
  EXPECT_EQ(file_bytes(output).substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(classify("food\tbread\nrain\tman\n", {"--gold", "-o", folder.path("none")}).code, 3);
  EXPECT_EQ(file_bytes(folder.path("none")), "");
}

TEST_F(ClassifyProgram, MistakesHaveTheirExitCodes) {
  EXPECT_THAT(classify("", {"-n", "-1"}).err, HasSubstr("--n-best: must be at least 0, got -1"));
  EXPECT_EQ(classify("", {"--summary"}).code, 2);
  EXPECT_THAT(classify("", {"--summary"}).err, HasSubstr("--summary: needs --gold"));
  EXPECT_EQ(classify("", {"-i", folder.path("none")}).code, 3);
  EXPECT_THAT(classify("bread\n", {"--gold"}).err,
              HasSubstr("standard input:1: expected 2 columns separated by TABs, found 1"));
  EXPECT_THAT(classify("food\tbread\nrain\tman\n", {"--gold"}).err,
              HasSubstr("standard input:2: the label 'rain' is not a label of the model, which has food, people, "
                        "weather"));
  write_tiny_bert(folder.path("bert"));
  const Outcome other = run_program("ventris-classify", {"-m", folder.path("bert")}, "bread\n");
  EXPECT_EQ(other.code, 4);
  EXPECT_THAT(other.err, HasSubstr("expected a model of the family 'bert-classifier', found one of the family 'bert'"));
}

TEST_F(ClassifyProgram, AWrongLineLosesNoLineBeforeIt) {
  const std::string output = folder.path("out");
  for (const char* wrong : {"no label\n", "rain\tman\n"}) {
    const Outcome outcome = classify(std::string("food\tbread\nfood\tman\n") + wrong, {"--gold", "-o", output});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(outcome.err, HasSubstr("; 2 lines are finished, in " + output + ".partial\n"));
    EXPECT_EQ(lines_of(file_bytes(output + ".partial")).size(), 2U);
    std::filesystem::remove(output + ".partial");
  }
}

}  // namespace
}  // namespace ventris::test
