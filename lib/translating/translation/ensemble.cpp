#include "translation/ensemble.h"

#include <stdexcept>
#include <utility>

#include "core/error.h"

namespace ventris::translation {
namespace {

using model::Package;

void check_writing(const Package& package) {
  const architecture::Architecture& architecture = *package.config.architecture;
  if (architecture.translates() && !architecture.writing().all_at_once) return;
  fail<ModelError>(package.path, ": models of the family '", architecture.family(), "' ",
                   architecture.translates() ? "write all tokens at once" : "do not translate",
                   ", so they cannot be part of an ensemble; leave it out");
}

/// Throws ModelError unless `other` reads and writes the same ids as `first`.
void check_same_ids(const Package& first, const Package& other) {
  const auto differ = [&](const char* what, const char* hint) {
    fail<ModelError>(other.path, ": its ", what, " differs from that of ", first.path,
                     "; the models of an ensemble need the same one", hint);
  };
  constexpr const char* kTraining = " (ventris-train --source-tokenizer, --target-tokenizer)";
  if (other.source_spm != first.source_spm) differ("source tokenizer", kTraining);
  if (other.target_spm != first.target_spm) differ("target tokenizer", kTraining);
  if (other.config.tokenizer.source_eos != first.config.tokenizer.source_eos) differ("setting source_eos", "");
  if (other.config.tokenizer.languages != first.config.tokenizer.languages) differ("setting languages", "");
  const architecture::Architecture &a = *first.config.architecture, &b = *other.config.architecture;
  if (a.src_vocab() != b.src_vocab() || a.tgt_vocab() != b.tgt_vocab()) differ("vocabulary size", "");
}

std::shared_ptr<const decoding::ScorerFactory> open_member(model::LoadedModel model, const ScorerSettings& settings) {
  const std::string path = model.package.path;
  try {
    return open_scorers(std::move(model), settings);
  } catch (const ConfigError& error) {  // it speaks of "this model"
    fail<ConfigError>(path, ": ", error.what());
  }
}

}  // namespace

std::vector<model::LoadedModel> read_models(const std::vector<std::string>& paths) {
  if (paths.empty()) throw std::invalid_argument("read_models: there is no model");
  std::vector<model::LoadedModel> models;
  for (const std::string& path : paths) {
    models.push_back(model::read_model(path));
    if (paths.size() == 1) break;
    check_writing(models.back().package);
    check_same_ids(models.front().package, models.back().package);
  }
  return models;
}

model::Package common_package(const std::vector<model::LoadedModel>& models, int64_t context) {
  model::Package common = models.at(0).package;
  for (const model::LoadedModel& model : models) {
    const Package& other = model.package;
    model::GuidedAttention& guided = common.config.guided_attention;  // one layer and head is asked of all models
    if (other.config.guided_attention != guided) guided = {};
    const model::ContextPolicy& learnt = models.front().package.config.context;
    if (other.config.context == learnt) continue;
    common.config.context = {};
    if (context == 0) continue;
    fail<ConfigError>("context: ", common.path, " and ", other.path, " have learnt different contexts (",
                      learnt.sentences, " and ", other.config.context.sentences,
                      " sentences before, data.context); leave it out, or give models with the same");
  }
  return common;
}

std::shared_ptr<const decoding::ScorerFactory> open_models(std::vector<model::LoadedModel> models,
                                                           const ScorerSettings& settings,
                                                           decoding::EnsembleOptions ensemble) {
  if (models.size() == 1) return open_scorers(std::move(models.front()), settings);
  if (!settings.shortlist.lexicon.empty()) {
    fail<ConfigError>("shortlist: is only for one model; leave it out, or give one model");
  }
  ensemble.never = models.at(0).package.config.tokenizer.ids.never(settings.allow_unk);
  std::vector<std::shared_ptr<const decoding::ScorerFactory>> members;
  for (model::LoadedModel& model : models) members.push_back(open_member(std::move(model), settings));
  return decoding::make_ensemble(std::move(members), std::move(ensemble));
}

}  // namespace ventris::translation
