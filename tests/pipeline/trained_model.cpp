#include "pipeline/trained_model.h"

#include <sstream>

namespace ventris::test {

const TrainedModel& TrainedModel::get() {
  static const TrainedModel model;
  return model;
}

TrainedModel::TrainedModel()
    : settings(folder.file("settings.json", kToySettings)),
      valid(write_toy_corpus(folder, "valid", 120, 2)),
      bundle(folder.path("run/best")) {
  const ToyCorpus train = write_toy_corpus(folder, "train", 1000, 1);
  const Outcome outcome =
      run_program("ventris-train", {"-c", settings, "--train", train.source, train.target, "--valid", valid.source,
                                    valid.target, "-m", folder.path("run"), "--after", "150u", "--valid-freq", "150u",
                                    "--save-freq", "150u", "--batch-tokens", "512"});
  if (outcome.code != 0) ADD_FAILURE() << outcome.err;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace ventris::test
