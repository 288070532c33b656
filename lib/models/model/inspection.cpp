#include "model/inspection.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "core/json_problem.h"
#include "core/json_reader.h"
#include "core/json_shape.h"
#include "files/files.h"
#include "files/folders.h"
#include "files/paths.h"
#include "model/checkpoint_files.h"
#include "model/finite.h"
#include "model/package.h"
#include "model/parameter_groups.h"
#include "text/model_check.h"
#include "text/tokenizer.h"

namespace ventris::model {
namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;
namespace {

std::string in(const std::string& folder, const std::string& name) { return (fs::path(folder) / name).string(); }

/// The size of a file or of all files in a folder; 0 if it cannot be found out.
uint64_t bytes_on_disk(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    const uint64_t size = fs::file_size(path, error);
    return error ? 0 : size;
  }
  uint64_t total = 0;
  for (fs::recursive_directory_iterator next(path, error), end; next != end && !error; next.increment(error)) {
    std::error_code gone;
    if (next->is_regular_file(gone) && !next->is_symlink(gone)) {
      const uint64_t size = next->file_size(gone);
      if (!gone) total += size;
    }
  }
  return total;
}

ordered_json list_files(const std::string& folder) {
  std::map<std::string, uint64_t> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    files[entry.path().filename().string()] = bytes_on_disk(entry.path().string());
  }
  ordered_json list = ordered_json::array();
  for (const auto& [name, bytes] : files) list.push_back({{"name", name}, {"bytes", bytes}});
  return list;
}

ordered_json to_json(const ParameterGroup& group) {
  ordered_json out{{"name", group.name}, {"tensors", group.tensors}, {"parameters", group.parameters}};
  if (!group.tied_to.empty()) out["tied_to"] = group.tied_to;
  for (const ParameterGroup& part : group.parts) out["parts"].push_back(to_json(part));
  return out;
}

void describe_tensors(ordered_json& out, const std::vector<TensorSummary>& tensors) {
  ordered_json& parameters = out["parameters"];
  int64_t total = 0;
  parameters["total"] = total;
  for (const ParameterGroup& module : group_parameters(tensors)) {
    total += module.parameters;
    parameters["modules"].push_back(to_json(module));
  }
  parameters["total"] = total;
  out["tensors"] = json::parse(tensors_to_json(tensors));
}

/// Lists the tensors with values that are NaN or infinite. The first of them becomes the problem.
void describe_non_finite(ordered_json& out, const Safetensors& file) {
  const auto all = find_non_finite(file);
  for (const NonFinite& one : all) {
    out["non_finite"].push_back(
        {{"tensor", one.tensor}, {"values", one.values}, {"nan", one.nan}, {"infinite", one.infinite}});
  }
  if (!all.empty() && !out.contains("problem")) out["problem"] = describe(all, file.where());
}

const char* kind_name(text::TokenizerKind kind) {
  switch (kind) {
    case text::TokenizerKind::kUnigram: return "unigram";
    case text::TokenizerKind::kBpe: return "bpe";
    case text::TokenizerKind::kPieces: return "pieces";
  }
  return "";
}

ordered_json describe_tokenizer(const std::string& bytes, const std::string& where, int64_t vocab) {
  const text::Tokenizer tokenizer(bytes, where);
  if (tokenizer.size() != vocab) {
    fail<ModelError>(where, ": expected ", vocab, " pieces as in config.json, found ", tokenizer.size());
  }
  ordered_json out{{"pieces", tokenizer.size()}, {"kind", kind_name(tokenizer.kind())}, {"bytes", bytes.size()}};
  if (tokenizer.has_foreign_rules()) out["foreign_rules"] = true;
  return out;
}

ordered_json describe_package(const Package& package) {
  const architecture::Architecture& model = *package.config.architecture;
  const bool bundle = package.kind == PackageKind::kBundle;
  const ordered_json config = ordered_json::parse(package.config.to_json().dump());
  ordered_json out{
      {"kind", bundle ? "bundle" : "torchscript"}, {"path", package.path}, {"bytes", bytes_on_disk(package.path)}};
  if (bundle) out["files"] = list_files(package.path);
  out["format_version"] = config["format_version"];
  out["architecture"] = config["architecture"];
  out["settings"] = config["model"];
  ordered_json& tokenizers = out["tokenizers"];
  tokenizers = config["tokenizer"];
  tokenizers["source"] = describe_tokenizer(package.source_spm, package.path + ": source.spm", model.src_vocab());
  if (!package.config.tokenizer.shared) {
    tokenizers["target"] = describe_tokenizer(package.target_spm, package.path + ": target.spm", model.tgt_vocab());
  }
  out["decoding"] = config["decoding"];
  out["provenance"] = config["provenance"];
  describe_tensors(out, package.tensors);
  return out;
}

ordered_json describe_bundle(const std::string& path) {
  const Bundle bundle = read_bundle(path);
  ordered_json out = describe_package(bundle.package);
  describe_non_finite(out, bundle.weights);
  return out;
}

/// Parses a JSON object from a file that Ventris wrote.
ordered_json parse_file(const std::string& bytes, const std::string& where) {
  try {
    ordered_json out = ordered_json::parse(core::parse_json(bytes, where).dump());
    if (!out.is_object()) fail<ModelError>(where, ": expected an object {...}");
    return out;
  } catch (const ConfigError& error) {
    fail<ModelError>(error.what());
  }
}

const ordered_json& member(const ordered_json& object, const std::string& key, const std::string& where) {
  if (!object.is_object() || !object.contains(key)) {
    fail<ModelError>(where, ": is not a training state: it has no '", key, "'");
  }
  return object[key];
}

ordered_json describe_checkpoint(const std::string& path) {
  std::map<std::string, std::string> files;
  for (auto& [name, bytes] : files::read_folder(path, kCheckpointFiles)) files[name] = std::move(bytes);
  for (const char* name : {"state.json", "model.safetensors", "optimizer.safetensors"}) {
    if (!files.contains(name))
      fail<ModelError>(path, ": is not a complete checkpoint: its MANIFEST does not list ", name);
  }
  const std::string where = in(path, "state.json");
  const ordered_json state = parse_file(files["state.json"], where);
  const ordered_json& training = member(state, "state", where);
  ordered_json out{{"kind", "checkpoint"}, {"path", path}, {"bytes", bytes_on_disk(path)}, {"files", list_files(path)}};
  const ordered_json& progress = member(training, "progress", where);
  for (const char* key : {"updates", "epoch", "target_tokens", "minutes"}) {
    out["state"][key] = member(progress, key, where);
  }
  if (progress.contains("in_epoch")) out["state"]["epoch"] = progress["in_epoch"];  // version 0.1 does not have it
  for (const char* key : {"best", "validations", "stalled", "bad_updates", "finished"}) {
    if (training.contains(key)) out["state"][key] = training[key];
  }
  if (state.contains("environment")) out["environment"] = state["environment"];
  const ordered_json& config = member(state, "config", where);
  out["settings"] = member(config, "model", where);
  out["run_settings"] = config;
  for (const char* name : {"source.spm", "target.spm"}) {
    if (files.contains(name)) text::check_model(files[name], in(path, name));
  }
  const auto take = [&](const char* name) { return Safetensors::parse(std::move(files[name]), in(path, name)); };
  const auto optimizer = take("optimizer.safetensors"), weights = take("model.safetensors");
  out["optimizer"] = {{"tensors", optimizer.tensors().size()},
                      {"bytes", bytes_on_disk(in(path, "optimizer.safetensors"))}};
  describe_tensors(out, summarise(weights));
  describe_non_finite(out, weights);
  describe_non_finite(out, optimizer);
  if (files.contains("ema.safetensors")) describe_non_finite(out, take("ema.safetensors"));
  return out;
}

/// Finds the last complete line, and the last validation that was the best so far. The last line may be incomplete if
/// the run was killed or is running. Damaged lines are skipped.
void describe_reports(ordered_json& run, const std::string& path) {
  std::istringstream lines(files::read_plain_file(path));
  for (std::string line; std::getline(lines, line);) {
    if (!core::is_modest_json(line)) continue;
    const ordered_json report = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    const auto says = [&report](const char* key, const auto& value) {
      return report.contains(key) && report[key] == value;
    };
    if (!report.is_object() || (report.contains("kind") && !report["kind"].is_string())) continue;
    if (says("kind", "valid") && says("best", true)) run["best_validation"] = report;
    run["last_report"] = report;
  }
}

/// A short description of one part of a run. A damaged part is described by its problem. A part that a running trainer
/// has just removed is left out (null).
template <typename Describe>
ordered_json summarise_part(ordered_json& run, const std::string& path, const Describe& describe) {
  ordered_json out{{"name", fs::path(path).filename().string()}, {"bytes", bytes_on_disk(path)}};
  try {
    const ordered_json whole = describe(path);
    const ordered_json& from = whole.contains("state") ? whole["state"] : whole["provenance"];
    for (const char* key : {"updates", "epoch", "target_tokens", "minutes", "finished"}) {
      if (from.contains(key)) out[key] = from[key];
    }
    run["parameters"] = whole["parameters"];
    run["tensors"] = whole["tensors"];
    for (const char* key : {"non_finite", "problem"}) {
      if (whole.contains(key)) out[key] = whole[key];
    }
    if (whole.contains("problem") && !run.contains("problem")) run["problem"] = whole["problem"];
  } catch (const ModelError& error) {
    if (!files::exists(path)) return nullptr;
    out["problem"] = error.what();
    if (!run.contains("problem")) run["problem"] = error.what();
  }
  return out;
}

/// Whether the run can be resumed, from which checkpoint, and whether it is finished.
void describe_resumption(ordered_json& run) {
  const ordered_json all = run["checkpoints"];  // a copy: a new key of `run` moves its members
  const auto is_whole = [](const ordered_json& one) { return !one.contains("problem") || one.contains("non_finite"); };
  const auto whole = std::find_if(all.rbegin(), all.rend(), is_whole);
  run["resumable"] = whole != all.rend();
  if (whole == all.rend()) return;
  run["goes_on_from"] = (*whole)["name"];
  run["finished"] = whole->value("finished", false);
}

ordered_json describe_run(const std::string& path) {
  ordered_json out{{"kind", "run"}, {"path", path}, {"bytes", bytes_on_disk(path)}, {"files", list_files(path)}};
  const std::string config = in(path, "config.json");
  const ordered_json settings = parse_file(files::read_plain_file(config), config);
  if (settings.contains("model")) out["settings"] = settings["model"];
  out["run_settings"] = settings;
  if (files::exists(in(path, "metrics.jsonl"))) describe_reports(out, in(path, "metrics.jsonl"));
  const auto describe_steps = [&](const char* name, const auto& describe) {
    out[name] = ordered_json::array();
    for (const auto& [number, step] : files::numbered_entries(in(path, name), "step-")) {
      ordered_json summary = summarise_part(out, step, describe);
      if (!summary.is_null()) out[name].push_back(std::move(summary));
    }
  };
  describe_steps("checkpoints", describe_checkpoint);
  describe_steps("models", describe_bundle);
  describe_resumption(out);
  std::error_code error;
  const fs::path latest = fs::read_symlink(in(path, "latest"), error);
  if (!error) out["latest"] = latest.string();
  for (const char* name : {"best", "final", "averaged"}) {
    if (!files::exists(in(path, name))) continue;
    out[name] = summarise_part(out, in(path, name), describe_bundle);
  }
  return out;
}

bool looks_like_run(const std::string& path) {
  if (files::exists(in(path, "MANIFEST")) || !files::exists(in(path, "config.json"))) return false;
  const auto parts = {"checkpoints", "metrics.jsonl", "train.log", "best", "final"};
  return std::any_of(parts.begin(), parts.end(), [&](const char* name) { return files::exists(in(path, name)); });
}

}  // namespace

ordered_json inspect(const std::string& path) {
  try {
    if (looks_like_run(path)) return describe_run(path);
    if (files::exists(in(path, "MANIFEST")) && files::exists(in(path, "state.json"))) return describe_checkpoint(path);
    for (const std::string& place : {path, in(path, "MANIFEST")}) {
      if (const std::string problem = files::access_problem(place); !problem.empty()) {
        fail<UnreadableError>(place, ": cannot be read: ", problem);
      }
    }
    std::error_code error;
    const bool is_folder = fs::is_directory(path, error);
    if (is_folder && !files::exists(in(path, "MANIFEST"))) {
      fail<ModelError>(
          path, ": expected a bundle or checkpoint folder (with a MANIFEST) or a run folder (with config.json and ",
          "checkpoints); found neither");
    }
    return is_folder ? describe_bundle(path) : describe_package(read_package(path));
  } catch (const DataError& error) {
    fail<ModelError>(error.what());
  } catch (const json::exception& error) {
    fail<ModelError>(path, ": a JSON file in it does not have the expected content: ", core::json_problem(error));
  }
}

}  // namespace ventris::model
