#include "run/model_keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "core/process.h"
#include "files/paths.h"
#include "model/average.h"

namespace ventris::run {
using nlohmann::json;

namespace {

json updates_of(const std::vector<KeptModel>& models) {
  json updates = json::array();
  for (const KeptModel& model : models) updates.push_back(model.updates);
  return updates;
}

/// The provenance of a bundle, an object. Throws ModelError if the bundle is damaged.
json provenance_of(const std::string& bundle) { return json::parse(model::read_package(bundle).config.provenance); }

/// The update in the provenance; 0 = unknown.
int64_t updates_in(const json& provenance) {
  const auto found = provenance.find("updates");
  return found != provenance.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
}

}  // namespace

ModelKeeper::ModelKeeper(const settings::RunConfig& config, RunFolder folder, model::Package package, Weights weights)
    : config_(config), folder_(std::move(folder)), package_(std::move(package)), weights_(std::move(weights)) {}

void ModelKeeper::keep_best(TrainingState& state, const ValidationScore& score) {
  state.best = score.value;
  state.best_loss = std::isfinite(score.loss) ? std::optional(score.loss) : std::nullopt;
  state.best_updates = state.progress.updates;
  bundles_.write(folder_.best(), described(state, json::object()), weights_());
}

void ModelKeeper::keep(TrainingState& state, std::optional<ValidationScore> score) {
  if (score && !std::isfinite(score->value)) score.reset();
  const int64_t now = state.progress.updates;
  KeptModel model{now};
  if (score) model.value = score->value;
  if (score && std::isfinite(score->loss)) model.loss = score->loss;
  bool wanted = true;
  for (const KeptModel& dropped : add_model(state.models, model, config_)) {
    bundles_.forget(folder_.model(dropped.updates));
    wanted = wanted && dropped.updates != now;
  }
  if (!wanted) return;
  json provenance = json::object();
  if (score) provenance[settings::name_of(config_.validation.metric)] = score->value;
  bundles_.write(folder_.model(now), described(state, provenance), weights_());
}

void ModelKeeper::forget_lost(TrainingState& state) const {
  std::erase_if(state.models, [&](const KeptModel& model) {
    const std::string path = folder_.model(model.updates);
    if (files::exists(path + "/MANIFEST")) return false;
    core::log_warning(path + ": is gone; the run continues without this model");
    return true;
  });
}

void ModelKeeper::check_best(const TrainingState& state) const {
  if (!state.best || !state.best_updates) return;
  const std::string expected = fmt::format("the best model, of update {},", *state.best_updates);
  constexpr const char* kThen = "the run continues, and the next better model becomes best/";
  if (!files::exists(folder_.best())) {
    core::log_warning(fmt::format("{}: {} is gone; {}", folder_.best(), expected, kThen));
    return;
  }
  try {
    const int64_t found = updates_in(provenance_of(folder_.best()));
    if (found >= *state.best_updates) return;  // a newer one was written after the checkpoint
    core::log_warning(
        fmt::format("{}: {} was expected, found one of update {}; {}", folder_.best(), expected, found, kThen));
  } catch (const ModelError& error) {
    core::log_warning(fmt::format("{}; {} was there; {}", error.what(), expected, kThen));
  }
}

void ModelKeeper::write_final(const TrainingState& state) const {
  model::write_bundle(folder_.final(), described(state, json::object()), weights_());
}

std::string ModelKeeper::average(const std::vector<KeptModel>& models) const {
  std::vector<std::string> paths;
  for (const KeptModel& model : models) paths.push_back(folder_.model(model.updates));
  try {
    return model::average_bundles(paths).weights;
  } catch (const UnreadableError&) {  // perhaps intact: do not advise to remove it
    throw;
  } catch (const ModelError& error) {
    fail<ModelError>(error.what(),
                     "; remove the folder of that model and run the same command again to average the others");
  }
}

bool ModelKeeper::averaged(const TrainingState& state, const std::vector<KeptModel>& models) const {
  const auto wanted = static_cast<size_t>(std::max(config_.training.average_last, config_.training.average_best));
  if (wanted == 0) return true;
  if (!files::exists(folder_.averaged())) return false;
  try {
    const json provenance = provenance_of(folder_.averaged());
    const json made_of = provenance.value("average_of", json::array()), now = updates_of(models);
    if (made_of == now) return true;
    const bool whole =
        made_of.is_array() && made_of.size() == wanted && updates_in(provenance) == state.progress.updates;
    const auto is_in_it = [&](const json& model) { return std::ranges::find(made_of, model) != made_of.end(); };
    return whole && models.size() < wanted && std::ranges::all_of(now, is_in_it);
  } catch (const ModelError&) {  // damaged, which counts as missing
    return false;
  }
}

void ModelKeeper::write_averaged(const TrainingState& state, const std::vector<KeptModel>& models,
                                 const std::string& weights, std::optional<double> value) const {
  json provenance = {{"average_of", updates_of(models)}};
  if (value) provenance[settings::name_of(config_.validation.metric)] = *value;
  model::write_bundle(folder_.averaged(), described(state, provenance), weights);
}

model::Package ModelKeeper::described(const TrainingState& state, json provenance) const {
  provenance.update({{"program", std::string("ventris-train ") + core::version()},
                     {"updates", state.progress.updates},
                     {"epoch", state.progress.in_epoch},
                     {"target_tokens", state.progress.tokens},
                     {"checkpointed", files::exists(folder_.latest())},
                     {"settings", config_.to_json()}});
  if (!config_.training.finetune_from.empty()) provenance["finetuned_from"] = config_.training.finetune_from;
  if (!config_.training.encoder_from.empty()) provenance["encoder_from"] = config_.training.encoder_from;
  if (state.best) provenance["best_" + settings::name_of(config_.validation.metric)] = *state.best;
  model::Package package = package_;
  package.config.provenance = provenance.dump();
  return package;
}

}  // namespace ventris::run
