#pragma once
#include <nlohmann/json.hpp>

#include "support/toy_corpus.h"
#include "training/config.h"

namespace ventris::test {

/// kToySettings over this corpus.
inline training::RunConfig toy_config(const ToyCorpus& train) {
  auto config = training::RunConfig::parse(nlohmann::json::parse(kToySettings));
  config.data.train = {train.source, train.target};
  return config;
}

}  // namespace ventris::test
