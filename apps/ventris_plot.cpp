#include <memory>
#include <sstream>
#include <string>

#include "backend/open_module.h"
#include "core/error.h"
#include "plotting/plot.h"
#include "support/choices.h"
#include "support/run.h"

namespace {

using ventris::plotting::PlotRequest;

/// Whether a group such as "For attention, lengths" names this figure.
bool is_for(const std::string& group, const std::string& figure) {
  std::istringstream words(group);
  for (std::string word; words >> word;) {
    if (word.ends_with(',')) word.pop_back();
    if (word == figure) return true;
  }
  return false;
}

/// Refuses flags that have no effect on this figure. The group of a flag names the figures that use it.
void refuse_idle_flags(const CLI::App& app, const std::string& figure) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string& group = option->get_group();
    if (option->count() == 0 || !group.starts_with("For ") || is_for(group, figure)) continue;
    ventris::fail<ventris::ConfigError>(option->get_name(), ": has no effect on the figure '", figure,
                                        "'; leave it out");
  }
}

void add_drawn_flags(CLI::App& app, PlotRequest& request) {
  app.add_option("--positions", request.positions, "Number of positions to draw")->group("For positions");
  app.add_option("--d-model", request.d_model, "Width of the vectors")->group("For positions");
  app.add_option("--feature", request.feature,
                 "Draw curves of four features, starting with this one, instead of a heat map")
      ->group("For positions");
  app.add_option("--size", request.size, "Number of tokens")->group("For mask");
  app.add_option("--padding", request.padding, "Number of padding tokens at the end; default: 4, or less than --size")
      ->group("For mask");
  app.add_option("--vocab", request.vocab, "Number of tokens in the vocabulary")->group("For smoothing");
  app.add_option("--smoothing", request.smoothing, "Label smoothing (training.label_smoothing)")
      ->group("For smoothing");
  app.add_option("--points", request.points, "Number of data points")->group("For kernels");
  app.add_option("--kernel-width", request.kernel_width, "Width of the kernels, and the first one of the learned width")
      ->group("For kernels");
  app.add_option("--seed", request.seed, "Random seed of the data points")->group("For kernels");
  app.add_option("-c,--config", request.settings_files,
                 "Settings file of ventris-train (repeatable); default: draw examples")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->group("For schedule");
  app.add_option("--updates", request.updates, "Number of updates to draw")->group("For schedule");
}

void add_model_flags(CLI::App& app, PlotRequest& request) {
  app.add_option(
         "-m,--model", request.models,
         "Bundle; for report: a run folder (repeat it to compare runs); for lengths: count tokens of this model "
         "instead of words")
      ->type_name("MODEL")
      ->allow_extra_args(false)
      ->group("For attention, lengths, report");
  app.add_option("--source", request.source, "Source sentence")->type_name("TEXT")->group("For attention");
  app.add_option("--target", request.target, "Target sentence; default: the model's translation")
      ->type_name("TEXT")
      ->group("For attention");
  app.add_option("--device", request.device, "Device: cpu, cuda or cuda:N")
      ->check(ventris::apps::offers(ventris::apps::kDevices))
      ->group("For attention");
  app.add_option("files", request.files,
                 "For lengths: text files, one sentence per line; plain or .gz. For complexity, scaling, "
                 "tradeoff: a file of benchmarks/complexity.py, scaling.py or tradeoff.py")
      ->type_name("FILE");
}

std::function<void()> set_up(CLI::App& app) {
  const auto request = std::make_shared<PlotRequest>();
  std::string names;
  for (const std::string& name : ventris::plotting::figure_names()) names += (names.empty() ? "" : ", ") + name;
  app.add_option("figure", request->figure, "One of: " + names)
      ->required()
      ->type_name("FIGURE")
      ->check(ventris::apps::one_of(ventris::plotting::figure_names()));
  auto* output =
      app.add_option("-o,--output", request->output,
                     "SVG file; for attention: a folder; default: stdout, for the report of one run: RUN/report.html");
  output->type_name("FILE");
  add_drawn_flags(app, *request);
  add_model_flags(app, *request);
  return [&app, request, output] {
    refuse_idle_flags(app, request->figure);
    if (request->figure == "report" && output->count() == 0) request->output.clear();
    ventris::plotting::plot(*request);
  };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{"ventris-plot",
                                       "Draws SVG figures of a model, a run, a corpus, or a concept such as the mask.",
                                       "ventris-plot attention -m run/best --source \"two dogs play\" -o figures\n"
                                       "  ventris-plot schedule -c configs/multi30k-tiny.json -o schedule.svg",
                                       ventris::backend::describe_libraries};
  return ventris::apps::run(argc, argv, program, set_up);
}
