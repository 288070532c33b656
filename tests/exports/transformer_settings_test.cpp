#include "exports/transformer_settings.h"

#include <gtest/gtest.h>

#include "architecture/bert_classifier_options.h"
#include "architecture/bert_options.h"
#include "architecture/rnn_options.h"
#include "core/error.h"
#include "support/errors.h"
#include "support/other_architecture.h"
#include "support/tiny_bundle.h"

namespace ventris::exports {
namespace {

using architecture::TransformerOptions;

const OtherProgram kProgram{"Some program", {{"activation", {"gelu"}}, {"positions", {"learned"}}}};

class TransformerSettings : public testing::Test {
 protected:
  TransformerSettings() { package.path = "model"; }
  TransformerOptions& options() { return test::shape_of(package.config); }
  const TransformerOptions& checked() { return transformer_for(kProgram, package); }

  model::Package package = test::tiny_package();
};

TEST_F(TransformerSettings, AValueThatTheProgramDoesNotHaveIsRefusedByName) {
  EXPECT_EQ(checked().d_model, 4);
  options().activation = architecture::Activation::kGelu;
  options().d_ff = 99;
  options().tying = architecture::Tying::kNone;
  EXPECT_NO_THROW(checked()) << "the program has this, and sizes may have any value";
  options().activation = architecture::Activation::kSilu;
  EXPECT_FAILS(checked(), ModelError, R"(model.activation: Some program has only "relu" or "gelu", found "silu")");
  options().activation = architecture::Activation::kRelu;
  options().norm = architecture::NormPlace::kPost;
  EXPECT_FAILS(
      checked(), ModelError,
      "model/config.json: model.norm: Some program has only \"pre\", found \"post\"; use --format torchscript, "
      "or train a model without this setting");
  options().norm = architecture::NormPlace::kPre;
  options().cross_attention = architecture::CrossAttention::kMean;
  EXPECT_FAILS(checked(), ModelError, "model.cross_attention: Some program has only \"last\", found \"mean\"");
}

TEST_F(TransformerSettings, SettingsThatAreUsuallyEmptyMayBeGiven) {
  options().activation_dropout = options().attention_dropout = 0.0;
  EXPECT_NO_THROW(checked()) << "imported models have them";
}

TEST_F(TransformerSettings, HeadsMayBeGivenTheirUsualWidth) {
  options().d_k = options().d_v = 2;
  EXPECT_NO_THROW(checked());
  options().d_v = 3;
  EXPECT_FAILS(checked(), ModelError, "model.d_v: Some program has only d_model / heads, found 3");
  options().d_k = 1;
  EXPECT_FAILS(checked(), ModelError, "model.d_k: Some program has only d_model / heads, found 1");
}

TEST_F(TransformerSettings, SidesThatDifferNeedAProgramThatHasThem) {
  options().decoder_heads = options().heads;
  EXPECT_NO_THROW(checked()) << "they do not differ";
  options().decoder_heads = 1;
  EXPECT_FAILS(checked(), ModelError,
               "model.decoder_heads: Some program has only one number for both sides, here 2, found 1");
  EXPECT_NO_THROW(transformer_for({"Another", {}, {"decoder_heads"}}, package));
  options().decoder_heads = 0;
  options().decoder_d_ff = options().d_ff + 1;
  EXPECT_FAILS(checked(), ModelError, "model.decoder_d_ff: Some program has only one number for both sides, here ");
  EXPECT_NO_THROW(transformer_for({"Another", {}, {"decoder_d_ff"}}, package));
}

TEST_F(TransformerSettings, OtherFamiliesAreRefusedWithWhatCanBeDone) {
  const auto refused = [&](architecture::ArchitecturePtr architecture, const std::string& text) {
    package.config.architecture = std::move(architecture);
    EXPECT_FAILS(checked(), ModelError,
                 "model/config.json: architecture: Some program has only 'transformer', found '" + text);
  };
  refused(std::make_shared<architecture::RnnArchitecture>(), "rnn'; use --format torchscript");
  refused(std::make_shared<test::OtherArchitecture>(), "other'; use --format torchscript");
  refused(std::make_shared<architecture::BertArchitecture>(), "bert'; use --format huggingface");
  refused(std::make_shared<architecture::BertClassifierArchitecture>(), "bert-classifier'; use ventris-classify");
}

}  // namespace
}  // namespace ventris::exports
