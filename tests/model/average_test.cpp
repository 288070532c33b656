#include "model/average.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_bundle.h"

namespace ventris::model {
namespace {

Safetensors file_of(const std::vector<float>& values, const std::string& where, const std::string& name = "w",
                    DType type = DType::kF32) {
  std::string bytes(reinterpret_cast<const char*>(values.data()), 4 * values.size());
  const auto size = static_cast<int64_t>(type == DType::kF32 ? values.size() : 2 * values.size());
  return Safetensors::parse(write_safetensors({{name, type, {size}, bytes}}, {{"alias:tied", name}}), where);
}

std::vector<float> values_of(const std::string& file) {
  const auto parsed = Safetensors::parse(file, "average");
  const auto bytes = parsed.at("tied").bytes;
  std::vector<float> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(Average, IsTheMeanOfEachElementAndKeepsTies) {
  const auto a = file_of({1, 2, 1e8F}, "a"), b = file_of({2, 4, 1}, "b"), c = file_of({6, 0, -1e8F}, "c");
  EXPECT_EQ(values_of(average_weights({a, b, c})), (std::vector<float>{3, 2, 1.0F / 3}));
}

TEST(Average, TakesBfloat16Too) {
  const uint16_t halves[2] = {0x3f80, 0x4040};  // 1, 3
  const std::string bytes(reinterpret_cast<const char*>(halves), 4);
  const auto half =
      Safetensors::parse(write_safetensors({{"w", DType::kBf16, {2}, bytes}}, {{"alias:tied", "w"}}), "half");
  EXPECT_EQ(values_of(average_weights({half, file_of({2, 5}, "whole")})), (std::vector<float>{1.5, 4}));
}

TEST(Average, OfModelsThatDifferIsRefused) {
  const auto a = file_of({1, 2}, "a");
  EXPECT_FAILS(average_weights({a, file_of({1, 2, 3}, "b")}), ModelError, "b: w: its shape differs from that in a");
  EXPECT_FAILS(average_weights({a, file_of({1, 2}, "b", "v")}), ModelError, "a: has no tensor 'v', but b has one");
  const std::string two(8, '\0');
  const auto untied = write_safetensors({{"w", DType::kF32, {2}, two}, {"tied", DType::kF32, {2}, two}}, {});
  EXPECT_FAILS(average_weights({a, Safetensors::parse(untied, "b")}), ModelError,
               "b: tied: it is tied to another tensor than in a");
  const auto integers = write_safetensors({{"w", DType::kI64, {2}, two + two}}, {{"alias:tied", "w"}});
  EXPECT_FAILS(average_weights({a, Safetensors::parse(integers, "b")}), ModelError,
               "b: w: expected an F32 or BF16 tensor");
  Package first = test::tiny_package(), other = first;
  first.path = "first";
  other.path = "other";
  EXPECT_NO_THROW(check_same_kind(first, other));
  test::shape_of(other.config).dropout = 0.5;
  test::shape_of(other.config).attention_dropout = 0.0;
  EXPECT_NO_THROW(check_same_kind(first, other));  // a fine-tuned one may have had another
  other.source_spm += "x";
  EXPECT_FAILS(check_same_kind(first, other), ModelError, "other: its tokenizer differs from that of first");
  test::shape_of(other.config).d_ff = 99;
  EXPECT_FAILS(check_same_kind(first, other), ModelError,
               "other: d_ff is 99, but 8 in first; expected models of the same shape");
}

TEST(Average, ReplacesABundleButNoCheckpoint) {
  const test::TempFolder folder;
  test::write_tiny_bundle(folder.path("bundle"));
  EXPECT_NO_THROW(prepare_bundle_target(folder.path("bundle")));
  EXPECT_NO_THROW(prepare_bundle_target(folder.path("new")));
  folder.file("bundle/state.json", "{}");
  EXPECT_FAILS(prepare_bundle_target(folder.path("bundle")), ConfigError, "bundle: is a checkpoint of a run");
}

TEST(Average, OfWeightsThatAreNoNumbersIsRefusedByTensor) {
  EXPECT_FAILS(average_weights({file_of({1, 2}, "a"), file_of({1, std::nanf("")}, "b")}), ModelError,
               "b: tensor 'w': 1 of 2 values are NaN and 0 infinite");
}

TEST(Average, OfBundlesWhosePathIsNoUtf8IsMadeToo) {
  const test::TempFolder folder;
  const std::string path = folder.path("m\xE9");
  test::write_tiny_bundle(path);
  EXPECT_NE(average_bundles({path, path}).package.config.provenance.find("m\uFFFD"), std::string::npos);
}

TEST(Average, OfBundlesIsTheirWeightsMeanAndSaysOfWhich) {
  const test::TempFolder folder;
  const std::vector<std::string> paths{folder.path("a"), folder.path("b")};
  for (const std::string& path : paths) test::write_tiny_bundle(path);
  const Average average = average_bundles(paths);
  EXPECT_EQ(average.weights, average_weights({read_bundle(paths[0]).weights, read_bundle(paths[1]).weights}));
  EXPECT_NE(average.package.config.provenance.find(paths[1]), std::string::npos);
  EXPECT_EQ(average.package.source_spm, read_bundle(paths[0]).package.source_spm);
  EXPECT_FAILS(average_bundles({paths[0], folder.path("none")}), ModelError, "none: not a folder");
}

}  // namespace
}  // namespace ventris::model
