#include "preparation/taken_folder.h"

namespace ventris::preparation {
namespace {

OlderInput older_input_of(const OpenedRun& run) {
  if (run.checkpoint) return OlderInput::kGoesOn;
  return run.begun ? OlderInput::kInReserve : OlderInput::kIsReplaced;
}

/// Refuses foreign files before a lock is put into the folder.
const std::string& own_folder(const run::RunOptions& options) {
  run::refuse_foreign_files({options.folder});
  return make_folder(options.folder);
}

}  // namespace

TakenFolder::TakenFolder(const run::RunOptions& options) : options_(options), lock_(own_folder(options)) {}

OpenedRun TakenFolder::open(settings::RunConfig& config, bool piped, std::optional<core::LogFile>& log) {
  if (piped) name_standard_input(config.data, {options_.folder});
  OpenedRun run = open_run(config, options_);
  mark_.emplace(run.folder);
  log.emplace(run.folder.log());
  if (run.begun && !run.checkpoint) {
    core::log_info("the run had not saved a checkpoint yet: it starts from the beginning");
  }
  if (piped) input_.emplace(run.folder, older_input_of(run));
  return run;
}

void TakenFolder::begin(const settings::RunConfig& config, const OpenedRun& run) {
  begin_run(config, run);
  if (input_) input_->begun();
}

}  // namespace ventris::preparation
