#include <gtest/gtest.h>

#include "architecture/bert_classifier_options.h"
#include "backend/families.h"
#include "backend/module_text_encoder.h"
#include "engine/encoder_factory.h"
#include "engine_parity/both_models.h"

namespace ventris::engine {
namespace {

using Ids = std::vector<int32_t>;

/// The encoder of LibTorch and that of the engine, with the same random weights.
struct BothEncoders {
  explicit BothEncoders(architecture::ArchitecturePtr architecture) {
    model::ModelConfig config;
    config.architecture = std::move(architecture);
    torch::manual_seed(7);
    const nn::Model module = backend::make_model(*config.architecture);
    module->eval();
    {
      const torch::NoGradGuard no_grad;
      for (auto& item : module->named_parameters()) {
        item.value().add_(torch::randn_like(item.value()), 0.1);
      }
    }
    expected = backend::make_text_encoders(module, config, torch::kCPU, "module")->make_encoder();
    const auto weights = model::Safetensors::parse(backend::save_weights(*module), "weights");
    found = make_text_encoders(config, weights, Precision::kF32)->make_encoder();
  }
  std::unique_ptr<decoding::TextEncoder> expected, found;
};

std::vector<Ids> random_texts(test::RandomNumbers& random, int64_t vocab) {
  std::vector<Ids> texts;
  for (int i = 0; i < 9; ++i) texts.push_back(test::random_ids(random, random.between(1, 48), vocab));
  return texts;
}

void expect_near(std::span<const float> found, std::span<const float> expected, double most, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size()) << what;
  for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], most) << what << ", place " << i;
}

/// The states of the output and of every layer. `share`: how many times the usual rounding errors they may have.
void expect_same_states(const BothEncoders& both, const std::vector<Ids>& texts, double share = 1) {
  const std::vector<std::span<const int32_t>> views(texts.begin(), texts.end());
  const decoding::TextEncoderInfo info = both.found->info(), expected = both.expected->info();
  EXPECT_EQ(info.width, expected.width);
  ASSERT_EQ(info.first_layer, expected.first_layer);
  ASSERT_EQ(info.last_layer, expected.last_layer);
  EXPECT_EQ(info.has_pooler, expected.has_pooler);
  EXPECT_EQ(info.predicts_tokens, expected.predicts_tokens);
  EXPECT_EQ(info.labels, expected.labels);
  expect_near(both.found->states(views, {}), both.expected->states(views, {}), share * 1e-4, "output");
  for (int64_t layer = info.first_layer; layer <= info.last_layer; ++layer) {
    // Without a norm behind it, a state of a pre-norm layer is larger.
    expect_near(both.found->states(views, layer), both.expected->states(views, layer), share * 5e-4,
                "layer " + std::to_string(layer));
  }
}

class TextEncoderParity : public testing::TestWithParam<uint32_t> {
 protected:
  architecture::BertOptions random_bert() {
    architecture::BertOptions options;
    options.vocab = random.between(8, 60);
    options.layers = random.between(1, 4);
    options.heads = random.between(1, 4);
    options.d_model = options.heads * random.between(8, 12);
    options.d_ff = random.between(1, 70);
    options.max_positions = 48;
    options.norm_epsilon = random.coin() ? 1e-12 : 1e-3;
    return options;
  }
  test::RandomNumbers random{GetParam()};
};

/// Scores of mixtures of keys that contain squares are large, and rounding errors grow with them: LibTorch in single
/// precision differs by 2e-4 from itself in double precision.
double share_of_squares(const nn::TransformerOptions& options) {
  const bool mixes = options.self_attention == nn::SelfAttention::kLowRank;
  return mixes && options.attention_score == nn::AttentionScore::kGaussian ? 4 : 1;
}

TEST_P(TextEncoderParity, ATransformerHasTheStatesOfItsModule) {
  const nn::TransformerOptions options = test::random_options(random);
  SCOPED_TRACE(test::described(options));
  const BothEncoders both(std::make_shared<const architecture::TransformerArchitecture>(options));
  expect_same_states(both, random_texts(random, options.src_vocab),
                     share_of_squares(options) * test::share_of_rounding(options));
}

TEST_P(TextEncoderParity, ABertHasTheStatesThePoolerAndThePredictionsOfItsModule) {
  const architecture::BertOptions options = random_bert();
  const BothEncoders both(std::make_shared<const architecture::BertArchitecture>(options));
  const std::vector<Ids> texts = random_texts(random, options.vocab);
  const std::vector<std::span<const int32_t>> views(texts.begin(), texts.end());
  expect_same_states(both, texts);
  expect_near(both.found->pooled(views), both.expected->pooled(views), 1e-5, "pooler");
  const std::vector<size_t> places{0, texts[0].size() - 1, texts[0].size()};
  expect_near(both.found->token_probabilities(views, places), both.expected->token_probabilities(views, places), 1e-5,
              "probabilities of tokens");
}

TEST_P(TextEncoderParity, AClassifierHasTheProbabilitiesOfItsModule) {
  const architecture::BertOptions options = random_bert();
  const BothEncoders both(std::make_shared<const architecture::BertClassifierArchitecture>(
      options, std::vector<std::string>{"a", "b", "c", "d"}));
  const std::vector<Ids> texts = random_texts(random, options.vocab);
  const std::vector<std::span<const int32_t>> views(texts.begin(), texts.end());
  expect_same_states(both, texts);
  expect_near(both.found->label_probabilities(views), both.expected->label_probabilities(views), 1e-5, "labels");
}

INSTANTIATE_TEST_SUITE_P(Seeds, TextEncoderParity, testing::Range(1U, 25U));

}  // namespace
}  // namespace ventris::engine
