#include <filesystem>

#include "fuzz/targets.h"
#include "report/run_report.h"
#include "run/checkpoint.h"

/// The state in a checkpoint, and the files of a run that its report is made of.
namespace ventris::fuzz {
namespace {

void read_state(std::string_view input) {
  const auto state = run::parse_state_text(std::string(input), "state.json");
  const std::string text = run::state_text(state);
  require(run::state_text(run::parse_state_text(text, "again")) == text, "a state comes back, bit for bit");
}

std::vector<std::string> state_seeds() {
  run::TrainingState state;
  state.progress = {3, 500, 12345, 1.5};
  state.position = {3, 17};
  state.best = 27.125;
  state.best_updates = 450;
  state.validation_corpus = "10 pairs, crc32 01234567";
  state.sums = {9, 1.5, 1.25, 99, 88.5, 0.5, 2.75};
  state.models = {{450, 26.5, 3.75}, {500, {}}};
  return {run::state_text({}), run::state_text(state)};
}

/// The lines of metrics.jsonl, and behind them those of the samples.
void read_report(std::string_view input) {
  static const test::TempFolder kRun(test::memory_folder());
  const auto [metrics, samples] = halves_of(input);
  kRun.file("metrics.jsonl", std::string(metrics));
  std::filesystem::create_directories(kRun.path("report"));
  kRun.file("report/samples.jsonl", std::string(samples));
  require(!report::run_report(report::read_run(kRun.path())).empty(), "a run has a page");
}

const Registration kState("state", read_state, state_seeds);
const Registration kReport("report", read_report);

}  // namespace
}  // namespace ventris::fuzz
