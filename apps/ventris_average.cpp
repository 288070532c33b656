#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/log.h"
#include "core/process.h"
#include "model/average.h"
#include "support/run.h"

namespace {

using ventris::model::Bundle;

struct Flags {
  std::vector<std::string> models;
  std::string output;
};

void average(const Flags& flags) {
  std::vector<ventris::model::Safetensors> weights;
  ventris::model::Package package;
  for (const std::string& path : flags.models) {
    Bundle bundle = ventris::model::open_bundle(path);
    if (weights.empty()) {
      package = bundle.package;
    } else {
      ventris::model::check_same_kind(package, bundle.package);
    }
    weights.push_back(std::move(bundle.weights));
  }
  package.config.provenance = nlohmann::json({{"program", std::string("ventris-average ") + ventris::core::version()},
                                              {"average_of", flags.models}})
                                  .dump();
  ventris::model::write_bundle(flags.output, package, ventris::model::average_weights(weights));
  ventris::core::log_info(fmt::format("{}: the average of {} models", flags.output, flags.models.size()));
}

std::function<void()> set_up(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option("-m,--model", flags->models, "Bundle folders of one shape and tokenizer")
      ->required()
      ->expected(2, 10000)
      ->type_name("BUNDLE...");
  app.add_option("-o,--output", flags->output,
                 "Bundle folder to write; an older one is replaced when the new one is whole")
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
