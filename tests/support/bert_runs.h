#pragma once
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "support/run_program.h"
#include "support/temp_folder.h"

namespace ventris::test {

inline constexpr const char* kTinyBert = R"({
  "architecture": "bert",
  "model": {"d_model": 32, "d_ff": 64, "heads": 4, "layers": 2, "max_positions": 64,
            "dropout": 0, "attention_dropout": 0},
  "data": {"max_length": 40},
  "tokenizer": {"vocab_size": 60},
  "training": {"batch_tokens": 512, "save_every": "5u", "report_every": "5u", "label_smoothing": 0, "average_last": 2,
               "schedule": {"learning_rate": 0.004, "warmup_updates": 20}},
  "validation": {"every": "20u"}
})";

/// Documents whose sentences repeat a word, one word further in each sentence.
inline std::string documents(int count, int first) {
  const char* const words[] = {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
  std::string text;
  for (int document = 0; document < count; ++document) {
    for (int sentence = 0; sentence < 6; ++sentence) {
      const std::string word = words[(first + 3 * document + sentence) % 10];
      for (int i = 0; i < 5; ++i) text += (i == 0 ? "" : " ") + word;
      text += "\n";
    }
    text += "\n";
  }
  return text;
}

/// Runs of a BERT that trains in seconds.
class BertRuns : public testing::Test {
 protected:
  std::vector<std::string> arguments(const std::string& run, const std::string& length,
                                     const std::vector<std::string>& more = {}) const {
    std::vector<std::string> all{"-c", settings,         "--train-text", first,  second,      "--valid-text", held,
                                 "-m", folder.path(run), "--after",      length, "--threads", threads};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Outcome train(const std::string& run, const std::string& length, const std::vector<std::string>& more = {}) const {
    return run_program("ventris-train", arguments(run, length, more));
  }

  std::vector<nlohmann::json> validations(const std::string& run) const {
    std::vector<nlohmann::json> found;
    std::istringstream lines(file_bytes(folder.path(run + "/metrics.jsonl")));
    for (std::string line; std::getline(lines, line);) {
      if (const auto json = nlohmann::json::parse(line); json.at("kind") == "valid") found.push_back(json);
    }
    return found;
  }

  TempFolder folder;
  std::string threads = "1";
  std::string settings = folder.file("bert.json", kTinyBert);
  std::string first = folder.file("a.txt", documents(60, 0)), second = folder.file("b.txt", documents(60, 1));
  std::string held = folder.file("held.txt", documents(10, 2));
};

}  // namespace ventris::test
