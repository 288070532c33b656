#pragma once
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/run_program.h"
#include "support/temp_folder.h"
#include "support/toy_corpus.h"

namespace ventris::test {

/// A model that ventris-train made of the toy corpus in seconds, once for all tests of this program.
struct TrainedModel {
  TempFolder folder;
  std::string settings;  ///< its settings file
  ToyCorpus valid;
  std::string bundle;    ///< its best/ folder

  static const TrainedModel& get();

 private:
  TrainedModel();
};

/// Lines of a text.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace ventris::test
