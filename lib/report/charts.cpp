#include "report/charts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "figures/attention.h"
#include "figures/bar_chart.h"
#include "figures/line_chart.h"

namespace ventris::report {
using nlohmann::json;
namespace {

constexpr double kWidth = 560, kHeight = 300;  // two fit side by side
constexpr size_t kMostBins = 50;

/// One value of all lines of a kind, by update.
figures::Series series_of(const RunData& run, const char* kind, const char* key, const char* name) {
  figures::Series series;
  series.name = name;
  series.markers = std::string_view(kind) == "valid";
  for (const json& line : run.metrics) {
    if (line.value("kind", "") != kind) continue;
    series.x.push_back(number_or_nan(line, "updates"));
    series.y.push_back(number_or_nan(line, key));
  }
  return series;
}

figures::Series perplexity_of(const RunData& run, const char* kind, const char* name) {
  figures::Series series = series_of(run, kind, "nll", name);
  for (double& value : series.y) value = std::exp(value);
  return series;
}

/// Logarithmic if the largest value is far above the smallest.
figures::ScaleKind scale_for(const std::vector<figures::Series>& all) {
  double least = 0, most = 0;
  for (const figures::Series& series : all) {
    for (const double value : series.y) {
      if (!(value > 0) || !std::isfinite(value)) continue;
      least = least > 0 ? std::min(least, value) : value;
      most = std::max(most, value);
    }
  }
  return most > 20 * least ? figures::ScaleKind::kLog : figures::ScaleKind::kLinear;
}

void add(std::vector<std::string>& charts, const char* title, const char* unit, std::vector<figures::Series> all,
         figures::ScaleKind kind = figures::ScaleKind::kLinear) {
  const auto is_number = [](double value) { return std::isfinite(value); };
  std::erase_if(all, [&](const figures::Series& series) { return std::ranges::none_of(series.y, is_number); });
  if (all.empty()) return;
  charts.push_back(figures::line_chart(
      {{title, "update", unit}, std::move(all), figures::ScaleKind::kLinear, kind, kWidth, kHeight}));
}

/// Throws nlohmann's exceptions if the file does not have the expected content.
std::string attention_chart(const json& attention, const char* key, const std::string& title, const char* panel) {
  std::vector<float> weights;
  const json& panels = attention.at(key);
  for (const json& one : panels) {
    for (const json& weight : one) weights.push_back(weight.get<float>());
  }
  figures::AttentionFigure figure;
  figure.title = title;
  figure.panel = panel;
  figure.x_label = "source";
  figure.y_label = "translation";
  figure.row_labels = attention.at("produced").get<std::vector<std::string>>();
  figure.column_labels = attention.at("source").get<std::vector<std::string>>();
  figure.panels = static_cast<int64_t>(panels.size());
  figure.weights = weights;
  return figures::attention_figure(figure);
}

}  // namespace

double number_or_nan(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> curves(const RunData& run) {
  std::vector<std::string> charts;
  add(charts, "Loss", "nats per token",
      {series_of(run, "train", "loss", "training"), series_of(run, "valid", "loss", "validation")});
  const std::vector<figures::Series> perplexity{perplexity_of(run, "train", "training"),
                                                perplexity_of(run, "valid", "validation")};
  add(charts, "Perplexity", "", perplexity, scale_for(perplexity));
  add(charts, "BLEU and chrF of the validations", "",
      {series_of(run, "valid", "bleu", "BLEU"), series_of(run, "valid", "chrf", "chrF")});
  add(charts, "Accuracy of the validations", "", {series_of(run, "valid", "accuracy", "")});
  add(charts, "Learning rate", "", {series_of(run, "train", "learning_rate", "")});
  const std::vector<figures::Series> norm{series_of(run, "train", "gradient_norm", "")};
  add(charts, "Gradient norm", "before clipping", norm, scale_for(norm));
  add(charts, "Speed", "target tokens per second", {series_of(run, "train", "target_tokens_per_second", "")});
  return charts;
}

std::string length_chart(const json& statistics) {
  if (!statistics.is_object()) return "";
  const auto source = statistics.at("source_lengths").get<std::vector<uint64_t>>();
  const auto target = statistics.at("target_lengths").get<std::vector<uint64_t>>();
  const auto reach = [](const figures::Bins& bins) {
    return bins.edges.empty() ? size_t{0} : static_cast<size_t>(bins.edges.back()) - 1;
  };
  const size_t end = std::max(reach(figures::bins_of(source, kMostBins)), reach(figures::bins_of(target, kMostBins)));
  const auto left = figures::bins_of(source, kMostBins, end), right = figures::bins_of(target, kMostBins, end);
  if (left.edges.empty() || left.edges != right.edges) return "";
  return figures::bar_chart({{"Lengths of the training pairs", "tokens per sentence", "sentences"},
                             left.edges,
                             {"source", "target"},
                             {left.heights, right.heights},
                             kWidth,
                             kHeight});
}

std::vector<std::string> attention_charts(const json& attention) {
  if (!attention.is_object()) return {};
  std::vector<std::string> charts{attention_chart(attention, "layers", "Each layer, mean of its heads", "layer")};
  if (attention.at("heads").size() > 1)
    charts.push_back(attention_chart(attention, "heads", "Heads of the last layer", "head"));
  return charts;
}

}  // namespace ventris::report
