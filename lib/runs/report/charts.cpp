#include "report/charts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "figures/attention_figure.h"
#include "figures/bar_chart.h"
#include "figures/line_chart.h"
#include "metrics/validation_metrics.h"
#include "report/run_values.h"

namespace ventris::report {
using nlohmann::json;
namespace {

constexpr double kWidth = 380, kHeight = 260;  // three fit side by side, and one on the screen of a telephone
constexpr size_t kMostBins = 50;
constexpr size_t kPointsOfAHalf = 4;  // fewer are not worth a chart of their own
constexpr double kFlat = 0.25;        // of the height of a chart
constexpr double kLongRun = 8;        // times as long as another run of the same chart

/// One value of all lines of a kind, by update.
figures::Series series_of(const RunData& run, const char* kind, std::string_view key, const std::string& name) {
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

/// The same of the validations on a further corpus.
figures::Series series_of_further(const RunData& run, const std::string& corpus, std::string_view key) {
  figures::Series series;
  series.name = corpus;
  series.markers = true;
  for (const json& line : run.metrics) {
    const json& measured = of_further_corpus(line, corpus);
    if (line.value("kind", "") != "valid" || !measured.is_object()) continue;
    series.x.push_back(number_or_nan(line, "updates"));
    series.y.push_back(number_or_nan(measured, key));
  }
  return series;
}

std::vector<figures::Series> with_values(std::vector<figures::Series> all) {
  const auto is_number = [](double value) { return std::isfinite(value); };
  std::erase_if(all, [&](const figures::Series& series) { return std::ranges::none_of(series.y, is_number); });
  return all;
}

/// One value of all validations, of each corpus; empty if there is only one corpus.
std::vector<figures::Series> of_each_corpus(const RunData& run, std::string_view key) {
  std::vector<figures::Series> all;
  for (const std::string& corpus : further_corpora(run)) all.push_back(series_of_further(run, corpus, key));
  if (!all.empty()) all.insert(all.begin(), series_of(run, "valid", key, "the one that decides"));
  return with_values(all);
}

/// The metrics that are measured on this, with a name each if there are several.
std::vector<figures::Series> metrics_of(const RunData& run, metrics::MeasuredOn measured_on) {
  const auto found = metrics::metrics_on(measured_on);
  std::vector<figures::Series> all;
  for (const metrics::MetricFacts* facts : found) {
    all.push_back(series_of(run, "valid", facts->name, found.size() > 1 ? std::string(facts->title) : ""));
  }
  return with_values(all);
}

std::string capitalised(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

figures::Series perplexity_of(const RunData& run, const char* kind, const std::string& name) {
  figures::Series series = series_of(run, kind, "nll", name);
  for (double& value : series.y) value = std::exp(value);
  return series;
}

/// The least and the greatest value; low > high if there is none.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

/// Logarithmic if the largest value is far above the smallest.
figures::ScaleKind scale_for(const std::vector<figures::Series>& all) {
  Extent extent;
  for (const figures::Series& series : all) {
    for (const double value : series.y) {
      if (value > 0) extent.add(value);
    }
  }
  return extent.high > 20 * extent.low ? figures::ScaleKind::kLog : figures::ScaleKind::kLinear;
}

/// The points from x on.
figures::Series end_of(const figures::Series& series, double from) {
  figures::Series end = series;
  end.x.clear();
  end.y.clear();
  for (size_t i = 0; i < series.x.size(); ++i) {
    if (!(series.x[i] >= from)) continue;
    end.x.push_back(series.x[i]);
    end.y.push_back(series.y[i]);
  }
  return end;
}

Extent updates_of(const figures::LineChart& chart) {
  Extent extent;
  for (const figures::Series& series : chart.series) {
    for (const double update : series.x) extent.add(update);
  }
  return extent;
}

/// On a logarithmic scale, the logarithms of the values.
Extent heights_of(const figures::LineChart& chart, figures::ScaleKind kind) {
  Extent extent;
  for (const figures::Series& series : chart.series) {
    for (const double value : series.y) extent.add(kind == figures::ScaleKind::kLog ? std::log(value) : value);
  }
  return extent;
}

/// The second half of a chart in which the curves are flat there, with a scale of its own.
std::optional<figures::LineChart> flat_half(const figures::LineChart& chart) {
  const Extent x = updates_of(chart), y = heights_of(chart, chart.y_scale);
  figures::LineChart half = chart;
  size_t points = 0;
  for (figures::Series& series : half.series) {
    series = end_of(series, (x.low + x.high) / 2);
    points = std::max(points, series.x.size());
  }
  const Extent flat = heights_of(half, chart.y_scale);
  if (points < kPointsOfAHalf || !(flat.high - flat.low < kFlat * (y.high - y.low))) return {};
  half.texts.title += ", second half";
  half.x_range = {(x.low + x.high) / 2, x.high};
  half.y_scale = scale_for(half.series);
  return half;
}

/// The first and the last update of all lines.
Extent updates_of(const RunData& run) {
  Extent extent;
  for (const json& line : run.metrics) {
    if (const double updates = number_or_nan(line, "updates"); updates > 0) extent.add(updates);
  }
  return extent;
}

Extent updates_of(const std::vector<RunData>& runs) {
  Extent extent;
  for (const RunData& run : runs) {
    const Extent of_run = updates_of(run);
    extent.add(of_run.low);
    extent.add(of_run.high);
  }
  return extent;
}

/// Logarithmic if one run is so much longer that the others would be a spot at the left end.
figures::ScaleKind updates_scale(const std::vector<RunData>& runs) {
  Extent lengths;
  for (const RunData& run : runs) lengths.add(updates_of(run).high);
  return lengths.high > kLongRun * lengths.low ? figures::ScaleKind::kLog : figures::ScaleKind::kLinear;
}

/// The charts of a page, which share an axis of updates.
class Charts {
 public:
  explicit Charts(const RunData& run) : updates_(updates_of(run)) {}
  explicit Charts(const std::vector<RunData>& runs) : updates_(updates_of(runs)), x_scale_(updates_scale(runs)) {}

  /// Adds a chart, unless none of its series has values.
  void add(const std::string& title, const char* unit, std::vector<figures::Series> all,
           figures::ScaleKind kind = figures::ScaleKind::kLinear) {
    const auto chart = chart_of(title, unit, std::move(all), kind);
    if (chart) svgs_.push_back(figures::line_chart(*chart));
  }

  /// The same; where the curves are flat at the end, their second half follows as a chart of its own.
  void add_with_end(const std::string& title, const char* unit, std::vector<figures::Series> all,
                    figures::ScaleKind kind = figures::ScaleKind::kLinear) {
    const auto chart = chart_of(title, unit, std::move(all), kind);
    if (!chart) return;
    svgs_.push_back(figures::line_chart(*chart));
    if (x_scale_ == figures::ScaleKind::kLog) return;  // there, the second half is narrow
    if (const auto half = flat_half(*chart)) svgs_.push_back(figures::line_chart(*half));
  }

  std::vector<std::string> take() { return std::move(svgs_); }

 private:
  std::optional<figures::LineChart> chart_of(const std::string& title, const char* unit,
                                             std::vector<figures::Series> all, figures::ScaleKind kind) const {
    if (with_values(all).empty()) return {};
    const double first = x_scale_ == figures::ScaleKind::kLog ? updates_.low : 0;
    return figures::LineChart{{title, "update", unit}, std::move(all), x_scale_, kind, kWidth, kHeight,
                              {first, updates_.high}};
  }

  Extent updates_;
  figures::ScaleKind x_scale_ = figures::ScaleKind::kLinear;
  std::vector<std::string> svgs_;
};

/// The text of pieces, without the piece that ends it: "\u2581" begins a word.
std::string sentence_of(const std::vector<std::string>& pieces) {
  constexpr std::string_view kSpace = "\u2581";
  std::string text;
  for (const std::string& piece : pieces) {
    if (&piece == &pieces.back() && piece == "</s>") break;
    text += piece;
  }
  for (size_t at = text.find(kSpace); at != std::string::npos; at = text.find(kSpace, at)) {
    text.replace(at, kSpace.size(), at == 0 ? "" : " ");
  }
  return text;
}

/// Throws nlohmann's exceptions if the file does not have the expected content.
std::vector<std::string> maps_of(const json& attention, const char* key, const char* panel) {
  std::vector<float> weights;
  const json& panels = attention.at(key);
  for (const json& one : panels) {
    for (const json& weight : one) weights.push_back(weight.get<float>());
  }
  figures::AttentionFigure figure;
  figure.panel = panel;
  figure.x_label = "source";
  figure.y_label = "translation";
  figure.row_labels = attention.at("produced").get<std::vector<std::string>>();
  figure.column_labels = attention.at("source").get<std::vector<std::string>>();
  figure.panels = static_cast<int64_t>(panels.size());
  figure.weights = weights;
  const float greatest = weights.empty() ? 1 : *std::ranges::max_element(weights);
  std::vector<std::string> svgs;
  for (figures::HeatMap& map : figures::attention_maps(figure)) {
    map.high = figures::scale_end(greatest);  // in a young model, all weights are small
    svgs.push_back(figures::heat_map(map));
  }
  return svgs;
}

}  // namespace

std::vector<std::string> curves(const RunData& run) {
  Charts charts(run);
  charts.add_with_end(
      "Loss", "nats per token",
      with_values({series_of(run, "train", "loss", "training"), series_of(run, "valid", "loss", "validation")}));
  const auto perplexity =
      with_values({perplexity_of(run, "train", "training"), perplexity_of(run, "valid", "validation")});
  charts.add_with_end("Perplexity", "", perplexity, scale_for(perplexity));
  for (const auto measured_on : {metrics::MeasuredOn::kTranslations, metrics::MeasuredOn::kLabels}) {
    charts.add(capitalised(metrics::titles_of(measured_on)) + " of the validations", "", metrics_of(run, measured_on));
  }
  charts.add_with_end("Validation loss per corpus", "nats per token", of_each_corpus(run, "loss"));
  for (const metrics::MetricFacts& facts : metrics::all_metric_facts()) {
    if (!facts.leads) continue;
    charts.add_with_end(fmt::format("Validation {} per corpus", facts.title), "", of_each_corpus(run, facts.name));
  }
  charts.add("Learning rate", "", {series_of(run, "train", "learning_rate", "")});
  const std::vector<figures::Series> norm{series_of(run, "train", "gradient_norm", "")};
  charts.add("Gradient norm", "before clipping", norm, scale_for(norm));
  charts.add("Speed", "target tokens per second", {series_of(run, "train", "target_tokens_per_second", "")});
  return charts.take();
}

std::vector<std::string> curves_together(const std::vector<RunData>& runs) {
  const auto each = [&](const char* kind, std::string_view key) {
    std::vector<figures::Series> all;
    for (const RunData& run : runs) all.push_back(series_of(run, kind, key, run.name));
    return all;
  };
  Charts charts(runs);
  charts.add_with_end("Training loss", "nats per token", each("train", "loss"));
  charts.add_with_end("Validation loss", "nats per token", each("valid", "loss"));
  const auto perplexity = each("valid", "perplexity");
  charts.add_with_end("Validation perplexity", "", perplexity, scale_for(perplexity));
  for (const metrics::MetricFacts& facts : metrics::all_metric_facts()) {
    if (facts.measured_on == metrics::MeasuredOn::kProbabilities) continue;
    charts.add_with_end(fmt::format("Validation {}", facts.title), "", each("valid", facts.name));
  }
  charts.add("Learning rate", "", each("train", "learning_rate"));
  const auto norm = each("train", "gradient_norm");
  charts.add("Gradient norm", "before clipping", norm, scale_for(norm));
  charts.add("Speed", "target tokens per second", each("train", "target_tokens_per_second"));
  return charts.take();
}

std::string length_chart(const json& statistics) {
  if (!statistics.is_object()) return "";
  std::vector<std::vector<uint64_t>> sides{statistics.at("source_lengths").get<std::vector<uint64_t>>()};
  const bool pairs = statistics.contains("target_lengths");
  if (pairs) sides.push_back(statistics.at("target_lengths").get<std::vector<uint64_t>>());
  size_t end = 0;
  for (const auto& lengths : sides) {
    const figures::Bins bins = figures::bins_of(lengths, kMostBins);
    if (!bins.edges.empty()) end = std::max(end, static_cast<size_t>(bins.edges.back()) - 1);
  }
  figures::BarChart chart;
  chart.texts = pairs ? figures::ChartTexts{"Lengths of the training pairs", "tokens per sentence", "sentences"}
                      : figures::ChartTexts{"Lengths of the training texts", "tokens", "texts"};
  chart.names = pairs ? std::vector<std::string>{"source", "target"} : std::vector<std::string>{""};
  for (const auto& lengths : sides) {
    const figures::Bins bins = figures::bins_of(lengths, kMostBins, end);
    if (bins.edges.empty() || (!chart.edges.empty() && bins.edges != chart.edges)) return "";
    chart.edges = bins.edges;
    chart.heights.push_back(bins.heights);
    chart.open_end = chart.open_end || bins.past > 0;
  }
  chart.width = kWidth * 1.4;
  chart.height = kHeight * 1.2;
  return figures::bar_chart(chart);
}

AttentionFigures attention_figures(const json& attention) {
  if (!attention.is_object()) return {};
  AttentionFigures maps;
  maps.source = sentence_of(attention.at("source").get<std::vector<std::string>>());
  maps.translation = sentence_of(attention.at("produced").get<std::vector<std::string>>());
  maps.layers = maps_of(attention, "layers", "layer");
  if (attention.at("heads").size() > 1) maps.heads = maps_of(attention, "heads", "head");
  return maps;
}

}  // namespace ventris::report
