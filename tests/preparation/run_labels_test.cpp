#include "preparation/run_labels.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "preparation/run_tokenizers.h"
#include "support/temp_folder.h"

namespace ventris::preparation {
namespace {

using nlohmann::json;
using Labels = std::vector<std::string>;

class CompletedLabels : public testing::Test {
 protected:
  Labels completed(const json& labels, const OpenedRun& run = {}) const {
    auto config = config_with(labels);
    complete_labels(config, run);
    return config.model->labels();
  }
  settings::RunConfig config_with(const json& labels) const {
    return settings::RunConfig::parse({{"architecture", "bert-classifier"},
                                       {"model", {{"labels", labels}}},
                                       {"tokenizer", {{"vocab_size", 20}}},
                                       {"data", {{"train", {texts}}}}});
  }

  test::TempFolder folder;
  std::string texts = folder.file("train.tsv", "Q\ta bad cab\nZ\tabba cab\nQ\tbad\n");
};

TEST_F(CompletedLabels, AreThoseOfTheTrainingCorpusUnlessTheyAreGiven) {
  EXPECT_EQ(completed(json::array()), (Labels{"Q", "Z"}));
  EXPECT_EQ(completed({"Z", "Q"}), (Labels{"Z", "Q"}));
}

TEST_F(CompletedLabels, AreThoseOfTheRunIfItIsResumed) {
  OpenedRun run;
  run.checkpoint.emplace();
  run.checkpoint->config = config_with({"Z", "none", "Q"}).to_json().dump();
  EXPECT_EQ(completed(json::array(), run), (Labels{"Z", "none", "Q"}));
}

TEST_F(CompletedLabels, OtherModelsHaveNone) {
  settings::RunConfig config;
  complete_labels(config, {});  // reads nothing
  EXPECT_TRUE(config.model->labels().empty());
}

TEST_F(CompletedLabels, TheTokenizerIsLearntFromTheTextsAlone) {
  const auto tokenizer = prepare_tokenizers(config_with(json::array()), {}).source;
  EXPECT_EQ(tokenizer.decode(tokenizer.encode("bad cab")), "bad cab");
  for (int32_t id = 0; id < tokenizer.size(); ++id) {
    EXPECT_EQ(tokenizer.piece(id).find_first_of("QZ\t"), std::string::npos) << tokenizer.piece(id);
  }
}

}  // namespace
}  // namespace ventris::preparation
