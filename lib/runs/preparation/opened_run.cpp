#include "preparation/opened_run.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_reader.h"
#include "files/files.h"
#include "files/folders.h"
#include "files/paths.h"
#include "files/replacing.h"
#include "model/finite.h"
#include "preparation/fewer_layers.h"
#include "preparation/finetuning.h"
#include "preparation/starting_encoder.h"
#include "settings/resumable.h"

namespace ventris::preparation {
namespace fs = std::filesystem;
namespace {

/// Whether the run of a bundle had saved a checkpoint before it. (Until a checkpoint is saved, a run that starts again
/// makes the same bundle.)
bool was_checkpointed(const std::string& bundle) {
  if (!files::exists(bundle + "/MANIFEST")) return false;
  try {
    const auto provenance = nlohmann::json::parse(model::read_package(bundle).config.provenance);
    return provenance.value("checkpointed", false);
  } catch (const ModelError&) {  // damaged
    return false;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

/// Refuses to replace a finished model without --overwrite, even if the checkpoints of its run are gone.
void refuse_finished_model(const run::RunFolder& run) {
  std::error_code ignored;
  const bool saved = fs::is_symlink(run.latest(), ignored) || files::exists(run.final());
  if (files::exists(run.config()) && !saved && !was_checkpointed(run.best()))
    return;  // killed before its first checkpoint
  for (const std::string& path : {run.best(), run.final(), run.averaged()}) {
    if (!files::exists(path)) continue;
    fail<ConfigError>(
        path,
        ": is a finished model, but there is no checkpoint to resume from; give another --model folder, or "
        "--overwrite to replace it");
  }
}

/// Whether a corpus is the run's copy of standard input, which a new run that reads it keeps.
bool is_kept_input(const data::CorpusSpec& corpus, const run::RunFolder& run) {
  return files::resolved(corpus.files.source) == files::resolved(run.standard_input());
}

/// Checks that a new run does not remove files that it reads.
void refuse_replaced_inputs(const settings::RunConfig& config, const run::RunFolder& run) {
  const auto check = [&run](const char* setting, const std::string& path) {
    run::refuse_replaced_input(run, setting, path);
  };
  for (const data::CorpusSpec& corpus : config.data.training()) {
    if (!is_kept_input(corpus, run)) check("data.train", corpus.files.source);
    for (const std::string& path : {corpus.files.target, corpus.line_weights}) check("data.train", path);
    check(config.data.corpora.empty() ? "training.guided_alignment.links" : "data.corpora", corpus.links);
    check("data.corpora", corpus.documents);
  }
  for (const std::string& path : {config.data.valid.source, config.data.valid.target}) check("data.valid", path);
  for (const settings::FurtherCorpus& corpus : config.data.further_valid) {
    for (const std::string& path : {corpus.files.source, corpus.files.target}) check("data.further_valid", path);
  }
  check("tokenizer.source", config.tokenizer.source);
  check("tokenizer.target", config.tokenizer.target);
  check("training.finetune_from", config.training.finetune_from);
  check("training.encoder_from", config.training.encoder_from);
  check("training.source_vectors", config.training.source_vectors);
  check("training.target_vectors", config.training.target_vectors);
}

/// Completes settings of an older version with settings that it did not have.
settings::RunConfig settings_of(const run::Checkpoint& checkpoint) {
  try {
    const auto written = nlohmann::json::parse(checkpoint.config);
    auto config = settings::RunConfig::parse(written);
    const bool chose = written.contains(nlohmann::json::json_pointer("/validation/tokenize"));
    if (!chose) config.validation.tokenize = settings::BleuTokenize::k13a;  // before there was a choice
    return config;
  } catch (const ConfigError& error) {
    fail<UnreadableError>(checkpoint.path, "/state.json: ", error.what(),
                          "; was it written by a newer version of ventris-train?");
  }
}

/// The settings to compare with those of a checkpoint. Labels and a tokenization of BLEU that are not given are those
/// of the run; one that the run could not choose yet may be given. What the run found for training.batch_memory stays
/// as it is.
nlohmann::json settings_to_resume(const settings::RunConfig& config, const nlohmann::json& begun) {
  nlohmann::json now = config.to_json();
  const nlohmann::json::json_pointer labels("/model/labels");
  if (begun.contains(labels) && now.contains(labels) && now.at(labels).empty()) now[labels] = begun.at(labels);
  const nlohmann::json::json_pointer tokenize("/validation/tokenize");
  if (now.at(tokenize) == "auto" || begun.at(tokenize) == "auto") now[tokenize] = begun.at(tokenize);
  const nlohmann::json::json_pointer memory("/training/batch_memory");
  if (!config.training.batch_memory.none() && now.at(memory) == begun.at(memory)) {
    for (const char* found : {"/training/batch_tokens", "/training/length_cost"}) {
      const nlohmann::json::json_pointer setting(found);
      now[setting] = begun.at(setting);
    }
  }
  return now;
}

}  // namespace

const std::string& make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail<WriteError>(path, ": cannot create the run folder: ", error.message());
  return path;
}

OpenedRun look_at_run(const settings::RunConfig& config, const run::RunOptions& options) {
  OpenedRun run;
  run.folder.path = options.folder;
  run::refuse_foreign_files(run.folder);
  run.begun = !options.overwrite && files::exists(run.folder.config());
  if (!options.overwrite) run.checkpoint = run::load_newest_checkpoint(run.folder);
  if (run.checkpoint) {
    run.begun_with = settings_of(*run.checkpoint);
    const auto begun = run.begun_with->to_json();
    run.changes = settings::check_resumable(begun, settings_to_resume(config, begun));
    return run;
  }
  run::refuse_foreign_kinds(run.folder);
  if (!options.overwrite) refuse_finished_model(run.folder);
  refuse_replaced_inputs(config, run.folder);
  if (!config.training.finetune_from.empty()) {
    run.base = open_base(config.training.finetune_from);
    model::check_finite(run.base->weights);
    check_base(config, run.base->package);
    run.base->weights = weights_with_layers(config, *run.base);
    run.warnings = lost_with(config, run.base->package);
  }
  if (!config.training.encoder_from.empty()) {
    run.encoder = model::read_bundle(config.training.encoder_from);
    model::check_finite(run.encoder->weights);
    check_encoder(config, run.encoder->package);
  }
  for (const std::string& path : {config.training.source_vectors, config.training.target_vectors}) {
    if (!path.empty()) files::check_readable(path);
  }
  return run;
}

OpenedRun open_run(const settings::RunConfig& config, const run::RunOptions& options) {
  const run::RunFolder folder{options.folder};
  if (!run::is_run_folder(folder)) return look_at_run(config, options);  // files there are not those of a run
  run::remove_leftovers(folder);
  return look_at_run(config, options);
}

void begin_run(const settings::RunConfig& config, const OpenedRun& run) {
  if (run.checkpoint) {
    run::prune_models(run.folder, run.checkpoint->state);
  } else {
    const auto corpora = config.data.training();
    const std::string input = run.folder.standard_input();
    const bool reads_input =
        std::ranges::any_of(corpora, [&](const data::CorpusSpec& corpus) { return is_kept_input(corpus, run.folder); });
    if (!reads_input) files::remove_file(input);
    run::remove_run(run.folder);
    files::remove_file(run.folder.older_standard_input());  // last, because a failure before this restores it
  }
  run::mark_run_folder(run.folder);
  files::write_file(run.folder.config(), config.to_json().dump(2) + "\n");
}

}  // namespace ventris::preparation
