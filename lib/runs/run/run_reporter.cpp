#include "run/run_reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/json_problem.h"
#include "core/json_shape.h"
#include "core/log.h"
#include "core/process.h"
#include "data/length_survey.h"
#include "figures/attention_figure.h"
#include "files/files.h"
#include "files/folders.h"
#include "files/paths.h"
#include "report/run_report.h"
#include "report/run_values.h"
#include "run/run_lines.h"

namespace ventris::run {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// The minimum interval of reports between validations, and the maximum share of the time that they take.
constexpr size_t kMostAttention = 10'000'000;  // values in a file of attention weights
constexpr double kSecondsBetweenReports = 60, kMostOfTheTime = 0.005;

std::string path_in(const RunFolder& folder, const char* file) { return folder.report_data() + "/" + file; }

/// Reads a number; null means a number that was not finite.
double figure(const ordered_json& line, const char* key) {
  return line.at(key).is_number() ? line.at(key).get<double>() : std::nan("");
}

/// Adds the figures of a validation on one corpus, which `line` has, too, under names that begin with `prefix`.
void add_scalars(const std::string& prefix, const ordered_json& line, const ValidationResult& result,
                 std::vector<events::Scalar>& scalars) {
  scalars.push_back({prefix + "loss", figure(line, "loss")});
  scalars.push_back({prefix + "nll", figure(line, "nll")});
  scalars.push_back({prefix + "ppl", figure(line, "perplexity")});
  for (const auto& [name, value] : result.measures) scalars.push_back({prefix + name, value});
}

/// Rounds to ten-thousandths, because a heat map does not show more.
json rounded(std::span<const float> weights) {
  json numbers = json::array();
  for (const float weight : weights) numbers.push_back(std::round(weight * 10000) / 10000.0);
  return numbers;
}

/// Removes data of later updates than the one from which the run resumes.
void forget_later_attention(const std::string& path, const TrainingState& state) {
  if (!files::exists(path)) return;
  const std::string text = files::read_file(path);
  const json attention = core::is_modest_json(text, kMostAttention) ? json::parse(text) : json();
  const double updates = attention.is_object() ? report::number_or_nan(attention, "updates") : std::nan("");
  if (updates <= static_cast<double>(state.last_validated)) return;
  fs::remove(path);
}

}  // namespace

RunReporter::RunReporter(const RunFolder& folder, const settings::RunConfig& config, const TrainingState& state,
                         const data::PairStore& pairs)
    : folder_(folder),
      report_(config.training.report),
      tensorboard_(config.training.tensorboard),
      events_(folder.path, state.progress.updates + 1),
      next_report_(core::seconds_now() + kSecondsBetweenReports) {
  if (!report_) return;
  guarded("data", [&] {
    fs::create_directories(folder_.report_data());
    cut_lines(path_in(folder_, report::kSamples), state);
    forget_later_attention(path_in(folder_, report::kAttention), state);
    count(pairs, config.model->corpus_kind());
  });
  write_state(report::RunState::kRunning, "");
}

void RunReporter::guarded(const std::string& part, const std::function<void()>& work) {
  try {
    work();
    failing_.erase(part);
  } catch (const std::exception& error) {
    if (!failing_.insert(part).second) return;
    core::log_warning(
        fmt::format("the report of the run is incomplete: {}; training continues", core::json_problem(error)));
  }
}

void RunReporter::write_events(int64_t updates, const std::vector<events::Scalar>& scalars) {
  if (tensorboard_) guarded("events", [&] { events_.write(updates, scalars); });
}

void RunReporter::count(const data::PairStore& pairs, architecture::CorpusKind kind) const {
  const data::LengthSurvey lengths = data::survey_lengths(pairs);
  json statistics{{"pairs", pairs.size()},
                  {"source_tokens", pairs.summary().source_tokens},
                  {"counted_pairs", lengths.pairs},
                  {"source_lengths", lengths.source}};
  if (kind == architecture::CorpusKind::kPairs) {
    statistics["target_tokens"] = pairs.summary().target_tokens;
    statistics["target_lengths"] = lengths.target;
  } else {
    statistics["examples"] = kind == architecture::CorpusKind::kLabels ? "texts" : "passages";
  }
  files::write_file(path_in(folder_, report::kStatistics), statistics.dump() + "\n");
}

void RunReporter::train(const ordered_json& line) {
  write_events(line.at("updates").get<int64_t>(), {{"train/loss", figure(line, "loss")},
                                                   {"train/nll", figure(line, "nll")},
                                                   {"train/ppl", std::exp(figure(line, "nll"))},
                                                   {"train/lr", figure(line, "learning_rate")},
                                                   {"train/gnorm", figure(line, "gradient_norm")},
                                                   {"train/tokens_per_s", figure(line, "target_tokens_per_second")}});
  if (core::seconds_now() >= next_report_) write();
}

void RunReporter::valid(const ordered_json& line, const ValidationResult& result) {
  const auto updates = line.at("updates").get<int64_t>();
  std::vector<events::Scalar> scalars;
  add_scalars("valid/", line, result, scalars);
  for (const ValidationResult& further : result.further) {
    add_scalars("valid/" + further.corpus + "/", line.at("further").at(further.corpus), further, scalars);
  }
  write_events(updates, scalars);
  if (!report_) return;
  guarded(report::kSamples, [&] { write_samples(updates, result.samples); });
  if (result.attention) guarded(report::kAttention, [&] { write_attention(updates, *result.attention); });
  write();
}

void RunReporter::write_samples(int64_t updates, const std::vector<Sample>& samples) const {
  ordered_json line{{"kind", "valid"}, {"updates", updates}, {"samples", ordered_json::array()}};
  for (const Sample& sample : samples) {
    line["samples"].push_back(
        {{"source", sample.source}, {"reference", sample.reference}, {"translation", sample.translation}});
  }
  append_line(path_in(folder_, report::kSamples), line);
}

void RunReporter::write_attention(int64_t updates, const model::SentenceAttention& attention) const {
  const auto& cross = attention.maps.cross;
  json layers = json::array(), heads = json::array();
  for (const auto& layer : cross) layers.push_back(rounded(figures::mean_over_panels(layer.weights, layer.heads)));
  const auto& last = cross.back();
  const auto cells = static_cast<size_t>(last.q_len * last.k_len);
  for (size_t head = 0; head < static_cast<size_t>(last.heads); ++head) {
    heads.push_back(rounded(std::span(last.weights).subspan(head * cells, cells)));
  }
  const json all{{"updates", updates},
                 {"source", attention.labels.source},
                 {"produced", attention.labels.produced},
                 {"layers", layers},
                 {"heads", heads}};
  files::write_file(path_in(folder_, report::kAttention), all.dump() + "\n");
}

void RunReporter::write_state(report::RunState state, const std::string& reason) {
  guarded("state", [&] { report::write_state(folder_.report_data(), state, reason); });
}

void RunReporter::end(report::RunState state, const std::string& reason) {
  if (!report_) return;
  write_state(state, reason);
  write();
}

void RunReporter::write() {
  if (!report_ || !files::exists(folder_.metrics())) return;
  const double started = core::seconds_now();
  guarded("page", [&] { report::write_run_report(folder_.path, folder_.report()); });
  const double now = core::seconds_now();
  next_report_ = now + std::max(kSecondsBetweenReports, (now - started) / kMostOfTheTime);
}

}  // namespace ventris::run
