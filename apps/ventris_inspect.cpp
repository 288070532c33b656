#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "core/error.h"
#include "core/files.h"
#include "model/inspection.h"
#include "model/report.h"
#include "support/run.h"

namespace {

using namespace ventris;
using nlohmann::ordered_json;

struct Flags {
  std::string path;
  std::string format = "text";
  bool tensors = false;
};

void inspect(const Flags& flags) {
  ordered_json report = model::inspect(flags.path);
  if (!flags.tensors && flags.format == "json") report.erase("tensors");
  core::OutputFile output("-");
  output.write(flags.format == "json" ? report.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n'
                                      : model::to_text(report, flags.tensors));
  output.commit();
  if (report.contains("problem")) fail<ModelError>(report["problem"].get<std::string>());
}

std::function<void()> set_up(CLI::App& app) {
  const auto flags = std::make_shared<Flags>();
  app.add_option("path,-m,--model", flags->path, "A bundle, checkpoint or run folder, or a TorchScript export")
      ->required();
  app.add_option("--format", flags->format, "text or json")->check(CLI::IsMember({"text", "json"}).description(""));
  app.add_flag("--tensors", flags->tensors, "Also list every tensor with its type and shape");
  return [flags] { inspect(*flags); };
}

}  // namespace

int main(int argc, char** argv) {
  const apps::Program program{"ventris-inspect", "Checks a model, checkpoint or run folder and says what is in it.",
                              "ventris-inspect run/best\n"
                              "  ventris-inspect run --format json",
                              nullptr};
  return apps::run(argc, argv, program, set_up);
}
