#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "attention_variants/trained_variant.h"
#include "support/folder_entries.h"

/// Each kind of self-attention for long inputs (docs/attention.md), through all programs.
namespace ventris::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

const std::map<std::string, std::string> kModels{
    {"window", R"("self_attention": "window", "window": 2, "global_positions": 1)"},
    {"linear", R"("self_attention": "linear", "attention_bias": false, "d_v": 7)"},
    {"low_rank", R"("self_attention": "low_rank", "low_rank_size": 6)"},
    {"segment", R"("self_attention": "segment", "positions": "relative", "segment": 3, "segment_memory": 4)"}};

/// Made once for each kind.
const TrainedVariant& model_of(const std::string& kind) {
  static std::map<std::string, std::unique_ptr<TrainedVariant>> made;
  auto& model = made[kind];
  if (!model) {
    model = std::make_unique<TrainedVariant>(R"({"model": {"encoder_layers": 2, )" + kModels.at(kind) +
                                             R"(}, "training": {"save_every": "7u"}, "validation": {"every": "20u"}})");
  }
  return *model;
}

class LongInputs : public testing::TestWithParam<std::string> {
 protected:
  const TrainedVariant& model = model_of(GetParam());
};

TEST_P(LongInputs, ARunThatIsKilledAndGoesOnEndsWithTheSameBytes) { model.expect_exact_resume({0.6}); }

TEST_P(LongInputs, TheExportTranslatesLikeTheBundle) { model.expect_same_export(); }

TEST(LongInputExports, PythonComputesTheSameWithTheExports) {
  if (!has_python_of_torch()) GTEST_SKIP() << kNoPython;
  std::vector<std::string> exports;
  for (const auto& [kind, settings] : kModels) exports.push_back(model_of(kind).exported());
  expect_python_agrees(exports);  // together, because Python takes seconds to load LibTorch
}

TEST_P(LongInputs, BatchesOfAllSizesTranslateTheSame) { model.expect_same_in_all_batches(); }

TEST_P(LongInputs, AttentionIsShownWhereWeightsBelongToPositions) {
  const std::string out = model.folder.path("attention");
  run_ok("ventris-plot", {"attention", "-m", model.bundle, "--source", "red tree", "--target", "tree red", "-o", out});
  EXPECT_EQ(entries(out).size(),
            GetParam() == "low_rank" ? 2U : 4U);  // 2 layers of the encoder, 1 of the decoder, twice
  const Outcome aligned = run_ok("ventris-translate", {"-m", model.bundle, "--alignment", "-b", "2"}, "red tree\n");
  EXPECT_THAT(aligned.out, ContainsRegex(" \\|\\|\\| [0-9]+-[0-9]+( [0-9]+-[0-9]+)*\n"));
}

TEST_P(LongInputs, TheOtherProgramsTakeSuchAModel) {
  run_ok("ventris-score", {"-m", model.bundle, model.valid.source, model.valid.target});
  EXPECT_THAT(run_ok("ventris-inspect", {model.bundle}).out, HasSubstr(GetParam()));
  run_ok("ventris-average", {"-m", model.bundle, model.folder.path("whole/best"), "-o", model.folder.path("mean")});
  auto doctor = model.arguments("examined", {"--doctor"});
  std::erase(doctor, "--quiet");
  EXPECT_THAT(run_ok("ventris-train", doctor).out, HasSubstr("\nwhole run "));
}

TEST_P(LongInputs, TrainingInBf16Learns) { model.expect_bf16_learns(); }

INSTANTIATE_TEST_SUITE_P(Kinds, LongInputs, testing::Values("window", "linear", "low_rank", "segment"),
                         [](const auto& kind) { return kind.param; });

TEST(LongInputsSettings, AWrongCombinationIsRefusedWithWhatWouldWork) {
  const auto& model = model_of("window");
  model.expect_refused(R"({"model": {"window": 65}})",
                       "model.window: with self_attention 'window', expected from 1 to max_positions (64), got 65");
  model.expect_refused(R"({"model": {"self_attention": "full"}})",
                       "model.window: has an effect only with self_attention 'window', found 'full'; leave it out");
  model.expect_refused(R"({"model": {"positions": "relative"}})",
                       "model.positions: 'relative' works only with self_attention 'segment', found 'window'");
  model.expect_refused(R"({"model": {"self_attention": "widow"}})", "model.self_attention: expected one of");
}

}  // namespace
}  // namespace ventris::test
