#include "exports/pytorch_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/error.h"
#include "engine/random_model.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::exports {
namespace {

using architecture::TransformerOptions;

constexpr const char* kTorch = "torch.nn.Transformer";
constexpr const char* kSeparate = "attention-is-all-you-need-pytorch";

/// Exports a bundle of a tiny model with other settings.
class StateDictFor : public testing::Test {
 protected:
  std::vector<NamedTensor> exported(const std::string& code, const std::function<void(TransformerOptions&)>& change) {
    model::Package package = test::tiny_package();
    TransformerOptions& shape = test::shape_of(package.config);
    change(shape);
    model::write_bundle(folder_.path("bundle"), package, test::random_model(shape, 1).weights);
    return state_dict_for(code, model::read_bundle(folder_.path("bundle")));
  }
  static void torch_settings(TransformerOptions& shape) {
    shape.norm = architecture::NormPlace::kPost;
    shape.final_norm = true;
  }
  static void separate_settings(TransformerOptions& shape) {
    shape.norm = architecture::NormPlace::kPost;
    shape.norm_epsilon = 1e-6;
    shape.embedding_norm = true;
    shape.attention_bias = false;
    shape.scale_embeddings = false;
    shape.tying = architecture::Tying::kNone;
  }

  test::TempFolder folder_;
};

TEST_F(StateDictFor, ProjectionsOfTorchAreOneTensor) {
  const auto tensors = exported(kTorch, torch_settings);
  const auto found =
      std::ranges::find(tensors, "transformer.encoder.layers.0.self_attn.in_proj_weight", &NamedTensor::name);
  ASSERT_NE(found, tensors.end());
  EXPECT_EQ(found->shape.front(), 3 * found->shape.back());
  EXPECT_EQ(found->values->size(), static_cast<size_t>(found->shape[0] * found->shape[1]));
}

TEST_F(StateDictFor, SettingsThatACodeDoesNotHaveAreNamed) {
  EXPECT_FAILS(exported(kTorch, [](TransformerOptions&) {}), ModelError,
               "model.final_norm: torch.nn.Transformer has only true, found false; train a model with this setting");
  EXPECT_FAILS(exported(kTorch,
                        [](TransformerOptions& shape) {
                          torch_settings(shape);
                          shape.norm_epsilon = 1e-6;
                        }),
               ModelError, "model.norm_epsilon: torch.nn.Transformer has only 1e-05, found 1e-06");
  EXPECT_FAILS(exported(kTorch,
                        [](TransformerOptions& shape) {
                          torch_settings(shape);
                          shape.positions = architecture::Positions::kRotary;
                        }),
               ModelError, "model.positions: torch.nn.Transformer has only \"sinusoidal\", found \"rotary\"");
  EXPECT_FAILS(exported(kSeparate,
                        [](TransformerOptions& shape) {
                          separate_settings(shape);
                          shape.tying = architecture::Tying::kDecoder;
                        }),
               ModelError, "model.tying: attention-is-all-you-need-pytorch divides the scores of tied tables");
}

TEST_F(StateDictFor, ABiasThatACodeDoesNotHaveMustBeZero) {
  EXPECT_FAILS(exported(kSeparate, separate_settings), ModelError,
               "tensor 'generator.proj.bias': attention-is-all-you-need-pytorch has no such part, so it must be 0");
}

TEST_F(StateDictFor, TheCodesAreListed) {
  EXPECT_EQ(pytorch_codes(), (std::vector<std::string>{"annotated", kTorch, kSeparate}));
}

}  // namespace
}  // namespace ventris::exports
