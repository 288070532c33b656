#include "training/used_memory.h"

#include <gtest/gtest.h>

#include <thread>

namespace ventris::training {
namespace {

constexpr int64_t kMegabyte = 1'000'000;

TEST(UsedMemory, CountsTensorsWithWhatIsFreedAgain) {
  UsedMemory memory(torch::kCPU);
  {
    const torch::Tensor first = torch::zeros({2 * kMegabyte}, torch::kUInt8);
    const torch::Tensor second = torch::zeros({3 * kMegabyte}, torch::kUInt8);
  }
  const torch::Tensor third = torch::zeros({4 * kMegabyte}, torch::kUInt8);
  EXPECT_GE(memory.growth(), 5 * kMegabyte);
  EXPECT_LT(memory.growth(), 6 * kMegabyte);
}

TEST(UsedMemory, CountsGrowthFromItsRestart) {
  UsedMemory memory(torch::kCPU);
  const torch::Tensor before = torch::zeros({5 * kMegabyte}, torch::kUInt8);
  memory.restart();
  EXPECT_EQ(memory.growth(), 0);
  const torch::Tensor after = torch::zeros({2 * kMegabyte}, torch::kUInt8);
  EXPECT_GE(memory.growth(), 2 * kMegabyte);
  EXPECT_LT(memory.growth(), 3 * kMegabyte);
}

TEST(UsedMemory, CountsTheTensorsOfAllThreads) {
  UsedMemory memory(torch::kCPU);
  std::thread([] { const torch::Tensor tensor = torch::zeros({3 * kMegabyte}, torch::kUInt8); }).join();
  EXPECT_GE(memory.growth(), 3 * kMegabyte);
}

TEST(UsedMemory, TensorsMayOutliveIt) {
  torch::Tensor tensor;
  {
    const UsedMemory memory(torch::kCPU);
    tensor = torch::ones({1000});
  }
  EXPECT_EQ(tensor.sum().item<float>(), 1000);
  tensor = torch::Tensor();
  UsedMemory again(torch::kCPU);
  EXPECT_EQ(again.growth(), 0);
}

TEST(UsedMemory, KnowsTheMemoryOfTheProcess) {
  const UsedMemory memory(torch::kCPU);
  EXPECT_GT(memory.total(), 20 * kMegabyte);  // LibTorch alone
  EXPECT_GE(memory.total_peak(), memory.total());
}

}  // namespace
}  // namespace ventris::training
