#pragma once
#include <nlohmann/json.hpp>

#include "support/toy_corpus.h"
#include "run/config.h"

namespace ventris::test {

/// kToySettings over this corpus.
inline run::RunConfig toy_config(const ToyCorpus& train) {
  auto config = run::RunConfig::parse(nlohmann::json::parse(kToySettings));
  config.data.train = {train.source, train.target};
  return config;
}

}  // namespace ventris::test
