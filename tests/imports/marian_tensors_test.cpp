#include "imports/marian_tensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

using testing::ElementsAre;
using Type = MarianTensors::Stored::Type;

const std::string kBytesOfMarian("\x02\xfe\x04\x00\x01\x7f", 6);

TEST(MarianTensors, EightBitsAreDividedByTheirMultiplier) {
  MarianTensors tensors("m.bin");
  tensors.add("a", {{2, 3}, Type::kInt8, kBytesOfMarian, 4});
  tensors.add("t", {{2, 3}, Type::kInt8, kBytesOfMarian, 4, true});
  EXPECT_THAT(tensors.floats("a"), ElementsAre(0.5, -0.5, 1, 0, 0.25, 31.75));
  EXPECT_THAT(tensors.floats("t"), ElementsAre(0.5, 1, 0.25, -0.5, 0, 31.75)) << "stored as [3, 2]";
  EXPECT_THAT(tensors.shape("t"), ElementsAre(2, 3));
}

TEST(MarianTensors, HalfPrecisionBecomesFloats) {
  MarianTensors tensors("m.npz");
  const std::string halves("\x00\x3c\x00\x38", 4);  // 1 and 0.5
  tensors.add("a", {{2}, Type::kFloat16, halves});
  EXPECT_THAT(tensors.floats("a"), ElementsAre(1, 0.5));
}

TEST(MarianTensors, NamesAreWithoutScalesOfActivations) {
  MarianTensors tensors("m.bin");
  tensors.add("b_W", {{0}, Type::kFloat32, ""});
  tensors.add("b_W_QuantMultA", {{0}, Type::kFloat32, ""});
  tensors.add("a", {{0}, Type::kFloat32, ""});
  EXPECT_THAT(tensors.names(), ElementsAre("a", "b_W"));
  EXPECT_TRUE(tensors.contains("b_W_QuantMultA"));
  EXPECT_FAILS(tensors.add("a", {{0}, Type::kFloat32, ""}), ModelError,
               "m.bin: damaged: the tensor 'a' is there twice");
  EXPECT_FAILS(tensors.shape("c"), ModelError, "m.bin: has no tensor 'c'");
}

TEST(MarianTensors, TypesAreThoseOfMatrices) {
  MarianTensors tensors("m.bin");
  EXPECT_EQ(tensors.types(), "");
  tensors.add("bias", {{1, 4}, Type::kFloat32, ""});
  tensors.add("vector", {{4}, Type::kFloat32, ""});
  tensors.add("W8", {{2, 2}, Type::kInt8, ""});
  EXPECT_EQ(tensors.types(), "int8") << "a row is no matrix";
  tensors.add("W16", {{2, 2}, Type::kFloat16, ""});
  EXPECT_EQ(tensors.types(), "f16 and int8");
}

TEST(MarianTensors, SettingsEndAtTheFirstZero) {
  MarianTensors tensors("m.bin");
  EXPECT_EQ(tensors.settings(), "");
  tensors.set_settings({"a: 1\0b", 6});
  EXPECT_EQ(tensors.settings(), "a: 1");
}

}  // namespace
}  // namespace ventris::imports
