#include "run/kept_models.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/log.h"
#include "run/validation_score.h"

namespace ventris::run {
namespace {

using Models = std::vector<KeptModel>;

bool earlier(const KeptModel& a, const KeptModel& b) { return a.updates < b.updates; }

ValidationScore score_of(const KeptModel& model) {
  ValidationScore score{*model.value};
  if (model.loss) score.loss = *model.loss;
  return score;
}

/// `models` is in the order of updates.
Models newest(const Models& models, int64_t count) {
  const auto surplus = std::max<int64_t>(static_cast<int64_t>(models.size()) - count, 0);
  return {models.begin() + surplus, models.end()};
}

Models best(Models models, int64_t count, settings::Metric metric) {
  std::erase_if(models, [](const KeptModel& model) { return !model.value; });
  std::stable_sort(models.begin(), models.end(),
                   [&](const KeptModel& a, const KeptModel& b) { return better(score_of(a), score_of(b), metric); });
  models.resize(std::min(models.size(), static_cast<size_t>(count)));
  std::sort(models.begin(), models.end(), earlier);
  return models;
}

}  // namespace

Models add_model(Models& models, const KeptModel& model, const settings::RunConfig& config) {
  Models all = models;
  std::erase_if(all, [&](const KeptModel& one) { return one.updates == model.updates; });
  all.insert(std::upper_bound(all.begin(), all.end(), model, earlier), model);
  const Models last = newest(all, config.training.average_last);
  const Models first = best(all, config.training.best_models_kept(), config.validation.metric);
  models.clear();
  std::set_union(last.begin(), last.end(), first.begin(), first.end(), std::back_inserter(models), earlier);
  Models dropped;
  std::set_difference(all.begin(), all.end(), models.begin(), models.end(), std::back_inserter(dropped), earlier);
  return dropped;
}

Models models_to_average(const Models& models, const settings::RunConfig& config) {
  const settings::TrainingConfig& training = config.training;
  if (training.average_last > 0) return newest(models, training.average_last);
  return best(models, training.average_best, config.validation.metric);
}

void BundleWriter::write(const std::string& path, const model::Package& package, std::string weights) {
  unwritten_.erase(path);
  try {
    model::write_bundle(path, package, weights);
  } catch (const WriteError& error) {
    core::log_warning(fmt::format(
        "{}: this model could not be saved ({}); it is kept in memory, and training continues", path, error.what()));
    unwritten_.emplace(path, std::pair{package, std::move(weights)});
  }
}

void BundleWriter::settle() {
  while (!unwritten_.empty()) {
    const auto& [path, bundle] = *unwritten_.begin();
    model::write_bundle(path, bundle.first, bundle.second);
    unwritten_.erase(unwritten_.begin());
  }
}

}  // namespace ventris::run
