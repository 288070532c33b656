#include "imports/toolkit_settings.h"

#include <fmt/format.h>

#include "core/error.h"

namespace ventris::imports {

architecture::Activation activation_named(const ConfigFile& config, const std::string& key, const char* missing,
                                          const ActivationNames& names) {
  const std::string name = config.text(key, missing);
  std::string known;
  for (const auto& [one, activation] : names) {
    if (name == one) return activation;
    known += (known.empty() ? "" : ", ") + std::string(one);
  }
  config.refuse(key, "one of " + known);
}

void check_heads(const ConfigFile& config, const std::string& key, const architecture::TransformerOptions& options) {
  if (options.d_model % options.heads == 0 && options.d_model % 2 == 0) return;
  config.refuse(
      key, fmt::format("a number of heads of which the width of the model, {}, is an even multiple", options.d_model));
}

void expect_text(const ConfigFile& config, const std::string& key, const std::string& value,
                 const std::string& reason) {
  if (config.text(key, value) != value) config.refuse(key, "'" + value + "' (" + reason + ")");
}

void expect_number(const ConfigFile& config, const std::string& key, double value, const std::string& reason) {
  if (config.number(key, value) != value) config.refuse(key, fmt::format("{} ({})", value, reason));
}

double norm_epsilon_of(const ConfigFile& config, double missing) {
  const double found = config.number("norm_eps", missing);
  if (!(found > 0 && found < 1)) config.refuse("norm_eps", "a number from 0 to 1");
  return found;
}

double dropout_of(const ConfigFile& config, const std::string& key, double missing) {
  const double found = config.first_number(key, missing);
  return found >= 0 && found < 1 ? found : missing;
}

}  // namespace ventris::imports
