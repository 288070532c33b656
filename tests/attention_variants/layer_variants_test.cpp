#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "attention_variants/trained_variant.h"

/// Models whose layers have other parts than those of the paper, through the programs that compute them.
namespace ventris::test {
namespace {

constexpr const char* kRotary = R"({
  "model": {"norm_kind": "rms", "gated_feed_forward": true, "activation": "silu", "positions": "rotary",
            "attention_dropout": 0.2},
  "training": {"save_every": "7u"}, "validation": {"every": "20u"}})";
/// As in T5.
constexpr const char* kRelativeBias = R"({
  "model": {"norm_kind": "rms", "gated_feed_forward": true, "activation": "gelu_tanh", "positions": "relative_bias",
            "relative_buckets": 8, "relative_max_distance": 6},
  "training": {"save_every": "7u"}, "validation": {"every": "20u"}})";

constexpr const char* kExperts = R"({
  "model": {"experts": 4, "experts_per_token": 2},
  "training": {"save_every": "7u"}, "validation": {"every": "20u"}})";

/// The model of this kind, which is trained once.
const TrainedVariant& trained(const std::string& kind) {
  static const std::map<std::string, const char*> settings{
      {"rotary", kRotary}, {"relative_bias", kRelativeBias}, {"experts", kExperts}};
  static std::map<std::string, TrainedVariant> models;
  return models.try_emplace(kind, settings.at(kind)).first->second;
}

class LayerVariant : public testing::TestWithParam<std::string> {
 protected:
  const TrainedVariant& model = trained(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Kinds, LayerVariant, testing::Values("rotary", "relative_bias", "experts"),
                         [](const auto& kind) { return kind.param; });

TEST_P(LayerVariant, ARunThatIsKilledAndGoesOnEndsWithTheSameBytes) { model.expect_exact_resume({0.6}); }

TEST_P(LayerVariant, TheExportTranslatesLikeTheBundle) { model.expect_same_export(); }

TEST(LayerVariantExports, PythonComputesTheSame) {
  if (!has_python_of_torch()) GTEST_SKIP() << kNoPython;
  expect_python_agrees(
      {trained("rotary").exported(), trained("relative_bias").exported(), trained("experts").exported()});
}

TEST_P(LayerVariant, TheEngineTranslatesLikeLibTorchAlsoWhenItIsPacked) {
  const std::string input = file_bytes(model.valid.source), packed = model.folder.path("model.packed");
  const auto translated = [&](const std::vector<std::string>& flags) {
    std::vector<std::string> all{"-b", "3"};
    all.insert(all.end(), flags.begin(), flags.end());
    return run_ok("ventris-translate", all, input).out;
  };
  const std::string expected = translated({"-m", model.bundle, "--backend", "engine"});
  EXPECT_EQ(translated({"-m", model.bundle, "--backend", "torch"}), expected);
  run_ok("ventris-export", {"-m", model.bundle, "-o", packed, "--format", "packed", "--precision", "f32"});
  EXPECT_EQ(translated({"-m", packed}), expected);
}

TEST_P(LayerVariant, BatchesOfAllSizesTranslateTheSame) { model.expect_same_in_all_batches(); }

TEST_P(LayerVariant, TrainingInBf16Learns) { model.expect_bf16_learns(); }

TEST_P(LayerVariant, TheEngineScoresLikeLibTorch) {
  const auto scores = [&](const char* backend) {
    const Outcome outcome =
        run_ok("ventris-score", {"-m", model.bundle, "--backend", backend, model.valid.source, model.valid.target});
    std::istringstream lines(outcome.out);
    std::vector<double> found;
    for (double score = 0; lines >> score;) found.push_back(score);
    return found;
  };
  const std::vector<double> engine = scores("engine"), torch = scores("torch");
  ASSERT_GT(engine.size(), 0U);
  ASSERT_EQ(engine.size(), torch.size());
  for (size_t i = 0; i < engine.size(); ++i) EXPECT_NEAR(engine[i], torch[i], 1e-3) << "line " << i;
}

}  // namespace
}  // namespace ventris::test
