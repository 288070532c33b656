#include "gpu/gpu_program.h"

#include <gtest/gtest.h>

#include <set>

#include "gpu/gpu_source.h"

namespace ventris::gpu {
namespace {

TEST(GpuProgram, TheSourceDefinesEveryKernelOfTheListOnce) {
  const std::string source = kSource;
  const auto names = kernel_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names) {
    const std::string definition = "__global__ void " + name.substr(0, name.find('<')) + "(";
    const size_t place = source.find(definition);
    ASSERT_NE(place, std::string::npos) << name;
    EXPECT_EQ(source.find(definition, place + 1), std::string::npos) << name;
  }
}

TEST(GpuProgram, TensorsOfTheCpuAndOfOtherTypesHaveNoKernels) {
  EXPECT_FALSE(has_kernels(torch::zeros({2})));
  EXPECT_FALSE(has_kernels(torch::zeros({2}, torch::kLong)));
  float nothing = 0;
  EXPECT_THROW(launch(torch::kCPU, "drop<float, float, 4>", Grid{}, nothing), c10::Error);
  if (!torch::cuda::is_available()) GTEST_SKIP() << "the rest needs a GPU";
  EXPECT_TRUE(has_kernels(torch::zeros({2}, torch::kCUDA)));
  EXPECT_FALSE(has_kernels(torch::zeros({2}, torch::dtype(torch::kLong).device(torch::kCUDA))));
  float value = 0;
  EXPECT_THROW(launch(torch::Device(torch::kCUDA, 0), "no_such_kernel", Grid{}, value), c10::Error);
}

TEST(GpuProgram, TypesHaveTheNamesOfTheSource) {
  EXPECT_STREQ(type_name(torch::zeros({1})), "float");
  EXPECT_STREQ(type_name(torch::zeros({1}, torch::kBFloat16)), "unsigned short");
}

}  // namespace
}  // namespace ventris::gpu
