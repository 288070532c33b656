#include "training/task.h"

#include <map>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "training/bert_objective.h"
#include "training/classification_objective.h"
#include "training/language_marks.h"
#include "training/nat_objective.h"
#include "training/translation_objective.h"

namespace ventris::training {
namespace {

/// Null if the run needs no links.
std::shared_ptr<const data::TokenLinker> linker_of(const settings::RunConfig& config, const model::Package& package) {
  const settings::GuidedAlignmentConfig& guided = config.training.guided_alignment;
  if (!guided.on() || guided.weight == 0) return nullptr;
  const bool samples = config.tokenizer.sampling_alpha > 0;
  const data::SampledSides sampled{.source = samples && config.tokenizer.sample != settings::SampledSides::kTarget,
                                   .target = samples && config.tokenizer.sample != settings::SampledSides::kSource};
  return std::make_shared<data::TokenLinker>(text::Tokenizer(package.source_spm, "source.spm"),
                                             text::Tokenizer(package.target_spm, "target.spm"), guided.division(),
                                             sampled);
}

Task make_translation(const settings::RunConfig& config, const model::Package& package) {
  TranslationOptions options;
  options.label_smoothing = config.training.label_smoothing;
  options.word_dropout = config.training.word_dropout;
  options.r_drop = config.training.r_drop;
  options.guided = package.config.guided_attention;
  options.guided_weight = config.training.guided_alignment.weight;
  options.sampling = config.training.scheduled_sampling;
  options.device = torch::Device(config.training.device);
  auto batches = std::make_shared<data::PairBatchMaker>(options.ids, linker_of(config, package),
                                                        marks_of_corpora(config, package));
  return {std::move(batches), std::make_shared<TranslationObjective>(options)};
}

std::map<std::string, TaskMaker>& table() {
  static std::map<std::string, TaskMaker> tasks{{"bert", make_bert_task},
                                                {"classification", make_classification_task},
                                                {"nat", make_nat_task},
                                                {"translation", make_translation}};
  return tasks;
}

}  // namespace

Task make_task(const settings::RunConfig& config, const model::Package& package) {
  const auto task = table().find(config.model->task());
  if (task == table().end()) {
    fail<ConfigError>("architecture: ", config.model->family(), " learns the task '", config.model->task(),
                      "', which this version does not know");
  }
  return task->second(config, package);
}

void add_task(const std::string& name, TaskMaker maker) {
  if (!table().emplace(name, std::move(maker)).second) {
    throw std::logic_error("training::add_task: there is already a task '" + name + "'");
  }
}

}  // namespace ventris::training
