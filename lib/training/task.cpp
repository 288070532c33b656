#include "training/task.h"

#include "core/error.h"
#include "training/translation_objective.h"

namespace ventris::training {
namespace {

Task translation(const RunConfig& config, const TranslationOptions& options) {
  if (const std::string task = config.model->task(); task != "translation") {
    fail<ConfigError>("architecture: ", config.model->family(), " learns the task '", task,
                      "', which this version does not know");
  }
  return {std::make_shared<data::PairBatchMaker>(), std::make_shared<TranslationObjective>(options)};
}

TranslationOptions common_options(const RunConfig& config) {
  TranslationOptions options;
  options.label_smoothing = config.training.label_smoothing;
  options.pad = text::SpecialIds{}.pad;
  options.unk = text::SpecialIds{}.unk;
  options.device = torch::Device(config.training.device);
  return options;
}

}  // namespace

Task make_task(const RunConfig& config) {
  TranslationOptions options = common_options(config);
  options.word_dropout = config.training.word_dropout;
  options.r_drop = config.training.r_drop;
  return translation(config, options);
}

Task make_validation_task(const RunConfig& config) { return translation(config, common_options(config)); }

}  // namespace ventris::training
