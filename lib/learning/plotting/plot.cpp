#include "plotting/plot.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "core/error.h"
#include "files/files.h"
#include "files/output_name.h"
#include "files/paths.h"
#include "model/package.h"
#include "plotting/attention_figures.h"
#include "plotting/complexity_figure.h"
#include "plotting/kernel_figure.h"
#include "plotting/nn_figures.h"
#include "plotting/run_figures.h"
#include "plotting/scaling_figure.h"
#include "plotting/tradeoff_figure.h"
#include "report/comparison.h"
#include "report/run_report.h"

namespace ventris::plotting {
namespace {

using Make = std::function<void(const PlotRequest&)>;

/// Writes the result of `draw` for the request.
template <typename Draw>
Make one_file(const Draw& draw) {
  return [draw](const PlotRequest& request) { files::write_file(request.output, draw(request)); };
}

void need(const std::string& value, const char* flag, const char* what) {
  if (value.empty()) fail<ConfigError>(flag, ": missing; give ", what);
}

/// The model; empty if none is given.
std::string one_model(const PlotRequest& request) {
  if (request.models.size() > 1)
    fail<ConfigError>("--model: expected one, got ", request.models.size(), "; only the figure 'report' takes several");
  return request.models.empty() ? "" : request.models.front();
}

void plot_attention(const PlotRequest& request) {
  const std::string model = one_model(request);
  need(model, "--model", "a bundle: -m run/best");
  need(request.source, "--source", "the source sentence");
  if (request.output == "-" || request.output.empty()) {
    fail<ConfigError>("--output: expected a folder, because attention makes several files; give -o FOLDER");
  }
  const auto files = attention_figures({model, request.source, request.target, request.device});
  std::error_code error;
  std::filesystem::create_directories(request.output, error);
  if (error) fail<WriteError>(request.output, ": cannot create the folder: ", error.message());
  for (const auto& [name, svg] : files) files::write_file(request.output + "/" + name, svg);
}

void plot_report(const PlotRequest& request) {
  if (request.models.size() > 1) {
    report::write_comparison(request.models, request.output.empty() ? "-" : request.output);
    return;
  }
  const std::string run = one_model(request);
  need(run, "--model", "a run folder: -m run");
  report::write_run_report(run, request.output.empty() ? run + "/report.html" : request.output);
}

/// Fails if the output would replace a file of the run other than a page or drawing.
void check_is_no_file_of_run(const std::string& output, const std::string& run) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path wanted = files::resolved(output);
  const bool drawn = wanted.extension() == ".html" || wanted.extension() == ".svg";
  if (drawn || wanted.parent_path() != files::resolved(run) || !fs::exists(wanted, error)) return;
  fail<ConfigError>("--output: ", output, " is a file of the run ", run, "; give another file");
}

/// Fails if the output would replace something that is read.
void check_output_of(const PlotRequest& request) {
  if (request.output.empty() || request.output == "-" || request.figure == "attention") return;
  files::check_is_no_input(request.output, request.files);
  files::check_is_no_input(request.output, request.settings_files);
  for (const std::string& folder : request.models) {
    request.figure == "report" ? check_is_no_file_of_run(request.output, folder)
                               : model::check_output(folder, request.output);
  }
}

/// The only file; fails if there are none or several. `script`: the one of benchmarks/ that writes such files.
const std::string& one_measured_file(const PlotRequest& request, const char* script) {
  if (request.files.size() == 1) return request.files.front();
  fail<ConfigError>(request.figure, ": expected one file, got ", request.files.size(),
                    "; give the file that benchmarks/", script, " wrote");
}

std::string draw_complexity(const PlotRequest& request) {
  return complexity_figure(one_measured_file(request, "complexity.py"));
}

std::string draw_scaling(const PlotRequest& request) {
  return scaling_figure(one_measured_file(request, "scaling.py"));
}

std::string draw_tradeoff(const PlotRequest& request) {
  return tradeoff_figure(one_measured_file(request, "tradeoff.py"));
}

std::string draw_positions(const PlotRequest& request) {
  if (request.feature < 0) return positions_map(request.positions, request.d_model);
  return positions_curves(request.positions, request.d_model, request.feature);
}

int64_t padding_of(const PlotRequest& request) {
  constexpr int64_t kUsual = 4;
  return request.padding.value_or(std::clamp<int64_t>(request.size - 1, 0, kUsual));
}

/// A figure as users name it.
struct Figure {
  const char* name;
  Make make;
  bool takes_files = false;  // arguments without a flag
};

const std::vector<Figure>& all_figures() {
  static const std::vector<Figure> kFigures{
      {"positions", one_file(draw_positions)},
      {"mask", one_file([](const PlotRequest& r) { return mask_figure(r.size, padding_of(r)); })},
      {"schedule", one_file([](const PlotRequest& r) { return schedule_figure(r.settings_files, r.updates); })},
      {"smoothing", one_file([](const PlotRequest& r) { return smoothing_figure(r.vocab, r.smoothing); })},
      {"kernels", one_file([](const PlotRequest& r) { return kernels_figure(r.points, r.kernel_width, r.seed); })},
      {"complexity", one_file(draw_complexity), true},
      {"scaling", one_file(draw_scaling), true},
      {"tradeoff", one_file(draw_tradeoff), true},
      {"attention", plot_attention},
      {"lengths", one_file([](const PlotRequest& r) { return lengths_figure(r.files, one_model(r)); }), true},
      {"report", plot_report}};
  return kFigures;
}

}  // namespace

const std::vector<std::string>& figure_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Figure& figure : all_figures()) names.emplace_back(figure.name);
    return names;
  }();
  return kNames;
}

void plot(const PlotRequest& request) {
  const auto found = std::ranges::find(all_figures(), request.figure, &Figure::name);
  if (found == all_figures().end()) {
    std::string names;
    for (const std::string& name : figure_names()) names += (names.empty() ? "" : ", ") + name;
    fail<ConfigError>("FIGURE: expected ", names, ", got '", request.figure, "'");
  }
  if (!found->takes_files && !request.files.empty()) {
    fail<ConfigError>(request.files.front(), ": the figure '", request.figure, "' takes no files");
  }
  check_output_of(request);
  found->make(request);
}

}  // namespace ventris::plotting
