#include "run/checkpoint.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/error.h"
#include "core/json_problem.h"
#include "core/json_reader.h"
#include "core/log.h"
#include "files/folders.h"
#include "files/paths.h"
#include "model/checkpoint_files.h"

namespace ventris::run {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr int64_t kStateVersion = 1;

json to_json(const settings::RunProgress& progress) {
  return {{"epoch", progress.epoch},
          {"updates", progress.updates},
          {"target_tokens", progress.tokens},
          {"minutes", progress.minutes},
          {"in_epoch", progress.in_epoch}};
}

settings::RunProgress parse_progress(const json& source) {
  const uint64_t done = source.at("epoch");
  return {done, source.at("updates"), source.at("target_tokens"), source.at("minutes"),
          source.value("in_epoch", done + 1)};
}

json to_json(const TrainingState& state) {
  json out = {{"version", kStateVersion},
              {"progress", to_json(state.progress)},
              {"handled", to_json(state.handled)},
              {"last_validated", state.last_validated},
              {"validation_due", state.validation_due},
              {"position",
               {{"epoch", state.position.epoch}, {"batch", state.position.batch}, {"window", state.position.window}}},
              {"validations", state.validations},
              {"stalled", state.stalled},
              {"bad_updates", state.bad_updates},
              {"bad_in_a_row", state.bad_in_a_row},
              {"finished", state.finished},
              {"window",
               {{"updates", state.sums.updates},
                {"loss", state.sums.loss},
                {"nll", state.sums.nll},
                {"tokens", state.sums.tokens},
                {"weight", state.sums.weight},
                {"norm", state.sums.norm},
                {"seconds", state.sums.seconds}}}};
  if (state.best) out["best"] = *state.best;
  if (state.best_loss) out["best_loss"] = *state.best_loss;
  if (state.best_updates) out["best_updates"] = *state.best_updates;
  if (!state.validation_corpus.empty()) out["validation_corpus"] = state.validation_corpus;
  out["models"] = json::array();
  for (const KeptModel& model : state.models) {
    out["models"].push_back({{"updates", model.updates}});
    if (model.value) out["models"].back()["value"] = *model.value;
    if (model.loss) out["models"].back()["loss"] = *model.loss;
  }
  return out;
}

std::optional<double> number_if_any(const json& source, const char* key) {
  return source.contains(key) ? std::optional(source.at(key).get<double>()) : std::nullopt;
}

TrainingState parse_state(const json& source, const std::string& where) {
  try {
    if (source.at("version") > kStateVersion)
      fail<UnreadableError>(where, ": written by a newer version of ventris-train");
    TrainingState state;
    state.progress = parse_progress(source.at("progress"));
    state.handled = parse_progress(source.at("handled"));
    state.last_validated = source.at("last_validated");
    state.validation_due = source.at("validation_due");
    const json& position = source.at("position");
    state.position = {position.at("epoch"), position.at("batch"), position.value("window", 0U)};
    state.validations = source.at("validations");
    state.stalled = source.at("stalled");
    state.bad_updates = source.at("bad_updates");
    state.bad_in_a_row = source.at("bad_in_a_row");
    state.finished = source.at("finished");
    const json& sums = source.at("window");
    state.sums = {sums.at("updates"),
                  sums.at("loss"),
                  sums.at("nll"),
                  sums.at("tokens"),
                  sums.value("weight", sums.at("tokens").get<double>()),
                  sums.at("norm"),
                  sums.at("seconds")};
    state.best = number_if_any(source, "best");
    state.best_loss = number_if_any(source, "best_loss");
    if (source.contains("best_updates")) state.best_updates = source.at("best_updates").get<int64_t>();
    state.validation_corpus = source.value("validation_corpus", "");
    for (const json& model : source.value("models", json::array())) {
      state.models.push_back({model.at("updates"), number_if_any(model, "value"), number_if_any(model, "loss")});
    }
    return state;
  } catch (const json::exception& error) {
    fail<ModelError>(where, ": is not a training state: ", core::json_problem(error));
  }
}

/// Newest first.
std::vector<files::Numbered> step_folders(const std::string& parent) {
  auto found = files::numbered_entries(parent, "step-");
  std::ranges::reverse(found);
  return found;
}

/// The link is for users; a run does not need it.
void point_latest(const RunFolder& run, const std::string& name) {
  const std::string temporary = run.path + "/.tmp-latest";
  std::error_code error;
  fs::remove(temporary, error);
  fs::create_symlink("checkpoints/" + name, temporary, error);
  if (!error) fs::rename(temporary, run.latest(), error);
  if (error) core::log_warning(fmt::format("{}: cannot point to {}: {}", run.latest(), name, error.message()));
}

Checkpoint load_checkpoint(const std::string& path) {
  std::map<std::string, std::string> files;
  for (auto& [name, bytes] : files::read_folder(path, model::kCheckpointFiles)) files[name] = std::move(bytes);
  const auto file = [&](const char* name) -> std::string {
    if (!files.contains(name))
      fail<ModelError>(path, ": is not a complete checkpoint: its MANIFEST does not list ", name);
    return std::move(files[name]);
  };
  Checkpoint checkpoint;
  checkpoint.path = path;
  const std::string where = path + "/state.json";
  const json source = core::parse_json(file("state.json"), where);
  if (!source.contains("state") || !source.contains("config")) fail<ModelError>(where, ": is not a training state");
  checkpoint.state = parse_state(source.at("state"), where);
  checkpoint.config = source.at("config").dump();
  checkpoint.environment = source.value("environment", json::object()).dump();
  checkpoint.weights = model::Safetensors::parse(file("model.safetensors"), path + "/model.safetensors");
  checkpoint.optimizer = model::Safetensors::parse(file("optimizer.safetensors"), path + "/optimizer.safetensors");
  checkpoint.source_spm = file("source.spm");
  if (files.contains("target.spm")) checkpoint.target_spm = file("target.spm");
  if (files.contains("ema.safetensors")) {
    checkpoint.ema = model::Safetensors::parse(file("ema.safetensors"), path + "/ema.safetensors");
  }
  return checkpoint;
}

void remove_or_warn(const std::string& folder) {
  try {
    remove_saved(folder);
  } catch (const WriteError& error) {
    core::log_warning(error.what());
  }
}

/// Moves a checkpoint without MANIFEST (left by an interrupted copy) aside, so that it is not replaced.
void move_damaged_aside(const std::string& folder) {
  if (!files::exists(folder + "/state.json") || files::exists(folder + "/MANIFEST")) return;
  std::error_code error;
  fs::rename(folder, folder + ".damaged", error);
  if (error) fail<WriteError>(folder, ": has no MANIFEST, and cannot be moved aside: ", error.message());
  core::log_warning(fmt::format("{}: has no MANIFEST; it is now {}.damaged", folder, folder));
}

/// Whether the folder of a removed checkpoint contains only files of a user.
bool holds_no_checkpoint(const std::string& folder) {
  return !files::exists(folder + "/MANIFEST") && !files::exists(folder + "/state.json") &&
         !files::exists(folder + "/model.safetensors");
}

/// Of the checkpoints up to this update, keeps the newest `keep` and the one to which `latest` still points.
void prune(const RunFolder& run, int64_t updates, int64_t keep) {
  std::error_code ignored;
  const std::string pointed = fs::read_symlink(run.latest(), ignored).filename().string();
  int64_t kept = 0;
  for (const auto& [number, folder] : step_folders(run.checkpoints())) {
    if (holds_no_checkpoint(folder)) {
      remove_or_warn(folder);  // only if it is empty: files of a user stay
      continue;
    }
    const bool surplus = number > updates || ++kept > keep;
    if (surplus && fs::path(folder).filename() != pointed) remove_or_warn(folder);
  }
}

}  // namespace

std::string state_text(const TrainingState& state) { return to_json(state).dump(); }

TrainingState parse_state_text(const std::string& text, const std::string& where) {
  const json state = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (state.is_discarded()) fail<ModelError>(where, ": is not a training state: not JSON");
  return parse_state(state, where);
}

void save_checkpoint(const RunFolder& run, const CheckpointContent& content, int64_t keep) {
  const std::string name = step_name(content.state.progress.updates);
  const json state = {{"state", to_json(content.state)},
                      {"config", json::parse(content.config)},
                      {"environment", json::parse(content.environment)}};
  std::vector<files::NamedBytes> files{{"model.safetensors", content.weights},
                                       {"optimizer.safetensors", content.optimizer},
                                       {"state.json", state.dump(1) + "\n"},
                                       {"source.spm", content.source_spm}};
  if (!content.target_spm.empty()) files.push_back({"target.spm", content.target_spm});
  if (!content.ema.empty()) files.push_back({"ema.safetensors", content.ema});
  move_damaged_aside(run.checkpoints() + "/" + name);
  files::write_folder(run.checkpoints() + "/" + name, files);
  point_latest(run, name);
  prune(run, content.state.progress.updates, keep);
  prune_models(run, content.state);
}

void prune_models(const RunFolder& run, const TrainingState& state) {
  std::set<int64_t> kept;
  for (const KeptModel& model : state.models) kept.insert(model.updates);
  for (const auto& [number, folder] : step_folders(run.models())) {
    const bool later = number > state.progress.updates;  // written by the training, which continued during this save
    if (!later && !kept.contains(number)) remove_or_warn(folder);
  }
}

std::optional<Checkpoint> load_newest_checkpoint(const RunFolder& run) {
  auto folders = step_folders(run.checkpoints());
  std::erase_if(folders, [](const files::Numbered& step) { return holds_no_checkpoint(step.path); });
  std::string first_problem;
  for (const auto& [number, folder] : folders) {
    try {
      return load_checkpoint(folder);
    } catch (const UnreadableError&) {  // resuming from an older checkpoint would lose this one
      throw;
    } catch (const Error& error) {
      core::log_warning(fmt::format("checkpoint skipped: {}", error.what()));
      if (first_problem.empty()) first_problem = error.what();
    }
  }
  if (!folders.empty()) {
    fail<ModelError>(run.checkpoints(), ": no checkpoint is intact (", first_problem,
                     "); restore one or start a new run with --overwrite");
  }
  return std::nullopt;
}

}  // namespace ventris::run
