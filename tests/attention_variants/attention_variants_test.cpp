#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "attention_variants/trained_variant.h"
#include "support/folder_entries.h"

/// One model that has every unusual setting of docs/attention.md, through all programs.
namespace ventris::test {
namespace {

using testing::HasSubstr;

constexpr const char* kUnusual = R"({
  "model": {"encoder_layers": 3, "decoder_layers": 2, "cross_attention": "weighted", "attention_score": "additive",
            "attention_bias": false, "d_k": 5, "d_v": 7, "embedding_norm": true, "attention_dropout": 0.2},
  "training": {"save_every": "7u", "report_every": "5u"}, "validation": {"every": "20u"}})";

const TrainedVariant& unusual_model() {
  static const TrainedVariant model(kUnusual);
  return model;
}

TEST(AttentionVariants, ARunThatIsKilledAndGoesOnEndsWithTheSameBytes) {
  unusual_model().expect_exact_resume({0.5, 0.8});
}

TEST(AttentionVariants, TheExportTranslatesLikeTheBundle) { unusual_model().expect_same_export(); }

TEST(AttentionVariants, PythonComputesTheSameWithTheExport) {
  if (!has_python_of_torch()) GTEST_SKIP() << kNoPython;
  expect_python_agrees({unusual_model().exported()});
}

TEST(AttentionVariants, BatchesOfAllSizesTranslateTheSame) { unusual_model().expect_same_in_all_batches(); }

TEST(AttentionVariants, AttentionIsShownAndLinksWords) {
  const auto& model = unusual_model();
  const std::string out = model.folder.path("attention");
  run_ok("ventris-plot", {"attention", "-m", model.bundle, "--source", "red tree", "--target", "tree red", "-o", out});
  EXPECT_EQ(entries(out).size(), 7U);  // 3 layers of the encoder, 2 of the decoder, twice
  const Outcome aligned = run_ok("ventris-translate", {"-m", model.bundle, "--alignment", "-b", "2"}, "red tree\n");
  EXPECT_THAT(aligned.out, HasSubstr("-"));
}

TEST(AttentionVariants, TheOtherProgramsTakeSuchAModel) {
  const auto& model = unusual_model();
  run_ok("ventris-score", {"-m", model.bundle, model.valid.source, model.valid.target});
  EXPECT_THAT(run_ok("ventris-inspect", {model.bundle}).out, HasSubstr("additive"));
  run_ok("ventris-average", {"-m", model.bundle, model.folder.path("whole/best"), "-o", model.folder.path("mean")});
  auto doctor = model.arguments("examined", {"--doctor"});
  std::erase(doctor, "--quiet");
  EXPECT_THAT(run_ok("ventris-train", doctor).out, HasSubstr("\nwhole run "));
}

TEST(AttentionVariants, TrainingInBf16Learns) { unusual_model().expect_bf16_learns(); }

TEST(AttentionVariants, AWrongValueIsRefusedWithASentence) {
  const auto refused = [](const std::string& settings, const std::string& part) {
    unusual_model().expect_refused(settings, part);
  };
  refused(R"({"model": {"attention_score": "bilinaer"}})", "model.attention_score: expected one of");
  refused(R"({"model": {"cross_attention": "all"}})", "model.cross_attention: expected one of");
  refused(R"({"model": {"d_k": -1}})", "model.d_k: must be from 0");
  refused(R"({"model": {"heads": 3, "d_v": 0}})", "model.d_model: must be a multiple of heads (3), got 32");
}

}  // namespace
}  // namespace ventris::test
