#include "model/finite.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "support/errors.h"
#include "support/tiny_bundle.h"

namespace ventris::model {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename Element>
Safetensors file_of(DType type, const std::vector<Element>& elements) {
  const std::string bytes(reinterpret_cast<const char*>(elements.data()), sizeof(Element) * elements.size());
  const auto count = static_cast<int64_t>(bytes.size()) / size_of(type);
  return Safetensors::parse(write_safetensors({{"w", type, {count}, bytes}}, {}), "x.safetensors");
}

TEST(Finite, NanAndInfiniteValuesAreCountedInEachType) {
  const std::vector<uint16_t> bf16{0x3F80, 0x7F7F, 0x7F80, 0xFF80, 0x7FC0}, f16{0x3C00, 0x7BFF, 0x7C00, 0xFC00, 0xFE00};
  const float largest = std::numeric_limits<float>::max();
  for (const auto& file : {file_of<float>(DType::kF32, {1, -largest, kInfinity, -kInfinity, std::nanf("")}),
                           file_of(DType::kBf16, bf16), file_of(DType::kF16, f16)}) {
    const auto found = find_non_finite(file);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].tensor, "w");
    EXPECT_EQ(found[0].values, 5);
    EXPECT_EQ(found[0].nan, 1);
    EXPECT_EQ(found[0].infinite, 2);
  }
}

TEST(Finite, WholeNumbersAndOrdinaryWeightsPass) {
  EXPECT_NO_THROW(check_finite(file_of<int64_t>(DType::kI64, {-1, 0x7FF8000000000000})));
  EXPECT_NO_THROW(check_finite(Safetensors::parse(test::tiny_weights(100), "tiny")));
}

TEST(Finite, TheFirstTensorIsNamedWithItsFile) {
  EXPECT_FAILS(check_finite(file_of<float>(DType::kF32, {1, std::nanf("")})), ModelError,
               "x.safetensors: tensor 'w': 1 of 2 values are NaN and 0 infinite; use a model");
  EXPECT_NE(describe({{"a", 9, 0, 2}, {"b", 9, 1, 0}}, "file")
                .find("file: tensor 'a': 0 of 9 values are NaN and 2 infinite; 1 more tensors also have such values"),
            std::string::npos);
}

}  // namespace
}  // namespace ventris::model
