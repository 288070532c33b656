#pragma once
#include <nlohmann/json.hpp>

#include "settings/run_config.h"
#include "support/toy_corpus.h"

namespace ventris::test {

/// kToySettings over this corpus.
inline settings::RunConfig toy_config(const ToyCorpus& train) {
  auto config = settings::RunConfig::parse(nlohmann::json::parse(kToySettings));
  config.data.train = {train.source, train.target};
  return config;
}

}  // namespace ventris::test
