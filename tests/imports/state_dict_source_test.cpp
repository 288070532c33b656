#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "imports/saved_checkpoint.h"
#include "imports/tensor_source.h"
#include "support/errors.h"
#include "support/raw_zip.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

const std::string kStateDict = VENTRIS_SOURCE "/tests/imports/data/marian_separate/pytorch_model.bin";
const std::string kSafetensors = VENTRIS_SOURCE "/tests/imports/data/marian_shared/model.safetensors";

TEST(StateDict, HasTheTensorsInTheOrderOfTheFileWithTheirShapes) {
  const auto tensors = open_state_dict(kStateDict);
  EXPECT_GT(tensors->names().size(), 40U);
  EXPECT_TRUE(tensors->contains("final_logits_bias"));
  EXPECT_FALSE(tensors->contains("model.shared.weight"));
  EXPECT_EQ(tensors->shape("model.encoder.layers.0.fc1.weight"), (std::vector<int64_t>{24, 16}));
}

TEST(StateDict, HalfPrecisionBecomesFloats) {
  const auto tensors = open_state_dict(kStateDict);
  const auto weight = tensors->floats("model.encoder.layers.0.self_attn_layer_norm.weight");
  ASSERT_EQ(weight.size(), 16U);
  for (const float value : weight) EXPECT_NEAR(value, 1, 0.5);
}

TEST(StateDict, AMissingTensorAndAnotherShapeAreNamed) {
  const auto tensors = open_state_dict(kStateDict);
  EXPECT_FAILS(tensors->floats("nothing"), ModelError, "pytorch_model.bin: has no tensor 'nothing'");
  EXPECT_FAILS(floats_of_shape(*tensors, "final_logits_bias", {3}), ModelError,
               "tensor 'final_logits_bias': expected shape [3], found [1, ");
}

/// A pickle of {"w": a tensor of [2^40, 1] floats}.
std::string pickle_of_a_large_tensor() {
  using namespace std::string_literals;
  const auto text = [](const std::string& value) {
    return "X" + std::string(1, static_cast<char>(value.size())) + "\0\0\0"s + value;
  };
  const std::string size = "\x8a\x06\0\0\0\0\0\1"s, one = "K\1";
  return "\x80\x02}" + text("w") + "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") +
         "ctorch\nFloatStorage\n" + text("0") + text("cpu") + "K\2tQK\0"s + size + one + "\x86" + one + one + "\x86" +
         "\x89" + "ccollections\nOrderedDict\n)RtRs.";
}

TEST(StateDict, ATensorThatIsLargerThanTheFileHasNoShape) {
  const test::TempFolder folder;
  test::RawZip zip;
  zip.put("a/data.pkl", pickle_of_a_large_tensor());
  zip.put("a/data/0", std::string(8, '\0'));
  const auto tensors = open_state_dict(folder.file("large.pt", zip.finish()));
  ASSERT_TRUE(tensors->contains("w"));
  EXPECT_FAILS(tensors->shape("w"), ModelError, "large.pt: damaged: tensor 'w' is not in its storage");
}

TEST(StateDict, OtherFilesAreRefusedByName) {
  const test::TempFolder folder;
  EXPECT_FAILS(open_state_dict(folder.file("text.bin", "some text")), ModelError, "text.bin: damaged");
  const std::string old("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);
  EXPECT_FAILS(open_state_dict(folder.file("old.bin", old)), ModelError,
               "old.bin: is in the format that torch.save wrote before PyTorch 1.6");
  EXPECT_FAILS(open_state_dict(folder.path("none.bin")), ModelError, "none.bin");
}

TEST(SavedCheckpoint, HasTheTensorsAndValuesUnderItsKeys) {
  const std::string path = VENTRIS_SOURCE "/tests/imports/data/opennmt_words/model.pt";
  const Checkpoint found = open_checkpoint(path, {{"generator"}, {"vocab", "nothing"}});
  EXPECT_EQ(found.tensors->names(), (std::vector<std::string>{"generator.weight", "generator.bias"}));
  EXPECT_EQ(found.tensors->floats("generator.bias").size(), found.values.at("vocab").at("tgt").size());
  EXPECT_FALSE(found.values.contains("nothing"));
  EXPECT_EQ(checkpoint_keys(path), (std::vector<std::string>{"model", "generator", "vocab", "opt", "optim"}));
}

TEST(SavedCheckpoint, OtherFilesHaveNoKeysAndAreRefused) {
  const test::TempFolder folder;
  const std::string text = folder.file("text.pt", "some text");
  for (const std::string& path : {text, folder.path("none"), folder.path(), kSafetensors}) {
    EXPECT_TRUE(checkpoint_keys(path).empty()) << path;
    EXPECT_FAILS(open_checkpoint(path, {}), ModelError, path);
  }
  const std::string old("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);
  EXPECT_FAILS(open_checkpoint(folder.file("old.pt", old), {}), ModelError, "before PyTorch 1.6");
}

}  // namespace
}  // namespace ventris::imports
