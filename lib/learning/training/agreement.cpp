#include "training/agreement.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "core/available_memory.h"
#include "core/error.h"
#include "core/log.h"
#include "preparation/run_labels.h"
#include "training/batch_size.h"

namespace ventris::training {
namespace {

using nlohmann::json;

/// The first setting that differs, as a sentence; empty if none does.
std::string different_setting(const json& rank_0, const json& own, int rank) {
  const json changes = json::diff(rank_0, own);
  if (changes.empty()) return "";
  std::string path = changes.front().at("path");
  if (path.ends_with("/-")) path.resize(path.size() - 2);  // one list is longer: both are shown as a whole
  const json::json_pointer pointer(path);
  const auto shown = [&](const json& side) { return side.contains(pointer) ? side.at(pointer).dump() : "nothing"; };
  std::string name = path.substr(1);
  for (char& letter : name) letter = letter == '/' ? '.' : letter;
  return fmt::format("{}: is {} for rank 0, but {} for rank {}; start all processes of a run with the same settings",
                     name, shown(rank_0), shown(own), rank);
}

std::string shown(const json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// The first condition that must be the same but differs, as a sentence.
std::string different_environment(const json& rank_0, const json& own, int rank) {
  static constexpr std::pair<const char*, const char*> kSame[] = {{"corpus", "data.train: the training corpus"},
                                                                  {"ventris", "Ventris"},
                                                                  {"data_order", "the order of batches"},
                                                                  {"libtorch", "LibTorch"},
                                                                  {"sentencepiece", "SentencePiece"}};
  for (const auto& [key, what] : kSame) {
    if (rank_0.at(key) == own.at(key)) continue;
    return fmt::format("{} of rank {} ({}) is not that of rank 0 ({}); all processes of a run need the same", what,
                       rank, shown(own.at(key)), shown(rank_0.at(key)));
  }
  return "";
}

}  // namespace

void check_same_settings(distributed::ProcessGroup& group, const settings::RunConfig& config) {
  const json own = config.to_json();
  const json rank_0 = json::parse(group.broadcast(own.dump()));
  distributed::fail_together(group, different_setting(rank_0, own, group.rank()));
}

void share_labels(distributed::ProcessGroup& group, settings::RunConfig& config, const preparation::OpenedRun& run) {
  if (config.model->corpus_kind() != architecture::CorpusKind::kLabels) return;
  if (group.leads()) preparation::complete_labels(config, run);
  const json labels = json::parse(group.broadcast(json(config.model->labels()).dump()));
  config.model = config.model->with_labels(labels.get<std::vector<std::string>>());
}

preparation::Tokenizers share_tokenizers(distributed::ProcessGroup& group, const settings::RunConfig& config,
                                         const preparation::OpenedRun& run) {
  if (group.size() == 1) return preparation::prepare_tokenizers(config, run);
  std::string source, target;
  if (group.leads()) {
    const preparation::Tokenizers prepared = preparation::prepare_tokenizers(config, run);
    source = prepared.source.bytes();
    target = prepared.target.bytes();
  }
  source = group.broadcast(source);
  target = group.broadcast(target);
  return {{source, "rank 0's source tokenizer"}, {target, "rank 0's target tokenizer"}};
}

void share_batch_size(distributed::ProcessGroup& group, settings::RunConfig& config, const preparation::OpenedRun& run,
                      const preparation::Tokenizers& tokenizers, const data::PairStore& pairs) {
  BatchSize size;
  if (group.leads()) {
    const std::string problem = memory_problem(config.training, memory_of_process());
    if (!problem.empty()) core::log_warning(problem);
    size = run.begun_with ? batch_size_of(run.begun_with->training)
                          : measure_batch_size(config, tokenizers, pairs, {group.size(), 0});
  }
  size = group.broadcast_value(size);
  config.training.batch_tokens = size.tokens;
  config.training.length_cost = size.length_cost;
}

void check_same_environment(distributed::ProcessGroup& group, const std::string& own_text) {
  const json own = json::parse(own_text), rank_0 = json::parse(group.broadcast(own_text));
  if (rank_0.at("instruction_set") != own.at("instruction_set")) {
    core::log_warning(fmt::format(
        "rank {} computes with {}, rank 0 with {}: their weights may differ in their "
        "last bits; those of rank 0 are saved",
        group.rank(), own.at("instruction_set").get<std::string>(), rank_0.at("instruction_set").get<std::string>()));
  }
  distributed::fail_together(group, different_environment(rank_0, own, group.rank()));
}

}  // namespace ventris::training
