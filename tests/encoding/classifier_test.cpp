#include "encoding/classifier.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/error.h"
#include "encoding/table_pools.h"
#include "support/errors.h"

namespace ventris::encoding {
namespace {

TEST(Classifier, LabelsAreSortedMostProbableFirst) {
  const EncoderPool encoders = test::classifier_pool({0.25F, 0.125F, 0.625F});
  const Classifier classifier(encoders);
  EXPECT_EQ(classifier.labels(), (std::vector<std::string>{"food", "people", "weather"}));
  const std::vector<Input> inputs{classifier.encode("The old man"), classifier.encode("bread")};
  for (const Classified& found : classifier.classify(test::batch_of(inputs))) {
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].label, 2U);
    EXPECT_EQ(found[0].probability, 0.625);
    EXPECT_EQ(found[1].label, 0U);
    EXPECT_EQ(found[2].label, 1U);
  }
}

TEST(Classifier, OfEquallyProbableLabelsTheFirstIsFirst) {
  const EncoderPool encoders = test::classifier_pool({0.25F, 0.375F, 0.375F});
  const Classifier classifier(encoders);
  const Input input = classifier.encode("bread");
  const Classified found = classifier.classify({&input}).at(0);
  EXPECT_EQ(found[0].label, 1U);
  EXPECT_EQ(found[1].label, 2U);
}

TEST(Classifier, MaskInATextIsOrdinaryTextAsInTraining) {
  const EncoderPool encoders = test::classifier_pool({});
  const Input input = Classifier(encoders).encode("a [MASK]");
  EXPECT_EQ(std::vector<int32_t>(input.ids.begin() + 1, input.ids.end() - 1),
            test::tiny_bert_tokenizer().encode("a [MASK]"));
  EXPECT_EQ(pieces_of(input, {}).begin, 1U);
}

TEST(Classifier, ALongTextIsCutAsInTraining) {
  const EncoderPool encoders = test::classifier_pool({});
  std::string line;
  for (int i = 0; i < 30; ++i) line += "bread ";
  const Input input = Classifier(encoders).encode(line);
  EXPECT_TRUE(input.cut);
  EXPECT_EQ(input.ids.size(), 16U);  // max_positions
}

TEST(Classifier, OnlyAClassifierWithUsableWeightsIsTaken) {
  const EncoderPool bert = test::bert_pool();
  EXPECT_FAILS(Classifier{bert}, ModelError,
               "bert: expected a model of the family 'bert-classifier', found one of the family 'bert'");
  const EncoderPool broken = test::classifier_pool({0, std::numeric_limits<float>::quiet_NaN(), 1});
  const Classifier classifier(broken);
  const Input input = classifier.encode("bread");
  EXPECT_FAILS(classifier.classify({&input}), ModelError, "gave a probability that is not finite");
}

}  // namespace
}  // namespace ventris::encoding
