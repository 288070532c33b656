#include "exports/transformer_settings.h"

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace ventris::exports {
namespace {

using nlohmann::json;

constexpr const char* kOtherFormat = "use --format torchscript";

[[noreturn]] void refuse_family(const std::string& program, const model::Package& package) {
  const architecture::Architecture& found = *package.config.architecture;
  const std::string advice = found.family() == "bert" ? "use --format huggingface"
                             : found.translates()     ? kOtherFormat
                                                      : found.other_use();
  fail<ModelError>(package.path, "/config.json: architecture: ", program, " has only 'transformer', found '",
                   found.family(), "'; ", advice);
}

}  // namespace

const architecture::TransformerOptions& transformer_for(const std::string& program, const model::Package& package,
                                                        const std::vector<std::string>& needed) {
  const auto* found = dynamic_cast<const architecture::TransformerArchitecture*>(package.config.architecture.get());
  if (found == nullptr || found->family() != "transformer") refuse_family(program, package);
  const auto refuse = [&](const std::string& key, const std::string& expected, const json& value) {
    fail<ModelError>(package.path, "/config.json: model.", key, ": ", program, " has only ", expected, ", found ",
                     value.dump(), "; ", kOtherFormat, ", or train a model without this setting");
  };
  const json settings = found->to_json(), defaults = architecture::TransformerArchitecture().to_json();
  for (const std::string& key : needed) {
    if (settings.at(key) != defaults.at(key)) refuse(key, defaults.at(key).dump(), settings.at(key));
  }
  const architecture::TransformerOptions& options = found->options;
  for (const auto& [key, width] : {std::pair{"d_k", options.key_width()}, {"d_v", options.value_width()}}) {
    if (options.heads * width != options.d_model) refuse(key, "d_model / heads", width);
  }
  return options;
}

}  // namespace ventris::exports
