#include "plotting/scaling_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/json_reader.h"
#include "plotting/chart_grid.h"
#include "plotting/measured_points.h"
#include "text/valid_utf8.h"

namespace ventris::plotting {
namespace {

/// One measurement: everything but `field` has the value of the centre.
struct Measured {
  std::string task, field;
  double value = 0, speed = 0, limit = 0, mib = 0;
};

Measured read_measured(core::JsonReader& reader) {
  Measured point;
  reader.required("task", point.task);
  reader.required("field", point.field);
  reader.required("value", point.value);
  reader.required("tokens_per_second", point.speed);
  reader.required("limit", point.limit);
  reader.required("mib", point.mib);
  point.task = text::replace_invalid_utf8(point.task);
  point.field = text::replace_invalid_utf8(point.field);
  return point;
}

/// In the order of the file, each once.
std::vector<std::string> names(const std::vector<Measured>& points, std::string Measured::* of) {
  std::vector<std::string> all;
  for (const Measured& point : points) {
    if (std::ranges::find(all, point.*of) == all.end()) all.push_back(point.*of);
  }
  return all;
}

figures::LineChart empty_chart(const std::string& task, const std::string& field, const std::string& y_label) {
  figures::LineChart chart;
  chart.texts = {fmt::format("{}: {}", task, field), field, y_label};
  chart.x_scale = chart.y_scale = figures::ScaleKind::kLog;
  chart.width = 330;
  chart.height = 260;
  return chart;
}

figures::Series series_of(const std::vector<Measured>& points, const std::string& name, double Measured::* y) {
  figures::Series series{name, {}, {}, /*markers=*/true};
  for (const Measured& point : points) {
    series.x.push_back(point.value);
    series.y.push_back(point.*y);
  }
  return series;
}

std::vector<Measured> select(const std::vector<Measured>& all, const std::string& task, const std::string& field) {
  std::vector<Measured> chosen;
  std::ranges::copy_if(all, std::back_inserter(chosen),
                       [&](const Measured& point) { return point.task == task && point.field == field; });
  return chosen;
}

}  // namespace

std::string scaling_figure(const std::string& file) {
  const std::vector<Measured> points = measured_points(file, "scaling.py", read_measured);
  const std::vector<std::string> fields = names(points, &Measured::field);
  std::vector<figures::LineChart> charts;
  for (const std::string& task : names(points, &Measured::task)) {
    for (const std::string& field : fields) {
      const std::vector<Measured> chosen = select(points, task, field);
      charts.push_back(empty_chart(task, field, "tokens/s"));
      charts.back().series = {series_of(chosen, "measured", &Measured::speed),
                              series_of(chosen, "arithmetic limit", &Measured::limit)};
    }
    for (const std::string& field : fields) {
      charts.push_back(empty_chart(task, field, "MiB"));
      charts.back().series = {series_of(select(points, task, field), "peak memory", &Measured::mib)};
    }
  }
  return chart_grid("How speed and memory grow", charts, fields.size());
}

}  // namespace ventris::plotting
