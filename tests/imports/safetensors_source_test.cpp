#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "imports/tensor_source.h"
#include "model/safetensors.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

const std::string kSafetensorsFile = VENTRIS_SOURCE "/tests/imports/data/marian_shared/model.safetensors";

TEST(SafetensorsSource, HasTheTensorsOfTheFile) {
  const auto tensors = open_safetensors(kSafetensorsFile);
  EXPECT_EQ(tensors->shape("model.decoder.layers.0.encoder_attn.q_proj.weight"), (std::vector<int64_t>{16, 16}));
  EXPECT_EQ(tensors->floats("model.decoder.layers.0.encoder_attn.q_proj.weight").size(), 256U);
  EXPECT_FAILS(tensors->shape("nothing"), ModelError, "has no tensor 'nothing'");
}

TEST(SafetensorsSource, OtherTypesThanFloatsAreNamed) {
  const test::TempFolder folder;
  const std::string bytes("\x80\x3f\x00\xc0\x07\x00\x00\x00", 8);  // 1 and -2 in BF16, and 7
  const std::string_view all(bytes);
  const auto tensors = open_safetensors(folder.file(
      "m.safetensors",
      model::write_safetensors(
          {{"b", model::DType::kBf16, {2}, all.substr(0, 4)}, {"i", model::DType::kI32, {1}, all.substr(4)}}, {})));
  EXPECT_EQ(tensors->names(), (std::vector<std::string>{"b", "i"}));
  EXPECT_THAT(tensors->floats("b"), testing::ElementsAre(1, -2));
  EXPECT_FAILS(tensors->floats("i"), ModelError, "tensor 'i': expected F32, F16 or BF16, found I32");
  EXPECT_TRUE(tensors->contains("i"));
}

}  // namespace
}  // namespace ventris::imports
