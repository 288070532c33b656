#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "core/log.h"
#include "core/process.h"
#include "core/progress.h"
#include "files/output_name.h"
#include "model/average.h"
#include "support/run.h"

namespace {

struct Flags {
  std::vector<std::string> models;
  std::string output;
};

void average(const Flags& flags) {
  ventris::files::check_is_no_input(flags.output, flags.models);
  ventris::model::prepare_bundle_target(flags.output);
  std::optional<ventris::core::Progress> progress;
  progress.emplace(fmt::format("averaging {} models", flags.models.size()));
  ventris::model::Average average = ventris::model::average_bundles(flags.models);
  auto provenance = nlohmann::json::parse(average.package.config.provenance);
  provenance["program"] = std::string("ventris-average ") + ventris::core::version();
  average.package.config.provenance = provenance.dump();
  progress->phase("writing " + flags.output);
  ventris::model::write_bundle(flags.output, average.package, average.weights);
  progress.reset();
  ventris::core::log_info(fmt::format("{}: average of {} models", flags.output, flags.models.size()));
}

std::function<void()> set_up(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option("-m,--model", flags->models, "Bundle folders; models of the same shape and tokenizers")
      ->required()
      ->expected(2, 10000)
      ->type_name("BUNDLE...")
      ->option_text("BUNDLE... REQUIRED");
  app.add_option("-o,--output", flags->output,
                 "Bundle folder to write; an older bundle is replaced once the new one is complete")
      ->required()
      ->type_name("BUNDLE");
  return [flags] { average(*flags); };
}

}  // namespace

int main(int argc, char** argv) {
  const ventris::apps::Program program{"ventris-average", "Averages the weights of several models into one.",
                                       "ventris-average -m run1/best run2/best run3/best -o averaged"};
  return ventris::apps::run(argc, argv, program, set_up);
}
