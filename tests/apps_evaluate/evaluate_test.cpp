#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "files/files.h"
#include "support/bad_tokenizer.h"
#include "support/gzip.h"
#include "support/run_program.h"
#include "support/temp_folder.h"

namespace ventris {
namespace {

using test::Outcome;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kBleuLine =
    "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|impl:ventris-0.1.0|compat:2.6.0 = 40.1 "
    "81.8/55.6/28.6/20.0 (BP = 1.000 ratio = 1.100 hyp_len = 11 ref_len = 10)\n";

/// The program ended with this code and said one sentence that contains `part`, and nothing on stdout.
void expect_refusal(const Outcome& outcome, int code, const std::string& part, int lines = 1) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_THAT(outcome.err, StartsWith("ventris-evaluate: "));
  EXPECT_THAT(outcome.err, HasSubstr(part));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), lines) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

class EvaluateTest : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& arguments, const std::string& input = "") const {
    return test::run_program("ventris-evaluate", arguments, input);
  }
  /// Reference, then -i hypotheses, then these.
  Outcome score(std::vector<std::string> arguments) const {
    const std::vector<std::string> files{references, "-i", hypotheses};
    arguments.insert(arguments.begin(), files.begin(), files.end());
    return run(arguments);
  }

  test::TempFolder folder;
  const std::string hypothesis_text = "The cat sat on the mat .\nHallo, Welt!\n";
  const std::string hypotheses = folder.file("hyp", hypothesis_text);
  const std::string references = folder.file("ref", "The cat sat on a mat.\nHallo Welt!\n");
};

TEST_F(EvaluateTest, TextIsLaidOutAsSacrebleuDoes) {
  EXPECT_EQ(score({"-f", "text"}).out, kBleuLine);
  EXPECT_EQ(score({"-m", "chrf", "bleu", "-f", "text"}).out,
            std::string("  ") + kBleuLine +
                "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|impl:ventris-0.1.0|compat:2.6.0 = 67.0\n");
}

TEST_F(EvaluateTest, JsonIsTheDefault) {
  const auto json = nlohmann::json::parse(score({"-m", "bleu", "chrf"}).out);
  EXPECT_EQ(json.at(0).at("score"), 40.1);
  EXPECT_EQ(json.at(1).at("name"), "chrF2");
}

TEST_F(EvaluateTest, TheBareNumberAsWideAsAskedFor) {
  EXPECT_EQ(score({"-b", "-w", "4"}).out, "40.1453\n");
  EXPECT_EQ(score({"-m", "bleu", "chrf", "-b", "-f", "text"}).out, "40.1\n67.0\n");
}

TEST_F(EvaluateTest, FlagsOfSeveralLettersAfterOneDashAreUnderstood) {
  EXPECT_EQ(score({"-sl", "-f", "text", "-tok", "none", "-lc"}).out,
            "BLEU|nrefs:1|case:lc|eff:yes|tok:none|smooth:exp|impl:ventris-0.1.0|compat:2.6.0 = 41.1 "
            "57.1/50.0/40.0/25.0 (BP = 1.000 ratio = 1.167 hyp_len = 7 ref_len = 6)\n"
            "BLEU|nrefs:1|case:lc|eff:yes|tok:none|smooth:exp|impl:ventris-0.1.0|compat:2.6.0 = 50.0 "
            "50.0/50.0/0.0/0.0 (BP = 1.000 ratio = 1.000 hyp_len = 2 ref_len = 2)\n");
  EXPECT_THAT(score({"-s", "add-k", "-sv", "2", "-w", "3", "-f", "text"}).out,
              HasSubstr("smooth:add-k[2.00]|impl:ventris-0.1.0|compat:2.6.0 = 56.118 "));
  EXPECT_THAT(score({"-m", "chrf", "-cw", "2", "-cc", "4", "-f", "text"}).out,
              HasSubstr("chrF2++|nrefs:1|case:mixed|eff:yes|nc:4|nw:2|"));
}

TEST_F(EvaluateTest, AnOutputThatIsAnInputIsRefused) {
  const std::string before = test::file_bytes(hypotheses);
  expect_refusal(score({"-o", hypotheses}), 2, "is also an input");
  expect_refusal(score({"-o", references}), 2, "is also an input");
  const std::string gold = folder.file("gold", "0-0\n"), links = folder.file("links", "0-0\n");
  expect_refusal(run({"--aer", gold, "-i", links, "-o", gold}), 2, "is also an input");
  EXPECT_EQ(test::file_bytes(hypotheses), before);
  EXPECT_EQ(test::file_bytes(gold), "0-0\n");
}

TEST_F(EvaluateTest, HypothesesComeFromStandardInputUnlessNamed) {
  EXPECT_EQ(run({references, "-f", "text"}, hypothesis_text).out, kBleuLine);
  EXPECT_EQ(run({references, "-i", "-", "-f", "text"}, hypothesis_text).out, kBleuLine);
}

TEST_F(EvaluateTest, GzippedFilesAreUnpacked) {
  const std::string packed = folder.file("hyp.gz", test::gzipped(hypothesis_text));
  EXPECT_EQ(run({references, "-i", packed, "-f", "text"}).out, kBleuLine);
}

TEST_F(EvaluateTest, ScoresArePackedWhereTheNameSaysSo) {
  const std::string out = folder.path("scores.gz");
  EXPECT_EQ(run({references, "-f", "text", "-o", out}, hypothesis_text).code, 0);
  EXPECT_EQ(test::unpacked(test::file_bytes(out)), kBleuLine);
}

TEST_F(EvaluateTest, TerHasItsFlagsToo) {
  EXPECT_EQ(score({"-m", "ter", "-f", "text"}).out,
            "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|impl:ventris-0.1.0|compat:2.6.0 = 50.0\n");
  EXPECT_EQ(score({"-m", "ter", "-f", "text", "--ter-normalized", "--ter-no-punct", "--ter-asian-support",
                   "--ter-case-sensitive"})
                .out,
            "TER|nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:yes|impl:ventris-0.1.0|compat:2.6.0 = 12.5\n");
  EXPECT_EQ(score({"-m", "ter", "chrf", "bleu", "-b"}).out, "[\n40.1,\n67.0,\n50.0\n]\n");
}

TEST_F(EvaluateTest, EveryTokenizationHasItsName) {
  for (const char* name : {"13a", "intl", "zh", "char", "none"}) {
    EXPECT_THAT(score({"-tok", name, "-f", "text"}).out, HasSubstr(std::string("|tok:") + name + "|"));
  }
}

TEST_F(EvaluateTest, AGivenModelCutsPiecesAndIsNamedByItsChecksum) {
  const std::string model = VENTRIS_SOURCE "/tests/parity/metrics.spm";
  const std::string sum = fmt::format("|tok:spm[{:08x}]|", files::crc32(test::file_bytes(model)));
  EXPECT_THAT(score({"-tok", "spm", "--spm-model", model, "-f", "text"}).out, HasSubstr(sum));
}

TEST_F(EvaluateTest, ConfidenceStandsBehindEveryScore) {
  const Outcome outcome = score({"-m", "bleu", "chrf", "-ci", "-cin", "50", "-f", "text"});
  EXPECT_THAT(outcome.out, HasSubstr("BLEU|nrefs:1|bs:50|seed:12345|case:mixed|"));
  EXPECT_THAT(outcome.out, HasSubstr(" (μ = "));
  const auto json = nlohmann::json::parse(score({"--confidence", "--seed", "7"}).out);
  EXPECT_EQ(json.at("bs"), "1000");
  EXPECT_EQ(json.at("seed"), "7");
  EXPECT_TRUE(json.contains("confidence_mean") && json.contains("confidence_var"));
}

TEST_F(EvaluateTest, SeveralSystemsMakeATable) {
  const Outcome outcome = run({references, "-i", hypotheses, references, "-m", "bleu", "ter", "-f", "text"});
  EXPECT_THAT(outcome.out, HasSubstr("│  BLEU  │  TER  │"));
  EXPECT_THAT(outcome.out, HasSubstr("│ 100.0  │  0.0  │"));
  EXPECT_THAT(outcome.out, HasSubstr("\n - TER        nrefs:1|case:lc|"));
  const auto json = nlohmann::json::parse(run({references, "-i", hypotheses, references}).out);
  EXPECT_EQ(json.at(0), (nlohmann::json{{"system", hypotheses}, {"BLEU", "40.1"}}));
}

TEST_F(EvaluateTest, MetricsOfAPairedTestStandInTheOrderTheyWereAskedFor) {
  const std::string other = folder.file("other", "A cat\nHallo\n");
  const std::vector<std::string> asked{references, "-i", hypotheses, other, "-m", "ter", "bleu", "ter"};
  const auto order_of = [](const std::string& out) {
    std::vector<std::string> names;
    const auto json = nlohmann::ordered_json::parse(out);
    for (const auto& [name, value] : json.at(0).items()) names.push_back(name);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(order_of(run(asked).out), (Names{"system", "BLEU", "TER"}));  // as sacreBLEU
  for (const char* test : {"-pbs", "-par"}) {
    auto words = asked;
    words.emplace_back(test);
    EXPECT_EQ(order_of(run(words).out), (Names{"system", "TER", "BLEU"}));
    words.insert(words.end(), {"-f", "text"});
    const std::string table = run(words).out;
    EXPECT_LT(table.find("TER"), table.find("BLEU"));
  }
}

TEST_F(EvaluateTest, PairedTestsCompareEverySystemWithTheFirst) {
  const std::string other = folder.file("other", "The cat sat on a mat.\nHallo Erde!\n");
  const Outcome bootstrap = run(
      {references, "-i", hypotheses, other, references, "-pbs", "-pbsn", "100", "-m", "bleu", "chrf", "-f", "text"});
  EXPECT_THAT(bootstrap.out, HasSubstr("│ Baseline: " + hypotheses + " │"));
  EXPECT_THAT(bootstrap.out, HasSubstr("│  chrF2 (μ ± 95% CI)  │"));
  EXPECT_THAT(bootstrap.out, HasSubstr("\n - BLEU       nrefs:1|bs:100|seed:12345|case:mixed|"));
  const auto trials = nlohmann::json::parse(run({references, "-i", hypotheses, other, "-par", "-parn", "99"}).out);
  EXPECT_EQ(trials.at(0).at("BLEU").at("p_value"), nullptr);
  EXPECT_EQ(trials.at(1).at("BLEU").at("mean"), nullptr);
  EXPECT_GT(trials.at(1).at("BLEU").at("p_value"), 0);
}

TEST_F(EvaluateTest, ThreadsChangeNothing) {
  const std::vector<std::string> flags{"-m", "bleu", "chrf", "ter", "-ci", "-w", "9", "--threads"};
  const auto scores = [&](const char* threads) {
    auto arguments = flags;
    arguments.emplace_back(threads);
    return score(arguments).out;
  };
  EXPECT_EQ(scores("1"), scores("3"));
}

TEST_F(EvaluateTest, AlignmentsAreScoredAgainstGold) {
  const std::string gold = folder.file("gold", "0-0 1?1\n0-0 p1-2\n");
  EXPECT_EQ(run({"--aer", gold, "-f", "text"}, "0-0 1-1\n0-1\n").out,
            "AER = 40.0 (precision = 66.7 recall = 50.0 links = 3 sure = 2)\n");
  EXPECT_EQ(run({"--aer", gold, "-b", "-w", "0", "-i", folder.file("a", "0-0\n0-0\n")}).out, "0\n");
  EXPECT_EQ(nlohmann::json::parse(run({"--aer", gold}, "0-0\n0-0\n").out).at("name"), "AER");
}

TEST_F(EvaluateTest, AlignmentsThatCannotBeReadAreRefused) {
  const std::string gold = folder.file("gold", "0-0\n1*1\n"), good = folder.file("good", "0-0\n");
  expect_refusal(run({"--aer", good}, "0:0\n"), 3, "standard input:1: expected links like 0-0 1-2, found \"0:0\"");
  expect_refusal(run({"--aer", gold}, "0-0\n1-1\n"), 3, gold + ":2: expected sure links");
  expect_refusal(run({"--aer", good}, "0-0\n1-1\n"), 3, "standard input: has 2 lines, but " + good + " has 1");
  expect_refusal(run({"--aer", folder.path("missing")}, "0-0\n"), 3, "missing");
  expect_refusal(run({"--aer", "-"}, "0-0\n"), 2, "standard input can be only one of the inputs");
  expect_refusal(run({"--aer", good, "-ci"}, "0-0\n"), 2,
                 "--aer: does not support sentence-level scores or significance tests");
  expect_refusal(run({"--aer", good, "-sl"}, "0-0\n"), 2,
                 "--aer: does not support sentence-level scores or significance tests");
  expect_refusal(run({references, "--aer", good}, "0-0\n"), 2,
                 "--aer: expected no references, because the gold alignment replaces them");
  expect_refusal(run({"--aer", good, "-i", good, gold}), 2, "--aer: expected one input, got 2");
}

TEST_F(EvaluateTest, AGoldAlignmentMayCountFrom1AndHaveTheTargetFirst) {
  const std::string gold = folder.file("gold", "2-1\n1-1\n"), found = folder.file("found", "0-1\n0-0\n");
  EXPECT_EQ(run({"--aer", gold, "--gold-base", "1", "--swap-gold", "-b", "-i", found}).out, "0.0\n");
  expect_refusal(run({"--aer", gold, "--alignment-base", "1", "-i", found}), 3, "expected positions from 1");
  EXPECT_EQ(run({"--gold-base", "1", references, "-i", hypotheses}).code, 2);
}

TEST_F(EvaluateTest, ATestSetHasItsReferencesInAFolder) {
  std::filesystem::create_directories(folder.path("sets/wmt22"));
  folder.file("sets/wmt22/wmt22.en-de.src", "a\n\nb");
  folder.file("sets/wmt22/wmt22.en-de.ref", "The cat sat on a mat.\nHallo Welt!\n");
  const std::vector<std::string> set{"-t", "wmt22", "-l", "en-de", "--test-sets", folder.path("sets")};
  const auto with_set = [&](std::vector<std::string> flags) {
    flags.insert(flags.begin(), set.begin(), set.end());
    return run(flags);
  };
  EXPECT_EQ(with_set({"-i", hypotheses, "-f", "text"}).out, kBleuLine);
  expect_refusal(with_set({"-i", hypotheses, "-o", folder.path("sets/wmt22/wmt22.en-de.ref")}), 2, "is also an input");
  EXPECT_EQ(with_set({"--echo", "src"}).out, "a\n\nb\n");
  expect_refusal(with_set({references, "-i", hypotheses}), 2, "--test-set: has references of its own");
  expect_refusal(run({"-t", "wmt22", "-l", "en-de", "-i", hypotheses}), 2, "set VENTRIS_TEST_SETS");
  setenv("VENTRIS_TEST_SETS", folder.path("sets").c_str(), 1);
  EXPECT_EQ(run({"-t", "wmt22", "-l", "en-de", "--echo", "ref"}).out, "The cat sat on a mat.\nHallo Welt!\n");
  unsetenv("VENTRIS_TEST_SETS");
  std::filesystem::remove(folder.path("sets/wmt22/wmt22.en-de.src"));
  expect_refusal(with_set({"--echo", "src"}), 3, "--echo: the test set wmt22 has no source of en-de");
}

TEST_F(EvaluateTest, SeveralReferencesCountTogether) {
  const std::string other = folder.file("ref2", "The cat sat on the mat.\nHallo, Welt!\n");
  const Outcome outcome = run({references, other, "-i", hypotheses, "-f", "text"});
  EXPECT_THAT(outcome.out, HasSubstr("nrefs:2|"));
  EXPECT_THAT(outcome.out, HasSubstr(" = 100.0 "));
}

TEST_F(EvaluateTest, OnlyLineFeedsEndALine) {
  const std::string text =
      "one\rtwo\u2028three\r\nfour\x0C\x1C\u0085"
      "five";  // the last line has no end
  const std::string file = folder.file("odd", text);
  EXPECT_EQ(run({file, "-i", file, "-sl", "-b", "-w", "0"}).out, "100\n100\n");
}

TEST_F(EvaluateTest, ScoresGoToTheNamedFile) {
  EXPECT_EQ(score({"-f", "text", "-o", folder.path("out")}).out, "");
  EXPECT_EQ(test::file_bytes(folder.path("out")), kBleuLine);
}

TEST_F(EvaluateTest, InvalidUtf8IsReplacedCountedAndTold) {
  const std::string broken = folder.file("broken", "fine\nbad \xFF byte\nbad \xE2\x82\n");
  const Outcome outcome = run({broken, "-i", broken, "-b", "-m", "chrf"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "100.0\n");
  EXPECT_THAT(outcome.err, HasSubstr("broken: 2 of 3 lines are not valid UTF-8 (the first is line 2)"));
}

TEST_F(EvaluateTest, AByteOrderMarkIsTold) {
  const std::string marked = folder.file("marked", "\xEF\xBB\xBFone\ntwo\n");
  EXPECT_THAT(run({marked, "-i", marked}).err, HasSubstr("marked: starts with a byte-order mark"));
}

TEST_F(EvaluateTest, TextThatLooksTokenizedIsToldUnlessForced) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "This is it .\n";
  const std::string file = folder.file("tokenized", text);
  EXPECT_THAT(run({file, "-i", file}).err, HasSubstr("look tokenized"));
  EXPECT_EQ(run({file, "-i", file, "--force"}).err, "");
  EXPECT_EQ(run({file, "-i", file, "-m", "chrf"}).err, "");
}

TEST_F(EvaluateTest, ATokenizationThatFindsNoWordsInTheScriptIsToldUnlessForced) {
  const std::string chinese = folder.file("zh", "两只狗在草地上玩。\n"), thai = folder.file("th", "สุนัขสองตัวเล่น\n");
  EXPECT_THAT(run({chinese, "-i", chinese}).err, HasSubstr("-tok 13a finds hardly any words in Chinese references"));
  EXPECT_THAT(run({chinese, "-i", chinese}).err, HasSubstr("use -tok zh"));
  EXPECT_THAT(run({thai, "-i", thai, "-tok", "zh"}).err, HasSubstr("-tok zh finds hardly any words in Thai"));
  EXPECT_THAT(run({thai, "-i", thai, "-tok", "intl"}).err, HasSubstr("use -tok char"));
  EXPECT_EQ(run({chinese, "-i", chinese, "-tok", "zh"}).err, "");
  EXPECT_EQ(run({chinese, "-i", chinese, "--force"}).err, "");
  EXPECT_EQ(run({chinese, "-i", chinese, "-m", "chrf"}).err, "");
  EXPECT_EQ(run({references, "-i", references}).err, "");
}

TEST_F(EvaluateTest, DifferentLineCountsAreRefused) {
  expect_refusal(run({references}, "only one\n"), 3, "standard input: has 1 line, but " + references + " has 2");
}

TEST_F(EvaluateTest, InputsThatCannotBeReadAreRefused) {
  const std::string empty = folder.file("empty", ""), no_gzip = folder.file("no.gz", "plain text\n");
  expect_refusal(run({empty, "-i", hypotheses}), 3, "empty: is empty");
  expect_refusal(run({references}, ""), 3, "standard input: is empty");
  expect_refusal(run({folder.path("missing"), "-i", hypotheses}), 3, "missing");
  expect_refusal(run({references, "-i", folder.path()}), 3, folder.path());
  expect_refusal(run({references, "-i", no_gzip}), 3, "no.gz: not a gzip file");
}

TEST_F(EvaluateTest, FlagsThatMakeNoSenseAreRefused) {
  expect_refusal(run({"-", "-i", "-"}), 2, "standard input can be only one of the inputs");
  expect_refusal(score({"-sl", "-m", "bleu", "chrf"}), 2, "--sentence-level: expected one metric");
  expect_refusal(score({"-sv", "1"}), 2,
                 "(--smooth-value): can be used only with smooth_method (--smooth-method) floor or add-k");
  expect_refusal(score({"-s", "floor", "-sv", "nan"}), 2,
                 "(--smooth-value): expected a number of at least 0, found nan");
  expect_refusal(score({"-s", "floor", "-sv", "-1"}), 2, "--smooth-value", 2);
  expect_refusal(score({"-m", "meteor"}), 2, "meteor", 2);
  expect_refusal(score({"-tok", "14a"}), 2, "14a", 2);
  expect_refusal(score({"--smoth-method", "exp"}), 2, "--smooth-method", 2);
  expect_refusal(run({}), 2, "references: expected at least one file");
  expect_refusal(score({"-m", "chrf", "-cc", "0"}), 2, "(--chrf-char-order) 0");
}

TEST_F(EvaluateTest, FlagsOfAMetricThatIsNotAskedForChangeNothing) {
  const std::string bare = score({"-b"}).out;
  EXPECT_EQ(score({"-b", "-m", "bleu", "-cc", "0"}).out, bare);
  EXPECT_EQ(score({"-b", "-m", "bleu", "-cc", "0", "-cw", "0", "--ter-asian-support"}).out, bare);
  const std::string chrf = score({"-b", "-m", "chrf", "ter"}).out;
  EXPECT_EQ(score({"-b", "-m", "chrf", "ter", "-tok", "spm", "-sv", "1"}).out, chrf);
  EXPECT_EQ(score({"-b", "-m", "chrf", "ter", "--spm-model", folder.path("missing")}).out, chrf);
}

TEST_F(EvaluateTest, TestsThatDoNotFitAreRefused) {
  expect_refusal(score({"-ci", "--seed", "-1"}), 2, "--seed", 2);
  expect_refusal(score({"-ci", "--seed", "99999999999999999999"}), 2, "--seed", 2);
  expect_refusal(score({"-sl", "-ci"}), 2,
                 "--sentence-level: cannot be used with confidence intervals and paired tests");
  expect_refusal(score({"-pbs"}), 2, "--paired-bs, --paired-ar: expected two or more systems");
  expect_refusal(run({references, "-i", hypotheses, references, "-ci"}), 2, "--confidence: expected one system");
  expect_refusal(run({references, "-i", hypotheses, references, "-sl"}), 2, "--sentence-level: expected one system");
  expect_refusal(run({references, "-i", hypotheses, hypotheses}), 2, hypotheses + " is given twice");
  expect_refusal(score({"-pbs", "-par"}), 2, "--paired-ar", 2);
  expect_refusal(score({"-ci", "-pbs"}), 2, "--paired-bs", 2);
  expect_refusal(score({"-cin", "10"}), 2, "--confidence-n", 2);
  expect_refusal(score({"-ci", "-cin", "1"}), 2, "--confidence-n", 2);
  expect_refusal(score({"--seed", "x"}), 2, "--seed", 2);
  expect_refusal(score({"--threads", "-1"}), 2, "--threads", 2);
}

TEST_F(EvaluateTest, ModelsThatDoNotFitAreRefused) {
  const std::string model = VENTRIS_SOURCE "/tests/parity/metrics.spm";
  expect_refusal(score({"-tok", "spm"}), 2, "(--tokenize) spm: needs a SentencePiece model");
  expect_refusal(score({"--spm-model", model}), 2, "(--spm-model): can be used only with tokenize (--tokenize) spm");
  expect_refusal(score({"-tok", "spm", "--spm-model", references}), 4, references + ": not a SentencePiece model");
  expect_refusal(score({"-tok", "spm", "--spm-model", folder.path("missing")}), 3, "missing");
  const std::string bad = folder.file("bad.spm", test::bad_tokenizer());
  expect_refusal(score({"-tok", "spm", "--spm-model", bad}), 4, bad + test::kBadTokenizer);
}

TEST_F(EvaluateTest, OutputThatCannotBeWrittenIsRefused) {
  expect_refusal(score({"-o", folder.path("no/such/out")}), 74, "no/such/out");
  expect_refusal(score({"-o", "/dev/full"}), 74, "/dev/full");
  const std::string command = test::program_path("ventris-evaluate") + " " + references + " -i " + hypotheses +
                              " > /dev/full 2> " + folder.path("err");
  EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 74);
}

TEST_F(EvaluateTest, ASignalEndsItAtOnce) {
  int input[2];
  ASSERT_EQ(pipe(input), 0);
  const std::string path = test::program_path("ventris-evaluate");
  const pid_t child = fork();
  if (child == 0) {
    dup2(input[0], STDIN_FILENO);  // its other end stays open: there is no end of input to end by
    execl(path.c_str(), path.c_str(), references.c_str(), nullptr);
    _exit(127);
  }
  usleep(300'000);
  kill(child, SIGTERM);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
  for (const int end : input) close(end);
}

}  // namespace
}  // namespace ventris
