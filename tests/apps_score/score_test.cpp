#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/bad_tokenizer.h"
#include "support/copy_model.h"
#include "support/gzip.h"
#include "support/run_program.h"
#include "support/temp_folder.h"

// The real program over a backend that copies: everything but the model.
namespace ventris {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

class ScoreProgram : public testing::Test {
 protected:
  void SetUp() override {
    setenv("VENTRIS_BACKEND", COPYING_BACKEND, 1);
    test::write_copying_bundle(bundle);
  }

  test::Outcome run(std::vector<std::string> arguments, const std::string& input = "") {
    arguments.insert(arguments.begin(), {"-m", bundle});
    return test::run_program("ventris-score", arguments, input);
  }

  test::TempFolder folder;
  std::string bundle = folder.path("bundle");
  std::string source = folder.file("source", "The driver likes bread.\nNobody sees bread.\n\n");
  std::string target = folder.file("target", "The driver likes bread.\nNobody\n\n");
};

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST_F(ScoreProgram, WritesAScoreForEachPair) {
  const auto outcome = run({source, target});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, MatchesRegex("-[0-9.]+\n-[0-9.]+\n0.000000\n"));
  EXPECT_THAT(outcome.err, HasSubstr("1 pair has a blank source and was not scored (first: pair 3)"));
  EXPECT_THAT(outcome.err, HasSubstr("3 pairs in "));
  EXPECT_EQ(run({"-o", folder.path("out"), source, target}).out, "");
  EXPECT_EQ(test::file_bytes(folder.path("out")), outcome.out);
}

TEST_F(ScoreProgram, RefusesATokenizerThatCannotBeTrusted) {
  model::Package package = test::copying_package();
  package.source_spm = test::bad_tokenizer();
  model::write_bundle(bundle, package, test::file_bytes(bundle + "/model.safetensors"));
  const auto outcome = run({source, target});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_THAT(outcome.err, HasSubstr(std::string("bundle: source.spm") + test::kBadTokenizer));
}

TEST_F(ScoreProgram, ReadsColumnsFromStandardInput) {
  const auto outcome = run({}, "bread\tbread\nNobody\tbread\n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 2U);
  EXPECT_EQ(run({}).out, "");
  const std::string packed = folder.file("pairs.gz", test::gzipped("bread\tbread\nNobody\tbread\n"));
  EXPECT_EQ(run({"--tsv", packed, "--threads", "2", "--mini-batch", "1"}).out, outcome.out);
}

TEST_F(ScoreProgram, ScoresWhatATranslationHadAsTheTranslationDid) {
  const auto listed =
      test::run_program("ventris-translate", {"-m", bundle, "-i", source, "-b", "4", "--n-best", "3", "-n", "0.7"}, "");
  ASSERT_EQ(listed.code, 0) << listed.err;
  const auto scored = run({"--n-best", folder.file("list", listed.out), source, "-n", "0.7", "--feature", "Again"});
  EXPECT_EQ(scored.code, 0) << scored.err;
  const auto lines = lines_of(scored.out);
  ASSERT_EQ(lines.size(), 7U);
  int same = 0;
  for (const std::string& line : lines) {
    const double again = std::stod(line.substr(line.find("Again= ") + 7));
    same += std::abs(again - std::stod(line.substr(line.rfind("||| ") + 4))) < 1e-5;
  }
  EXPECT_GE(same, 4);  // the others were found with another segmentation than their text has
}

TEST_F(ScoreProgram, SeveralModelsScoreAsAnEnsemble) {
  const std::string expected = run({source, target, "--word-scores"}).out;
  for (const std::string combine : {"probs", "log-probs"}) {
    const auto outcome = run({"-m", bundle, "--weights", "3,1", "--combine", combine, source, target, "--word-scores"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.out).size(), 3U);
    EXPECT_TRUE(outcome.out == expected || combine != "probs");
    const auto number = [](const std::string& text) { return std::stod(text); };
    EXPECT_NEAR(number(outcome.out), number(expected), 1e-5);
  }
}

TEST_F(ScoreProgram, SumsUpACorpus) {
  const auto text = run({source, target, "--summary"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(
      text.out,
      MatchesRegex(
          "pairs 3 \\(blank 1, cut sources 0, cut targets 0\\)\ntokens [0-9]+\nwords 7\nlog-probability -[0-9.]+\n"
          "perplexity per token [0-9.]+\nperplexity per word [0-9.]+\n"));
  const auto json = nlohmann::json::parse(run({source, target, "--summary", "--format", "jsonl"}).out);
  EXPECT_EQ(json["words"], 7);
}

TEST_F(ScoreProgram, FlagsWithoutAValueMeanTheUsualOne) {
  const auto dumped = run({"--word-scores", "--dump-config", source, target, "--strict", "-n"});
  EXPECT_EQ(dumped.code, 0) << dumped.err;
  for (const char* part : {"\"normalize\": 1.0", "\"word_scores\": true", "\"strict\": true"}) {
    EXPECT_THAT(dumped.out, HasSubstr(part));
  }
  const std::string all = folder.file("all.json", dumped.out);
  EXPECT_EQ(run({"--dump-config", "-c", all}).out, dumped.out);
  EXPECT_THAT(run({"--dump-config", "-c", all, "--strict=false"}).out, HasSubstr("\"strict\": false"));
}

TEST_F(ScoreProgram, TheUsersMistakesAreNamedWithExitCode2) {
  const auto expect_mistake = [&](const std::vector<std::string>& arguments, const char* part) {
    const auto outcome = run(arguments, "bread\tbread\n");
    EXPECT_EQ(outcome.code, 2) << part;
    EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_EQ(outcome.out, "");
  };
  expect_mistake({source}, "source, target: one of them is missing");
  expect_mistake({source, target, "--tsv", "pairs"}, "source, tsv: cannot be used together");
  expect_mistake({"--n-best", "list"}, "the sources of the list are missing");
  expect_mistake({"--sort"}, "sort: has an effect only with --n-best");
  expect_mistake({"--feature-weights", "Score= 1"}, "feature_weights: have an effect only with --n-best");
  expect_mistake({"--sumary"}, "did you mean '--summary'?");
  expect_mistake({"--format", "moses"}, "format: expected one of text, jsonl");
  expect_mistake({"--normalize", "-1"}, "normalize: must be from 0 to 10");
  expect_mistake({"--feature", "two words"}, "feature: must be a word");
  expect_mistake({"--threads", "0"}, "threads: must be from 1 to 1024, got 0");
  expect_mistake({"--device", "cuda"}, "device cuda: this backend copies on the CPU only");
  const auto without = test::run_program("ventris-score", {}, "bread\tbread\n");
  EXPECT_EQ(without.code, 2);
  EXPECT_THAT(without.err, HasSubstr("give -m BUNDLE"));
}

TEST_F(ScoreProgram, BadInputsAreExitCode3) {
  const auto expect_bad = [&](const std::vector<std::string>& arguments, const std::string& input, const char* part) {
    const auto outcome = run(arguments, input);
    EXPECT_EQ(outcome.code, 3) << part;
    EXPECT_THAT(outcome.err, HasSubstr(part));
  };
  expect_bad({folder.path("missing"), target}, "", "missing: cannot be read");
  expect_bad({source, folder.file("short", "bread\n")}, "", "line counts differ");
  expect_bad({}, "bread\n", "standard input:1: expected 2 columns");
  expect_bad({"--strict"}, "bread\t\xff\n", "standard input:1: not valid UTF-8");
  expect_bad({source, "--n-best", folder.file("list", "bread\n")}, "", "list:1: expected ID ||| text");
  expect_bad({source, "--n-best", folder.file("list", "\x1b[2J\xff\n")}, "", R"(got '\x1b[2J)");
}

TEST_F(ScoreProgram, NastyPairsAreLinesToo) {
  std::string input = "a\rb\tc\n\x01\t\x02\n\u2028\tbread\nbread\t\n\xff\t\xfe\n</s>\t<s>\n";
  std::string endless;
  while (endless.size() < 5000) endless += "bread and the bridge ";
  input += endless + "\tbread\nbread\t" + endless + "\n";
  const auto outcome = run({}, input);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 8U);
  EXPECT_THAT(outcome.err, HasSubstr("1 source and 1 target had more tokens than the model allows"));
  EXPECT_THAT(outcome.err, HasSubstr("not valid UTF-8"));
}

TEST_F(ScoreProgram, BadModelsAreExitCode4AndOutputsThatCannotBeWritten74) {
  EXPECT_EQ(test::run_program("ventris-score", {"-m", folder.path("none")}, "a\tb\n").code, 4);
  EXPECT_EQ(run({"-o", "/dev/full"}, "bread\tbread\n").code, 74);
  EXPECT_EQ(run({"-o", folder.path("no/folder")}, "bread\tbread\n").code, 74);
  const std::string program = test::program_path("ventris-score") + " -m " + bundle + " " + source + " " + target;
  EXPECT_EQ(WEXITSTATUS(std::system((program + " > /dev/full 2> /dev/null").c_str())), 74);
}

TEST_F(ScoreProgram, HelpNamesTheFlagsInGroups) {
  const auto outcome = test::run_program("ventris-score", {"--help"});
  EXPECT_EQ(outcome.code, 0);
  for (const char* part : {"SRC", "TGT", "--n-best", "--summary", "--normalize", "Scores", "Speed"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
}

TEST_F(ScoreProgram, WritesPackedFiles) {
  EXPECT_EQ(run({"-o", folder.path("out.gz"), source, target}).code, 0);
  EXPECT_EQ(test::unpacked(test::file_bytes(folder.path("out.gz"))), run({source, target}).out);
}

/// Runs the program with Ctrl-C at so many answers of the model.
class StoppedScoreProgram : public ScoreProgram {
 protected:
  std::string error_at(int answer, std::vector<std::string> arguments) {
    setenv("COPYING_BACKEND_STOP", std::to_string(answer).c_str(), 1);
    arguments.insert(arguments.end(), {"-o", output, "--mini-batch", "1", "--quiet"});
    const auto outcome = run(arguments);
    unsetenv("COPYING_BACKEND_STOP");
    EXPECT_EQ(outcome.code, 128 + SIGINT);
    EXPECT_FALSE(std::filesystem::exists(output));
    return outcome.err;
  }
  std::vector<std::string> kept() const { return lines_of(test::file_bytes(output + ".partial")); }

  std::string output = folder.path("out");
};

TEST_F(StoppedScoreProgram, KeepsTheFinishedScoresBesideTheOutputFile) {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "Nobody sees bread.\n";
  const std::string pairs = folder.file("pairs", lines);
  const std::string err = error_at(100, {pairs, pairs});
  ASSERT_GT(kept().size(), 0U);
  ASSERT_LT(kept().size(), 100U);
  EXPECT_THAT(err, HasSubstr("not written: stopped by a signal after pair " + std::to_string(kept().size()) +
                             "; what was finished is in " + output + ".partial\n"));
}

TEST_F(StoppedScoreProgram, KeepsTheFinishedPartOfASentencesList) {
  std::string entries;
  for (int i = 0; i < 100; ++i) entries += "0 ||| Nobody sees bread.\n";
  const std::string list = folder.file("list", entries);
  error_at(100, {"--n-best", list, "--sort", source});
  ASSERT_GT(kept().size(), 0U);
  EXPECT_THAT(kept().front(), HasSubstr("0 ||| Nobody sees bread. ||| Score= "));
}

TEST_F(StoppedScoreProgram, SumsUpNoPart) {
  EXPECT_THAT(error_at(1, {"--summary", source, target}), HasSubstr("out: stopped by a signal after pair 1\n"));
  EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
}

}  // namespace
}  // namespace ventris
