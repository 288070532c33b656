#include "encoding/classifier.h"

#include <gtest/gtest.h>

#include <limits>

#include "architecture/bert_classifier_options.h"
#include "core/error.h"
#include "encoding/embedder.h"
#include "encoding/some_bert.h"
#include "support/errors.h"
#include "support/tiny_classifier.h"

namespace ventris::encoding {
namespace {

using torch::Tensor;

/// A bundle of a classifier with random weights as large as those of a trained one.
model::Bundle some_classifier(double first_bias = 0) {
  const model::Package package = test::tiny_classifier_package();
  torch::manual_seed(5);
  const nn::Model module = backend::make_model(*package.config.architecture);
  const torch::NoGradGuard no_grad;
  for (auto& item : module->named_parameters()) item.value().normal_(0, 0.4);
  module->named_parameters()["classifier.bias"][0] += first_bias;
  return {package, model::Safetensors::parse(backend::save_weights(*module), "classifier")};
}

TEST(Classifier, TheProbabilitiesAreThoseOfTheModelMostProbableFirst) {
  const model::Bundle bundle = some_classifier();
  const Classifier classifier(bundle, torch::kCPU);
  EXPECT_EQ(classifier.labels(), (std::vector<std::string>{"food", "people", "weather"}));
  const Input input = classifier.encode("The old man");
  EXPECT_EQ(input.ids.front(), 2);
  EXPECT_EQ(input.ids.back(), 3);
  const Classified found = classifier.classify({&input}).at(0);
  auto model = classifier_of(bundle, torch::kCPU);
  const Tensor ids = torch::tensor(std::vector<int64_t>(input.ids.begin(), input.ids.end())).unsqueeze(0);
  const Tensor expected = model->forward(ids, torch::zeros_like(ids), {}).softmax(-1)[0];  // [labels]
  ASSERT_EQ(found.size(), 3U);
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].probability, expected[static_cast<int64_t>(found[i].label)].item<double>(), 1e-6);
    if (i > 0) {
      EXPECT_LE(found[i].probability, found[i - 1].probability);
    }
  }
}

TEST(Classifier, OtherLinesOfABatchChangeNothing) {
  const Classifier classifier(some_classifier(), torch::kCPU);
  const std::vector<Input> inputs{classifier.encode("bread"), classifier.encode("My sister carries a green book.")};
  const auto together = classifier.classify(test::batch_of(inputs));
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto alone = classifier.classify({&inputs[i]}).at(0);
    for (size_t k = 0; k < alone.size(); ++k) {
      EXPECT_EQ(together[i][k].label, alone[k].label);
      EXPECT_NEAR(together[i][k].probability, alone[k].probability, 1e-5);
    }
  }
}

TEST(Classifier, MaskInATextIsOrdinaryTextAsInTraining) {
  const Classifier classifier(some_classifier(), torch::kCPU);
  const Input input = classifier.encode("a [MASK]");
  const Pieces pieces = pieces_of(input, {});
  EXPECT_EQ(std::vector<int32_t>(input.ids.begin() + 1, input.ids.end() - 1),
            test::tiny_bert_tokenizer().encode("a [MASK]"));
  EXPECT_EQ(pieces.begin, 1U);
}

TEST(Classifier, ALongTextIsCutAsInTraining) {
  const Classifier classifier(some_classifier(), torch::kCPU);
  std::string line;
  for (int i = 0; i < 30; ++i) line += "bread ";
  const Input input = classifier.encode(line);
  EXPECT_TRUE(input.cut);
  EXPECT_EQ(input.ids.size(), 16U);  // max_positions
}

TEST(Classifier, OnlyAClassifierWithUsableWeightsIsTaken) {
  EXPECT_FAILS(Classifier(test::some_bert(), torch::kCPU), ModelError,
               "expected a model of the family 'bert-classifier', found one of the family 'bert'");
  const Classifier broken(some_classifier(std::numeric_limits<double>::infinity()), torch::kCPU);
  const Input input = broken.encode("bread");
  EXPECT_FAILS(broken.classify({&input}), ModelError, "gave a probability that is not finite");
}

TEST(Classifier, ItsEncoderMakesVectors) {
  const Embedder embedder(some_classifier(), torch::kCPU, {.pooling = Pooling::kCls});
  const Input input = embedder.encode("The old man");
  EXPECT_EQ(embedder.embed({&input}).at(0).values.size(), 4U);
}

}  // namespace
}  // namespace ventris::encoding
