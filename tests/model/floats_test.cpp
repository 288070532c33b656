#include "model/floats.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::model {
namespace {

using namespace std::string_literals;

Safetensors file_of(DType type, const std::vector<int64_t>& shape, const std::string& bytes) {
  return Safetensors::parse(write_safetensors({{"w", type, shape, bytes}}, {}), "file");
}

TEST(Floats, AreReadFromFloatsAndFromTheirUpperHalves) {
  const auto whole = file_of(DType::kF32, {2}, "\0\0\x80\x3f\0\0\0\xc0"s);
  EXPECT_EQ(floats_of(whole, whole.at("w")), (std::vector<float>{1, -2}));
  const auto half = file_of(DType::kBf16, {1, 2}, "\x80\x3f\0\xc0"s);
  EXPECT_EQ(floats_of(half, half.at("w")), (std::vector<float>{1, -2}));
  const auto none = file_of(DType::kF32, {0}, "");
  EXPECT_TRUE(floats_of(none, none.at("w")).empty());
}

TEST(Floats, OtherTypesAreRefusedByName) {
  const auto file = file_of(DType::kI64, {1}, std::string(8, '\1'));
  EXPECT_FAILS(floats_of(file, file.at("w")), ModelError, "file: w: expected an F32 or BF16 tensor, found I64");
}

}  // namespace
}  // namespace ventris::model
