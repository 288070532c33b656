#include "plotting/tradeoff_figure.h"

#include <algorithm>
#include <vector>

#include "core/json_reader.h"
#include "figures/line_chart.h"
#include "plotting/measured_points.h"
#include "text/valid_utf8.h"

namespace ventris::plotting {
namespace {

/// A model with one beam.
struct Contestant {
  std::string model;
  double speed = 0, bleu = 0;
};

Contestant read_contestant(core::JsonReader& reader) {
  Contestant contestant;
  int64_t beam = 0;
  reader.required("model", contestant.model);
  reader.required("beam", beam);
  reader.required("sentences_per_second", contestant.speed);
  reader.required("bleu", contestant.bleu);
  contestant.model = text::replace_invalid_utf8(contestant.model);
  return contestant;
}

figures::Series& series_of(std::vector<figures::Series>& all, const std::string& model) {
  const auto found = std::ranges::find(all, model, &figures::Series::name);
  if (found != all.end()) return *found;
  return all.emplace_back(figures::Series{model, {}, {}, /*markers=*/true});
}

}  // namespace

std::string tradeoff_figure(const std::string& file) {
  std::vector<Contestant> contestants = measured_points(file, "tradeoff.py", read_contestant);
  std::vector<figures::Series> in_order_of_file;
  for (const Contestant& contestant : contestants) series_of(in_order_of_file, contestant.model);
  std::ranges::stable_sort(contestants, {}, &Contestant::speed);
  for (const Contestant& contestant : contestants) {
    figures::Series& series = series_of(in_order_of_file, contestant.model);
    series.x.push_back(contestant.speed);
    series.y.push_back(contestant.bleu);
  }
  figures::LineChart chart;
  chart.texts = {"Quality against speed", "sentences/s", "BLEU"};
  chart.x_scale = figures::ScaleKind::kLog;
  chart.series = std::move(in_order_of_file);
  chart.height = 420;
  return figures::line_chart(chart);
}

}  // namespace ventris::plotting
