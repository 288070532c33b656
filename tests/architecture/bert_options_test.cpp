#include "architecture/bert_options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::architecture {
namespace {

using nlohmann::json;

ArchitecturePtr parsed(const json& settings) {
  core::JsonReader reader(settings, "model");
  auto found = parse("bert", "architecture", reader);
  reader.finish();
  return found;
}

/// Parameters with tied ones counted once.
int64_t parameters_of(const Architecture& architecture) {
  int64_t all = 0;
  architecture.each_tensor([&](const std::string& name, const std::vector<int64_t>& shape) {
    if (name.starts_with("cls.predictions.decoder.")) return;  // the token embeddings, and cls.predictions.bias
    int64_t size = 1;
    for (const int64_t length : shape) size *= length;
    all += size;
  });
  return all;
}

TEST(BertArchitecture, TheSizesOfThePaperHaveItsNumbersOfParameters) {
  EXPECT_EQ(parameters_of(*defaults("bert")->with_vocabularies(30522, 30522)), 110'106'428);  // "110M"
  const auto large = parsed({{"layers", 24}, {"d_model", 1024}, {"d_ff", 4096}, {"heads", 16}});
  EXPECT_EQ(parameters_of(*large->with_vocabularies(30522, 30522)), 336'226'108);  // "340M"
}

TEST(BertArchitecture, LearnsFromRunningTextAndDoesNotTranslate) {
  const auto bert = defaults("bert");
  EXPECT_EQ(bert->corpus_kind(), CorpusKind::kRunningText);
  EXPECT_FALSE(bert->translates());
  EXPECT_EQ(bert->special_pieces(), std::vector<std::string>{"[MASK]"});
  EXPECT_EQ(bert->max_length(), 510);  // of 512, with eos: [CLS] and another [SEP] need room
}

TEST(BertArchitecture, ItsSettingsComeBackFromTheirJson) {
  const json settings = parsed({{"mask_rate", 0.2}, {"whole_words", true}, {"layers", 3}})->to_json();
  EXPECT_EQ(parsed(settings)->to_json(), settings);
  EXPECT_EQ(settings.at("mask_rate"), 0.2);
}

TEST(BertArchitecture, ImpossibleSettingsAreRefused) {
  EXPECT_FAILS(parsed({{"d_model", 30}, {"heads", 4}}), ConfigError, "model.d_model: must be a multiple of heads (4)");
  EXPECT_FAILS(parsed({{"mask_rate", 0}}), ConfigError, "model.mask_rate: must be over 0");
  EXPECT_FAILS(parsed({{"mask_rate", 1}}), ConfigError, "model.mask_rate: must be under 1");
  EXPECT_FAILS(defaults("bert")->check_tokenizers(false), ConfigError, "tokenizer.shared: a bert model reads one");
}

}  // namespace
}  // namespace ventris::architecture
