#include "architecture/bert_classifier_options.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::architecture {
namespace {

using nlohmann::json;
using Labels = std::vector<std::string>;

ArchitecturePtr classifier_with(const json& settings) {
  core::JsonReader reader(settings, "model");
  auto found = parse("bert-classifier", "architecture", reader);
  reader.finish();
  return found;
}

TEST(BertClassifierArchitecture, LearnsFromLabelsAndDoesNotTranslate) {
  const auto model = defaults("bert-classifier");
  EXPECT_EQ(model->corpus_kind(), CorpusKind::kLabels);
  EXPECT_EQ(model->task(), "classification");
  EXPECT_FALSE(model->translates());
  EXPECT_TRUE(model->labels().empty());
  EXPECT_TRUE(model->special_pieces().empty());
  EXPECT_EQ(model->max_length(), 511);  // of 512, with eos: [CLS] needs room
}

TEST(BertClassifierArchitecture, ItsSettingsAndLabelsComeBackFromTheirJson) {
  const json settings = classifier_with({{"layers", 3}, {"labels", {"b", "a, c"}}})->to_json();
  const auto again = classifier_with(settings);
  EXPECT_EQ(again->to_json(), settings);
  EXPECT_EQ(again->labels(), (Labels{"b", "a, c"}));
  EXPECT_EQ(again->with_vocabularies(9, 9)->labels(), again->labels());
  EXPECT_EQ(again->with_labels({"x", "y"})->labels(), (Labels{"x", "y"}));
  EXPECT_EQ(again->with_labels({"x", "y"})->to_json().at("layers"), 3);
}

TEST(BertClassifierArchitecture, TheLastLayerHasARowForEachLabel) {
  std::map<std::string, std::vector<int64_t>> tensors;
  const auto model = classifier_with({{"layers", 1}, {"d_model", 8}, {"heads", 2}, {"labels", {"a", "b", "c"}}});
  model->with_vocabularies(11, 11)->each_tensor(
      [&](const std::string& name, const std::vector<int64_t>& shape) { tensors[name] = shape; });
  EXPECT_EQ(tensors.at("classifier.weight"), (std::vector<int64_t>{3, 8}));
  EXPECT_EQ(tensors.at("classifier.bias"), (std::vector<int64_t>{3}));
  EXPECT_EQ(tensors.at("bert.embeddings.word_embeddings.weight"), (std::vector<int64_t>{11, 8}));
  EXPECT_FALSE(tensors.contains("cls.predictions.bias"));
}

TEST(BertClassifierArchitecture, ImpossibleSettingsAreRefused) {
  const auto refused = [](const json& labels, const std::string& why) {
    EXPECT_FAILS(classifier_with({{"labels", labels}}), ConfigError, "model.labels: " + why);
  };
  refused({"only"}, "expected at least 2 labels, got 1, 'only'");
  refused({"a", ""}, "a label is empty");
  refused({"a", "b\tc"}, "the label 'b\\tc' has a TAB or a line end");
  refused({"a", "b", "a"}, "the label 'a' is given twice");
  EXPECT_FAILS(classifier_with({{"d_model", 30}, {"heads", 4}}), ConfigError, "model.d_model: must be a multiple of");
  EXPECT_FAILS(classifier_with({{"mask_rate", 0.2}}), ConfigError, "model.mask_rate: unknown setting");
  EXPECT_FAILS(defaults("bert-classifier")->check_tokenizers(false), ConfigError,
               "tokenizer.shared: a bert-classifier model reads one language");
}

TEST(BertClassifierArchitecture, OnlyItAndATransformerTakeTheEncoderOfABert) {
  for (const std::string family : {"bert", "bert-classifier", "rnn", "transformer", "transformer-nat"}) {
    const bool takes = family == "bert-classifier" || family == "transformer";
    for (const char* bert : {"bert", "bert-classifier"}) {
      EXPECT_EQ(defaults(family)->takes_encoder_of(*defaults(bert)), takes) << family;
    }
    EXPECT_FALSE(defaults(family)->takes_encoder_of(*defaults("transformer"))) << family;
  }
}

TEST(BertClassifierArchitecture, OtherFamiliesTakeNoLabels) {
  EXPECT_TRUE(defaults("transformer")->labels().empty());
  EXPECT_THROW(defaults("transformer")->with_labels({"a", "b"}), std::logic_error);
}

}  // namespace
}  // namespace ventris::architecture
