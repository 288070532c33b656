#include "training/task.h"

#include "core/error.h"
#include "training/translation_objective.h"

namespace ventris::training {

Task make_task(const run::RunConfig& config) {
  if (const std::string task = config.model->task(); task != "translation") {
    fail<ConfigError>("architecture: ", config.model->family(), " learns the task '", task,
                      "', which this version does not know");
  }
  TranslationOptions options;
  options.label_smoothing = config.training.label_smoothing;
  options.word_dropout = config.training.word_dropout;
  options.r_drop = config.training.r_drop;
  options.device = torch::Device(config.training.device);
  return {std::make_shared<data::PairBatchMaker>(), std::make_shared<TranslationObjective>(options)};
}

}  // namespace ventris::training
