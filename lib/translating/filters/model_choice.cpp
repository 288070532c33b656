#include "filters/model_choice.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/error.h"
#include "core/utf8.h"
#include "model/package.h"

namespace ventris::filters {

void check(const ModelChoice& choice) {
  const size_t models = choice.paths.size();
  for (const std::string& path : choice.paths) {
    if (path.empty() && models > 1) fail<ConfigError>("model: expected the path of a model, got an empty text");
  }
  for (const double weight : choice.weights) {
    if (!(weight > 0) || std::isinf(weight)) fail<ConfigError>("weights: each must be a number over 0, got ", weight);
  }
  const double sum = std::accumulate(choice.weights.begin(), choice.weights.end(), 0.0);
  for (const double weight : choice.weights) {
    if (static_cast<float>(weight / sum) > 0) continue;
    fail<ConfigError>("weights: ", weight, " is next to nothing beside the others; leave its model out");
  }
  if (!choice.weights.empty() && choice.weights.size() != models) {
    fail<ConfigError>("weights: expected one for each model (", models, "), got ", choice.weights.size());
  }
}

void require_model(const ModelChoice& choice) {
  if (choice.paths.empty()) fail<ConfigError>("--model: the model is missing; give -m BUNDLE or -m FILE.pt");
}

void check_output(const ModelChoice& choice, const std::string& output) {
  for (const std::string& path : choice.paths) model::check_output(path, output);
}

nlohmann::json with_model_list(const nlohmann::json& settings) {
  if (!settings.is_object() || !settings.contains("model")) return settings;
  nlohmann::json changed = settings;
  nlohmann::json& model = changed["model"];
  if (model.is_string()) {
    model = model.get<std::string>().empty() ? nlohmann::json::array() : nlohmann::json::array({model});
  }
  if (!model.is_array()) {
    fail<ConfigError>("model: expected a text or a list of texts, got ", core::cut_utf8(model.dump(), 60));
  }
  return changed;
}

}  // namespace ventris::filters
