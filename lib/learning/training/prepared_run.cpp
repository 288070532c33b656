#include "training/prepared_run.h"

#include <utility>

#include "backend/scorer_tools.h"
#include "core/error.h"
#include "nn/threads.h"
#include "preparation/fewer_layers.h"
#include "preparation/standard_input.h"
#include "preparation/training_data.h"
#include "training/agreement.h"
#include "training/batch_size.h"
#include "training/bleu_tokenize.h"

namespace ventris::training {
namespace {

/// Throws unless the corpora that this process reads exist; standard input always does.
void check_own_files(const distributed::ProcessGroup& group, settings::DataConfig config) {
  if (!group.leads()) {
    config.valid = {};
    config.further_valid.clear();
  }
  preparation::check_files(config);
}

}  // namespace

void PreparedRun::begin() {
  if (folder) folder->begin(config, opened);
  opened.checkpoint.reset();
  opened.base.reset();
  opened.encoder.reset();
}

PreparedRun prepare_run(distributed::ProcessGroup& group, const settings::RunConfig& settings,
                        const run::RunOptions& options, int gpu, std::optional<core::LogFile>& log) {
  check_same_settings(group, settings);
  settings::RunConfig config = settings;
  if (group.size() > 1 && config.training.device == "cuda") {
    config.training.device += ":" + std::to_string(gpu);
    backend::parse_device(config.training.device);
  }
  const bool piped = preparation::reads_standard_input(config.data);
  if (piped && group.size() > 1) {
    fail<ConfigError>("data.train: several processes cannot share one standard input; write the corpus to a file");
  }
  if (!config.training.batch_memory.none()) forget_batch_size(config.training);
  check_own_files(group, config.data);  // first, so that a wrong path leaves no empty run folder
  std::unique_ptr<preparation::TakenFolder> folder;
  preparation::OpenedRun opened;
  if (group.leads()) {
    folder = std::make_unique<preparation::TakenFolder>(options);
    opened = folder->open(config, piped, log);
    const auto& begun = opened.begun_with;
    choose_bleu_tokenize(config, begun ? std::optional(begun->validation.tokenize) : std::nullopt);
    for (const std::string& change : opened.changes) core::log_info("changed setting: " + change);
    for (const std::string& warning : opened.warnings) core::log_warning(warning);
    const std::string layers = opened.base ? preparation::layers_taken(config, opened.base->package) : "";
    if (!layers.empty()) core::log_info("taken from " + opened.base->package.path + ": " + layers);
  }
  nn::use_one_thread_per_operation();  // the replicas already use the cores
  share_labels(group, config, opened);
  preparation::Tokenizers tokenizers = share_tokenizers(group, config, opened);
  model::Package package = preparation::package_of(config, tokenizers);
  auto pairs = preparation::load_training_pairs(config, tokenizers);
  if (!config.training.batch_memory.none()) share_batch_size(group, config, opened, tokenizers, *pairs);
  return {std::move(config),     std::move(folder),  std::move(opened),
          std::move(tokenizers), std::move(package), std::move(pairs)};
}

}  // namespace ventris::training
