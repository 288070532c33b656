#include "layers/tensor_reader.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::layers {
namespace {

using arithmetic::Precision;
using Floats = std::vector<float>;

model::Safetensors file_of(const std::string& name, model::DType dtype, const std::vector<int64_t>& shape,
                           const std::string& bytes) {
  return model::Safetensors::parse(model::write_safetensors({{name, dtype, shape, bytes}}, {}), "bundle/weights");
}

std::string bytes_of(const Floats& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

TEST(TensorReader, ReadsBothTypesOfFloats) {
  const auto exact = file_of("w", model::DType::kF32, {2}, bytes_of({1.5, -2}));
  EXPECT_EQ(TensorReader(exact, Precision::kF32).read("w", {2}), (Floats{1.5, -2}));
  const auto halves = file_of("w", model::DType::kBf16, {2}, std::string("\xc0\x3f\x00\xc0", 4));
  EXPECT_EQ(TensorReader(halves, Precision::kF32).read("w", {2}), (Floats{1.5, -2}));
}

TEST(TensorReader, ATableIsPackedRowByRow) {
  const auto file = file_of("w", model::DType::kF32, {2, 3}, bytes_of({1, 2, 3, 4, 5, 6}));
  const arithmetic::Matrix table = TensorReader(file, Precision::kF32).table("w", 2, 3);
  Floats row(3);
  table.row(1, 1, row.data());
  EXPECT_EQ(row, (Floats{4, 5, 6}));
}

TEST(TensorReader, SaysWhatIsWrongWithATensor) {
  const auto file = file_of("w", model::DType::kF32, {2}, bytes_of({1, 2}));
  const TensorReader reader(file, Precision::kF32);
  EXPECT_FAILS(reader.read("v", {2}), ModelError, "bundle/weights");
  EXPECT_FAILS(reader.read("w", {1, 2}), ModelError, "bundle/weights: w: expected shape [1, 2], found [2]");
  const auto integers = file_of("w", model::DType::kI32, {2}, bytes_of({1, 2}));
  EXPECT_FAILS(TensorReader(integers, Precision::kF32).read("w", {2}), ModelError,
               "bundle/weights: w: expected an F32 or BF16 tensor, found I32");
}

}  // namespace
}  // namespace ventris::layers
