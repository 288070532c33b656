#include "settings/suggestion.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "settings/run_config.h"

namespace ventris::settings {
namespace {

/// The message about a file with this setting, which is unknown.
std::string message(const std::string& pointer, const nlohmann::json& more = nlohmann::json::object()) {
  nlohmann::json source = more;
  source[nlohmann::json::json_pointer(pointer)] = 1;
  try {
    RunConfig::parse(source);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(SuggestedSetting, OfTheSameNameStandsInAnotherSection) {
  EXPECT_EQ(message("/training/learning_rate"),
            "training.learning_rate: unknown setting (did you mean 'training.schedule.learning_rate'?)");
  EXPECT_EQ(message("/learning_rate"),
            "learning_rate: unknown setting (did you mean 'training.schedule.learning_rate'?)");
  EXPECT_EQ(message("/training/patience"), "training.patience: unknown setting (did you mean 'validation.patience'?)");
  EXPECT_EQ(message("/data/vocab_size"), "data.vocab_size: unknown setting (did you mean 'tokenizer.vocab_size'?)");
  EXPECT_EQ(message("/training/dropout"), "training.dropout: unknown setting (did you mean 'model.dropout'?)");
  EXPECT_EQ(message("/validation/beam_width"), "validation.beam_width: unknown setting (did you mean 'beam_size'?)");
}

TEST(SuggestedSetting, MayBeAWholeSection) {
  EXPECT_EQ(message("/optimizer"), "optimizer: unknown setting (did you mean 'training.optimizer'?)");
  EXPECT_EQ(message("/schedule"), "schedule: unknown setting (did you mean 'training.schedule'?)");
}

TEST(SuggestedSetting, OfASimilarNameIsFoundInEverySection) {
  EXPECT_EQ(message("/training/learning_rat"),
            "training.learning_rat: unknown setting (did you mean 'training.schedule.learning_rate'?)");
  EXPECT_EQ(message("/training/warmup_steps"),
            "training.warmup_steps: unknown setting (did you mean 'training.schedule.warmup_updates'?)");
  EXPECT_EQ(message("/patiense"), "patiense: unknown setting (did you mean 'validation.patience'?)");
}

TEST(SuggestedSetting, OfTheSameSectionComesFirst) {
  EXPECT_EQ(message("/training/batch_token"), "training.batch_token: unknown setting (did you mean 'batch_tokens'?)");
  EXPECT_EQ(message("/training/schedule/warmup_update"),
            "training.schedule.warmup_update: unknown setting (did you mean 'warmup_updates'?)");
}

TEST(SuggestedSetting, SeveralAreNamedWithTheirSections) {
  EXPECT_EQ(message("/kind"),
            "kind: unknown setting (did you mean 'tokenizer.kind' or 'training.optimizer.kind' or "
            "'training.schedule.kind'?)");
  EXPECT_EQ(message("/model/layers"),
            "model.layers: unknown setting (did you mean 'model.decoder_layers' or 'model.encoder_layers'?)");
}

TEST(SuggestedSetting, OfTheModelIsOneOfItsFamily) {
  EXPECT_EQ(message("/training/mask_rate", {{"architecture", "bert"}}),
            "training.mask_rate: unknown setting (did you mean 'model.mask_rate'?)");
  EXPECT_EQ(message("/training/mask_rate").find("model.mask_rate"), std::string::npos);
}

TEST(SuggestedSetting, OfAnEntryOfAListIsFoundToo) {
  EXPECT_EQ(message("/data/tag"), "data.tag: unknown setting (did you mean 'data.corpora[].tag'?)");
  EXPECT_EQ(message("/data/corpora/0/temperature", {{"data", {{"corpora", {{{"tsv", "a"}}}}}}}),
            "data.corpora[0].temperature: unknown setting (did you mean 'data.temperature'?)");
}

TEST(SuggestedSetting, ThereIsNoneForSomethingElse) {
  EXPECT_EQ(message("/training/zzzzzzzz"), "training.zzzzzzzz: unknown setting");
}

}  // namespace
}  // namespace ventris::settings
