#include "preparation/environment.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/log.h"
#include "core/process.h"
#include "data/batch_plan.h"

namespace ventris::preparation {
namespace {

/// The part of the environment on which weights depend. Two replicas give the same sums in one process or in two; with
/// more replicas, rounding depends on how they are divided among processes; on a GPU, a process is one replica. A
/// checkpoint without a number of processes was written by a single one.
nlohmann::json deciding(nlohmann::json environment) {
  const int64_t processes = environment.value("processes", int64_t{1}),
                threads = environment.value("device", "cpu") == "cpu" ? environment.value("threads", int64_t{1}) : 1;
  const bool split_matters = processes * threads > 2;
  environment["processes"] = split_matters ? processes : 1;
  environment["threads"] = split_matters ? threads : processes * threads;
  return environment;
}

}  // namespace

std::string environment_of(const settings::TrainingConfig& training, const data::PairStore& pairs, int processes,
                           const std::string& libtorch) {
  return nlohmann::json({{"processes", processes},
                         {"threads", training.threads},
                         {"corpus", fmt::format("{} pairs, crc32 {:08x}", pairs.size(), pairs.summary().checksum())},
                         {"data_order", data::kOrderVersion},
                         {"ventris", core::version()},
                         {"libtorch", libtorch},
                         {"sentencepiece", VENTRIS_SENTENCEPIECE_VERSION},
                         {"instruction_set", core::instruction_set()},
                         {"device", training.device}})
      .dump();
}

void check_environment(const run::Checkpoint& checkpoint, const std::string& text) {
  const auto now = nlohmann::json::parse(text), before = nlohmann::json::parse(checkpoint.environment);
  if (before.value("corpus", now.at("corpus")) != now.at("corpus")) {
    fail<ConfigError>(
        "data.train: the run was begun with another corpus (", before.at("corpus").get<std::string>(), "; found ",
        now.at("corpus").get<std::string>(),
        "), or with other links between its words; restore them, or use another --model folder or --overwrite");
  }
  if (deciding(before) != deciding(now)) {
    core::log_warning(
        fmt::format("the run was begun in another environment ({} then, {} now): it continues, but its weights will "
                    "not be those of an uninterrupted run",
                    before.dump(), now.dump()));
  }
}

}  // namespace ventris::preparation
