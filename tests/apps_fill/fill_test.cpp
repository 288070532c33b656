#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/tiny_bert.h"

namespace ventris::test {
namespace {

using testing::HasSubstr;

class FillProgram : public testing::Test {
 protected:
  FillProgram() { write_tiny_bert(bert); }

  Outcome fill(const std::string& input, std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"-m", bert});
    return run_program("ventris-fill", more, input);
  }
  static std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }

  TempFolder folder;
  std::string bert = folder.path("bert");
};

TEST_F(FillProgram, EveryLineGivesALine) {
  const Outcome outcome = fill("The [MASK] man\n\nno hidden word\n[MASK] [MASK]\n", {"-n", "2"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_THAT(lines[0], testing::MatchesRegex("[^\t ]* 0\\.[0-9]{4}\t[^\t ]* 0\\.[0-9]{4}"));
  EXPECT_EQ(lines[1], "");
  EXPECT_EQ(lines[2], "");
  EXPECT_THAT(lines[3], HasSubstr(" ||| "));
  EXPECT_THAT(outcome.err, HasSubstr("4 lines (1 empty)"));
}

TEST_F(FillProgram, JsonLinesHaveTheWordsForEveryMask) {
  const Outcome outcome = fill("[MASK] likes [MASK].\n\n", {"--format", "jsonl"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 2U);
  const auto first = nlohmann::json::parse(lines[0]), second = nlohmann::json::parse(lines[1]);
  EXPECT_EQ(first.at("text"), "[MASK] likes [MASK].");
  ASSERT_EQ(first.at("masks").size(), 2U);
  ASSERT_EQ(first.at("masks").at(1).size(), 5U);
  EXPECT_TRUE(first.at("masks").at(1).at(0).at("probability").is_number());
  EXPECT_TRUE(first.at("masks").at(1).at(0).contains("piece"));
  EXPECT_EQ(second.at("id"), 1);
  EXPECT_EQ(second.at("masks"), nlohmann::json::array());
}

TEST_F(FillProgram, ThreadsAndBatchesChangeNothing) {
  std::string input;
  for (int i = 0; i < 40; ++i) input += std::string(i % 3 == 0 ? "" : "The old ") + "[MASK] sees bread.\n";
  const Outcome one = fill(input), other = fill(input, {"--threads", "3", "--mini-batch", "2"});
  EXPECT_EQ(lines_of(one.out).size(), 40U);
  EXPECT_EQ(other.code, 0) << other.err;
  EXPECT_EQ(lines_of(other.out).size(), 40U);
}

TEST_F(FillProgram, ALongLineIsCutAndCounted) {
  std::string line;
  for (int i = 0; i < 30; ++i) line += "bread ";
  const Outcome outcome = fill(line + "[MASK]\n");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "\n");
  EXPECT_THAT(outcome.err, HasSubstr("1 line had more tokens than the model can take and was cut (first: line 1)"));
}

TEST_F(FillProgram, MistakesHaveTheirExitCodes) {
  EXPECT_EQ(fill("", {"-n", "0"}).code, 2);
  EXPECT_THAT(fill("", {"-n", "101"}).err, HasSubstr("--n-best: must be from 1 to 100, got 101"));
  EXPECT_EQ(fill("", {"--format", "xml"}).code, 2);
  EXPECT_EQ(fill("", {"--threads", "0"}).code, 2);
  EXPECT_EQ(fill("", {"-i", folder.path("none")}).code, 3);
  EXPECT_EQ(fill("", {"-o", bert + "/config.json"}).code, 2);
  EXPECT_EQ(run_program("ventris-fill", {"-m", folder.path("none")}).code, 4);
  EXPECT_EQ(run_program("ventris-fill", {"-m", folder.file("model.pt", "")}).code, 4);
  write_tiny_bundle(folder.path("other"));
  const Outcome other = run_program("ventris-fill", {"-m", folder.path("other")}, "[MASK]\n");
  EXPECT_EQ(other.code, 4);
  EXPECT_THAT(other.err, HasSubstr("expected a model of the family 'bert', found one of the family 'transformer'"));
}

TEST_F(FillProgram, AWrongLineLosesNoLineBeforeIt) {
  const std::string output = folder.path("out"), input = "The [MASK] man\n\nbr\xFFoad\nThe [MASK] man\n";
  const Outcome outcome = fill(input, {"--strict", "-o", output});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_THAT(outcome.err, HasSubstr("standard input:3: not valid UTF-8"));
  EXPECT_THAT(outcome.err, HasSubstr("; 2 lines are finished, in " + output + ".partial\n"));
  EXPECT_EQ(lines_of(file_bytes(output + ".partial")).size(), 2U);
  EXPECT_EQ(lines_of(fill(input, {"--strict"}).out).size(), 2U);
}

}  // namespace
}  // namespace ventris::test
