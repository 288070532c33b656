#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/folder_entries.h"
#include "support/run_program.h"
#include "support/small_run.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

namespace ventris::test {
namespace {

using testing::HasSubstr;
using Names = std::vector<std::string>;

void expect_refused(const Outcome& outcome, int code, const std::string& part) {
  EXPECT_EQ(outcome.code, code) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr(part));
}

TEST(Plot, FiguresGoToStandardOutputOrAFileTheSameEachTime) {
  const TempFolder folder;
  for (const char* figure : {"positions", "mask", "schedule", "smoothing", "kernels"}) {
    const Outcome shown = run_program("ventris-plot", {figure});
    EXPECT_EQ(shown.code, 0) << shown.err;
    EXPECT_TRUE(shown.out.starts_with("<svg ")) << figure;
    ASSERT_EQ(run_program("ventris-plot", {figure, "-o", folder.path("a.svg")}).code, 0);
    EXPECT_EQ(file_bytes(folder.path("a.svg")), shown.out) << figure;
  }
}

TEST(Plot, LengthsAreOfTextFiles) {
  const TempFolder folder;
  const Outcome outcome =
      run_program("ventris-plot", {"lengths", folder.file("a.txt", "one two\n"), folder.file("b.txt", "x\n")});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(">b.txt<"));
}

TEST(Plot, AReportIsMadeAnewFromARunFolder) {
  const TempFolder folder;
  write_small_run(folder.path("run"));
  ASSERT_EQ(run_program("ventris-plot", {"report", "-m", folder.path("run")}).code, 0);
  EXPECT_THAT(file_bytes(folder.path("run/report.html")), HasSubstr("<h2>Curves</h2>"));
  expect_refused(run_program("ventris-plot", {"report", "-m", folder.path()}), 3, "has no metrics.jsonl");
  expect_refused(run_program("ventris-plot", {"report"}), 2, "--model: missing; give a run folder");
}

TEST(Plot, WhatIsReadIsNotReplaced) {
  const TempFolder folder;
  const std::string text = folder.file("a.txt", "one two\n"), config = folder.file("c.json", "{}");
  std::filesystem::create_symlink("a.txt", folder.path("link"));
  for (const std::string& out : {text, folder.path("link")}) {
    expect_refused(run_program("ventris-plot", {"lengths", text, "-o", out}), 2, "is also an input (");
  }
  expect_refused(run_program("ventris-plot", {"schedule", "-c", config, "-o", config}), 2, "is also an input (");
  EXPECT_EQ(file_bytes(text), "one two\n");
  EXPECT_EQ(file_bytes(config), "{}");
  const std::string run = folder.path("run");
  write_small_run(run);
  const std::string metrics = file_bytes(run + "/metrics.jsonl");
  expect_refused(run_program("ventris-plot", {"report", "-m", run, "-o", run + "/metrics.jsonl"}), 2,
                 "is a file of the run");
  EXPECT_EQ(file_bytes(run + "/metrics.jsonl"), metrics);
  expect_refused(run_program("ventris-plot", {"lengths", text, "-m", run, "-o", run + "/model.safetensors"}), 2,
                 "is a file of the model");
  EXPECT_EQ(run_program("ventris-plot", {"report", "-m", run, "-o", run + "/mine.html"}).code, 0);
  EXPECT_EQ(run_program("ventris-plot", {"report", "-m", run, "-o", run + "/mine.html"}).code, 0);
}

TEST(Plot, SeveralRunsAreCompared) {
  const TempFolder folder;
  for (const char* run : {"a", "b"}) write_small_run(folder.path(run));
  const Outcome shown = run_program("ventris-plot", {"report", "-m", folder.path("a"), "-m", folder.path("b")});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("Comparison of 2 training runs"));
  const std::string page = folder.path("page.html"), first = folder.path("a");
  ASSERT_EQ(run_program("ventris-plot", {"report", "-m", first, "-m", folder.path("b"), "-o", page}).code, 0);
  EXPECT_THAT(file_bytes(page), HasSubstr("Comparison of 2 training runs"));
  expect_refused(run_program("ventris-plot", {"report", "-m", first, "-m", first}), 2, "this run is given twice");
  expect_refused(run_program("ventris-plot", {"report", "-m", first, "-m", folder.path("c")}), 3,
                 "has no metrics.jsonl");
  expect_refused(run_program("ventris-plot", {"attention", "-m", first, "-m", first, "--source", "a"}), 2,
                 "--model: expected one, got 2; only the figure 'report' takes several");
}

TEST(Plot, AttentionIsAFileForEachKindAndLayerAndMarkupInASentenceStaysText) {
  const TempFolder folder;
  const ToyCorpus train = write_toy_corpus(folder, "train", 100, 1);
  const std::string settings = folder.file("settings.json", kToySettings), run = folder.path("run"),
                    out = folder.path("out");
  ASSERT_EQ(run_program("ventris-train",
                        {"-c", settings, "--train", train.source, train.target, "-m", run, "--after", "2u", "--quiet"})
                .code,
            0);
  const Outcome own =
      run_program("ventris-plot", {"attention", "-m", run + "/final", "--source", "red tree", "-o", out});
  const Outcome given = run_program("ventris-plot", {"attention", "-m", run + "/final", "--source", "red <tree> &",
                                                     "--target", "tree red", "-o", out});
  EXPECT_EQ(given.code, 0) << given.err;
  // After two updates, the model's own translation may be empty; then there is nothing to draw.
  const bool empty = run_program("ventris-translate", {"-m", run + "/final"}, "red tree\n").out == "\n";
  EXPECT_EQ(own.code == 0, !empty) << own.err;
  EXPECT_THAT(own.err, HasSubstr(empty ? "target sentence: expected 1" : ""));
  EXPECT_EQ(entries(out), (Names{"cross-layer-1.svg", "decoder-layer-1.svg", "encoder-layer-1.svg"}));
  const std::string cross = file_bytes(out + "/cross-layer-1.svg");
  EXPECT_THAT(cross, HasSubstr(">head 4<"));
  EXPECT_THAT(cross, HasSubstr(">&lt;/s&gt;<"));
  expect_refused(
      run_program("ventris-plot", {"attention", "-m", run + "/final", "--source", "", "--target", "x", "-o", out}), 2,
      "--source: missing");
  expect_refused(run_program("ventris-plot", {"attention", "-m", run + "/final", "--source", "x"}), 2,
                 "give -o FOLDER");
  expect_refused(run_program("ventris-plot", {"attention", "-m", run, "--source", "x", "-o", out}), 4, "run");
}

TEST(Plot, FiguresAreCompleted) {
  const Outcome script = run_program("ventris-plot", {"--generate", "completion-bash"});
  EXPECT_EQ(script.code, 0) << script.err;
  EXPECT_THAT(script.out,
              HasSubstr("positions mask schedule smoothing kernels complexity scaling tradeoff attention lengths "
                        "report"));
}

TEST(Plot, WrongFlagsAreRefusedWithASentence) {
  const Outcome mistyped = run_program("ventris-plot", {"postions"});
  expect_refused(mistyped, 2, "expected one of positions, mask, ");
  EXPECT_THAT(mistyped.err, HasSubstr("got 'postions' (did you mean 'positions'?)"));
  expect_refused(run_program("ventris-plot", {"mask", "--updates", "5"}), 2,
                 "--updates: has no effect on the figure 'mask'");
  expect_refused(run_program("ventris-plot", {"mask", "--size", "3", "--padding", "4"}), 2,
                 "--padding: expected 0 to 2, got 4");
  EXPECT_EQ(run_program("ventris-plot", {"mask", "--size", "3"}).code, 0) << "no flag is named that nobody gave";
  expect_refused(run_program("ventris-plot", {"mask", "--points", "5"}), 2,
                 "--points: has no effect on the figure 'mask'");
  expect_refused(run_program("ventris-plot", {"kernels", "--points", "1"}), 2, "--points: expected 2 to 200, got 1");
  expect_refused(run_program("ventris-plot", {"kernels", "--kernel-width", "-1"}), 2, "--kernel-width: expected");
  expect_refused(run_program("ventris-plot", {"mask", "a.txt"}), 2, "a.txt: the figure 'mask' takes no files");
  for (const char* figure : {"mask", "attention", "report"})
    expect_refused(run_program("ventris-plot", {figure, "-o", ""}), 2, "--output: expected a path, got an empty one");
  expect_refused(run_program("ventris-plot", {"mask", "-o", "/none/such/a.svg"}), 74, "/none/such/a.svg");
}

}  // namespace
}  // namespace ventris::test
