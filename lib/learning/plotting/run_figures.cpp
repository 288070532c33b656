#include "plotting/run_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "figures/bar_chart.h"
#include "figures/line_chart.h"
#include "model/package.h"
#include "settings/settings_file.h"
#include "text/line_reader.h"
#include "text/line_sequence.h"
#include "text/tokenizer.h"
#include "text/valid_utf8.h"
#include "training/schedule.h"

namespace ventris::plotting {
namespace {

constexpr int64_t kPoints = 1000;
constexpr size_t kMostBins = 60;

std::string name_of(const std::string& path) {
  return text::replace_invalid_utf8(std::filesystem::path(path).filename().string());
}

figures::Series rates(const std::string& name, const settings::ScheduleConfig& schedule, int64_t d_model,
                      int64_t updates) {
  figures::Series series;
  series.name = name;
  const int64_t count = std::min(updates, kPoints);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t update = 1 + i * (updates - 1) / (count - 1);
    series.x.push_back(static_cast<double>(update));
    series.y.push_back(training::learning_rate(schedule, update, d_model));
  }
  return series;
}

int64_t words(const std::string& line) {
  int64_t count = 0;
  bool inside = false;
  for (const char byte : line) {
    const bool space = byte == ' ' || byte == '\t' || byte == '\r';
    count += !space && !inside ? 1 : 0;
    inside = !space;
  }
  return count;
}

/// counts[length] of a file's lines.
std::vector<uint64_t> lengths_of(const std::string& file, const text::Tokenizer* tokenizer) {
  std::vector<uint64_t> counts;
  text::LineReader lines(file);
  for (std::string line; lines.next(line);) {
    const auto length = tokenizer != nullptr ? tokenizer->encode(line).size() : static_cast<size_t>(words(line));
    if (counts.size() <= length) counts.resize(length + 1, 0);
    ++counts[length];
  }
  text::warn_about(lines);
  return counts;
}

}  // namespace

std::string schedule_figure(const std::vector<std::string>& settings_files, int64_t updates) {
  if (updates < 2 || updates > 100'000'000) fail<ConfigError>("--updates: expected 2 to 100000000, got ", updates);
  figures::LineChart chart;
  chart.texts = {settings_files.empty() ? "Learning rate: noam" : "Learning rate", "update", ""};
  for (const std::string& file : settings_files) {
    const settings::RunConfig config = settings::read_settings(file);
    chart.series.push_back(rates(name_of(file), config.training.schedule, config.model->width(), updates));
  }
  if (!settings_files.empty()) return figures::line_chart(chart);
  for (const auto& [d_model, warmup] : {std::pair{512, 4000}, {512, 8000}, {256, 4000}}) {
    const settings::ScheduleConfig schedule{settings::ScheduleKind::kNoam, 1.0, warmup};
    chart.series.push_back(rates(fmt::format("d_model {}, warm-up {}", d_model, warmup), schedule, d_model, updates));
  }
  return figures::line_chart(chart);
}

std::string lengths_figure(const std::vector<std::string>& files, const std::string& tokenizer_model) {
  if (files.empty()) fail<ConfigError>("lengths: no file is given; give one or more text files");
  if (std::count(files.begin(), files.end(), "-") > 1)
    fail<ConfigError>("lengths: standard input can be only one of the files");
  std::vector<text::Tokenizer> tokenizers;
  if (!tokenizer_model.empty()) {
    const model::Package package = model::read_package(tokenizer_model);
    tokenizers.emplace_back(package.source_spm, tokenizer_model + ": source.spm");
    tokenizers.emplace_back(package.target_spm, tokenizer_model + ": target.spm");
  }
  figures::BarChart chart;
  chart.texts = {"Lengths of the lines", tokenizers.empty() ? "words" : "tokens", "lines"};
  std::vector<std::vector<uint64_t>> counts;
  size_t reach = 0;
  for (const std::string& file : files) {
    const text::Tokenizer* tokenizer = tokenizers.empty() ? nullptr : &tokenizers[counts.empty() ? 0 : 1];
    counts.push_back(lengths_of(file, tokenizer));
    chart.names.push_back(name_of(file));
    const figures::Bins bins = figures::bins_of(counts.back(), kMostBins);
    if (!bins.edges.empty()) reach = std::max(reach, static_cast<size_t>(bins.edges.back()) - 1);
  }
  for (auto& one : counts) {
    one.resize(std::max(one.size(), reach + 1), 0);
    figures::Bins bins = figures::bins_of(one, kMostBins, reach);
    if (bins.edges.empty()) bins.heights.assign(1, 0);  // an empty file
    if (!bins.edges.empty()) chart.edges = bins.edges;
    chart.heights.push_back(bins.heights);
  }
  if (chart.edges.empty()) chart.edges = {0, 1};
  for (auto& heights : chart.heights) heights.resize(chart.edges.size() - 1, 0);
  return figures::bar_chart(chart);
}

}  // namespace ventris::plotting
