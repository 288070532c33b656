#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/random.h"
#include "pipeline/trained_model.h"

/// The promises of docs/design.md section 6 about translating, with real programs and a trained model.
namespace ventris::test {
namespace {

namespace fs = std::filesystem;

Outcome translate(const std::vector<std::string>& flags, const std::string& input) {
  std::vector<std::string> all{"-m", TrainedModel::get().bundle};
  all.insert(all.end(), flags.begin(), flags.end());
  return run_program("ventris-translate", all, input);
}

std::string valid_text() { return file_bytes(TrainedModel::get().valid.source); }

/// Scores of each line's best translation.
std::vector<double> scores_of(std::vector<std::string> flags, const std::string& input) {
  flags.insert(flags.end(), {"--format", "moses"});
  std::vector<double> scores;
  for (const std::string& line : lines_of(translate(flags, input).out)) {
    scores.push_back(std::stod(line.substr(line.rfind("||| ") + 4)));
  }
  return scores;
}

/// Equal, but for lines whose two translations tie within 1e-4: LibTorch's products round by shape.
void expect_same_but_for_ties(const std::vector<std::string>& found, const std::vector<std::string>& expected,
                              const std::vector<double>& found_scores, const std::vector<double>& expected_scores,
                              const std::string& way) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(found[i] == expected[i] || std::abs(found_scores[i] - expected_scores[i]) <= 1e-4)
        << way << ", line " << i << ": " << found[i] << ", expected " << expected[i];
  }
}

const std::vector<std::vector<std::string>> kWays{{"--mini-batch", "1"},
                                                  {"--mini-batch", "7"},
                                                  {"--mini-batch", "32", "--threads", "2"},
                                                  {"--mini-batch", "64", "--threads", "2"},
                                                  {"--workspace", "130"},
                                                  {"--maxi-batch", "10"},
                                                  {"--mini-batch-words", "40"}};

TEST(Translating, TheSameLineGivesTheSameOutputWhateverItsBatchNeighboursAndWorkers) {
  const std::vector<std::string> torch{"--backend", "torch"};
  const auto expected = lines_of(translate(torch, valid_text()).out);
  const auto scores = scores_of(torch, valid_text());
  ASSERT_EQ(expected.size(), 120U);
  for (auto way : kWays) {
    way.insert(way.end(), torch.begin(), torch.end());
    const auto found = lines_of(translate(way, valid_text()).out);
    expect_same_but_for_ties(found, expected, scores_of(way, valid_text()), scores, way[0] + " " + way[1]);
  }
}

TEST(Translating, OnTheEngineNotEvenAScoreDependsOnBatchesOrWorkers) {
  for (const std::string precision : {"f32", "bf16", "int8"}) {
    const std::vector<std::string> flags{"--backend", "engine", "--precision",  precision,
                                         "--n-best",  "2",      "--word-scores"};
    const std::string expected = translate(flags, valid_text()).out;
    ASSERT_EQ(lines_of(expected).size(), 240U);
    for (auto way : kWays) {
      way.insert(way.end(), flags.begin(), flags.end());
      EXPECT_EQ(translate(way, valid_text()).out, expected) << precision << " " << way[0] << " " << way[1];
    }
  }
}

TEST(Translating, TheEngineAndLibTorchGiveTheSameTranslations) {
  for (const std::string beam : {"1", "4"}) {
    const std::vector<std::string> engine{"--backend", "engine", "-b", beam}, torch{"--backend", "torch", "-b", beam};
    expect_same_but_for_ties(lines_of(translate(engine, valid_text()).out),
                             lines_of(translate(torch, valid_text()).out), scores_of(engine, valid_text()),
                             scores_of(torch, valid_text()), "beam " + beam);
  }
}

TEST(Translating, TheOrderOfTheLinesChangesNothing) {
  const auto sources = lines_of(valid_text());
  const auto expected = lines_of(translate({}, valid_text()).out);
  const auto order = core::shuffled_indices(static_cast<uint32_t>(sources.size()), 5, 0);
  std::string shuffled;
  for (const uint32_t i : order) shuffled += sources[i] + "\n";
  const auto found = lines_of(translate({}, shuffled).out);
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], expected[order[i]]);
}

TEST(Translating, LinesOutAreLinesInWhateverIsInThem) {
  const std::string input = "red tree\n\n   \n\xff\xfe bytes\ntab\there\r\n\x01\x02\nno end";
  const Outcome outcome = translate({}, input);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[1], "");
  EXPECT_EQ(lines[2], "");
  EXPECT_NE(outcome.err.find("not valid UTF-8"), std::string::npos);
  EXPECT_EQ(translate({}, "").out, "");
}

TEST(Translating, ALineLongerThanTheModelIsCutAndSaidSo) {
  std::string endless;
  for (int i = 0; i < 5000; ++i) endless += "red ";
  const Outcome outcome = translate({}, endless + "\nblue\n");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 2U);
  EXPECT_NE(outcome.err.find("cut"), std::string::npos);
}

TEST(Translating, AWiderBeamFindsWhatScoresNoLessInAll) {
  const auto score_sum = [](const std::string& beam) {
    double sum = 0;
    for (const std::string& line :
         lines_of(translate({"-b", beam, "--format", "moses", "-n", "0"}, valid_text()).out)) {
      sum += std::stod(line.substr(line.rfind("||| ") + 4));
    }
    return sum;
  };
  EXPECT_LE(score_sum("1"), score_sum("8") + 1e-6);
}

TEST(Translating, NBestAreDifferentAndSorted) {
  const auto lines = lines_of(translate({"-b", "4", "--n-best", "4"}, "red small house\n").out);
  ASSERT_EQ(lines.size(), 4U);
  std::vector<double> scores;
  std::vector<std::string> texts;
  for (const std::string& line : lines) {
    EXPECT_EQ(line.substr(0, 6), "0 ||| ");
    scores.push_back(std::stod(line.substr(line.rfind("||| ") + 4)));
    texts.push_back(line.substr(6, line.find(" ||| ", 6) - 6));
  }
  EXPECT_TRUE(std::is_sorted(scores.rbegin(), scores.rend()));
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(std::unique(texts.begin(), texts.end()), texts.end());
}

TEST(Translating, AForcedPrefixIsKept) {
  const std::string prefix = TrainedModel::get().folder.file("prefix", "sings sings\n");
  const auto lines = lines_of(translate({"--force-prefix", prefix}, "red small house\n").out);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].substr(0, 11), "sings sings");
}

TEST(Translating, SamplingIsDecidedByTheSeed) {
  const auto first = translate({"--sampling", "--seed", "3"}, valid_text()).out;
  EXPECT_EQ(translate({"--sampling", "--seed", "3", "--mini-batch", "5"}, valid_text()).out, first);
  EXPECT_NE(translate({"--sampling", "--seed", "4"}, valid_text()).out, first);
}

TEST(Translating, ADamagedBundleIsRefusedByName) {
  for (const char* name : {"config.json", "model.safetensors", "source.spm", "MANIFEST"}) {
    const TempFolder folder;
    fs::copy(TrainedModel::get().bundle, folder.path("bundle"));
    std::string bytes = file_bytes(folder.path("bundle/") + name);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x10);
    std::ofstream(folder.path("bundle/") + name, std::ios::binary) << bytes;
    const Outcome outcome = run_program("ventris-translate", {"-m", folder.path("bundle")}, "red\n");
    EXPECT_EQ(outcome.code, 4) << name << outcome.err;
    EXPECT_NE(outcome.err.find(name), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(Translating, StandardOutputThatCannotBeWrittenIsExit74AndAClosedPipe141) {
  const TempFolder folder;
  const std::string input = folder.file("in", valid_text());
  const std::string command = program_path("ventris-translate") + " -m " + TrainedModel::get().bundle + " -i " + input;
  const auto code = [](int status) { return WEXITSTATUS(status); };
  EXPECT_EQ(code(std::system((command + " > /dev/full 2> " + folder.path("err")).c_str())), 74);
  EXPECT_NE(file_bytes(folder.path("err")).find("standard output: cannot be written"), std::string::npos);
  EXPECT_EQ(code(std::system(("bash -c '" + command + " 2>/dev/null | true; exit ${PIPESTATUS[0]}'").c_str())), 141);
  EXPECT_EQ(code(std::system((command + " -o " + folder.path("no/such/file") + " 2> /dev/null").c_str())), 74);
}

}  // namespace
}  // namespace ventris::test
