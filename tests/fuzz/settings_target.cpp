#include <nlohmann/json.hpp>

#include "core/json_reader.h"
#include "fuzz/targets.h"
#include "settings/run_config.h"

/// Settings files of training runs, and JSON in general.
namespace ventris::fuzz {
namespace {

void read_settings(std::string_view input) {
  const nlohmann::json json = core::parse_json(std::string(input), "settings.json");
  const auto config = settings::RunConfig::parse(json, settings::RunConfig::Corpora::kMayBeMissing);
  const nlohmann::json written = config.to_json();
  require(settings::RunConfig::parse(written, settings::RunConfig::Corpora::kMayBeMissing).to_json() == written,
          "settings that are read come back");
}

std::vector<std::string> settings_seeds() {
  std::vector<std::string> seeds{settings::RunConfig().to_json().dump(1)};
  for (const char* name : {"multi30k-nat.json", "multi30k-rnn.json", "bert-tiny.json", "wmt-base.json"}) {
    const std::string text = test::file_bytes(std::string(VENTRIS_SOURCE "/configs/") + name);
    if (!text.empty()) seeds.push_back(text);
  }
  return seeds;
}

const Registration kSettings("settings", read_settings, settings_seeds);

}  // namespace
}  // namespace ventris::fuzz
