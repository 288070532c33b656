#include "serving/catalogue.h"

#include <map>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace ventris::serving {

Catalogue::Catalogue(const ServeSettings& settings) : pairs_(settings.pairs(), settings.pivots) {
  const std::map<std::string, std::string> names = settings.names();
  std::map<std::string, std::shared_ptr<ServedModel>> opened;
  for (const PairSpec& spec : settings.pairs()) {
    std::shared_ptr<ServedModel>& model = opened[spec.path];
    if (!model) model = std::make_shared<ServedModel>(settings.of_model(spec.path), settings.context);
    try {
      auto [source, target] = model->languages_of(spec.source, spec.target, names);
      steps_.push_back({model, spec.source, spec.target, std::move(source), std::move(target)});
    } catch (const ConfigError& error) {
      fail<ConfigError>("model: ", spec.source, "-", spec.target, "=", spec.path, ": ", error.what(),
                        "; give the model's own names with --language-name CODE=NAME");
    }
  }
  models_ = opened.size();
}

std::vector<Step> Catalogue::route(const std::string& source, const std::string& target) const {
  std::vector<Step> steps;
  for (const size_t pair : pairs_.route(source, target)) steps.push_back(steps_[pair]);
  return steps;
}

}  // namespace ventris::serving
