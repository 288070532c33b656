#include "training/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ventris::training {
namespace {

settings::ScheduleConfig schedule(settings::ScheduleKind kind, double rate, int64_t warmup, int64_t total = 0) {
  settings::ScheduleConfig config;
  config.kind = kind;
  config.learning_rate = rate;
  config.warmup_updates = warmup;
  config.total_updates = total;
  return config;
}

TEST(Schedule, InverseSqrtRisesToThePeakAndFallsWithTheRoot) {
  const auto config = schedule(settings::ScheduleKind::kInverseSqrt, 0.002, 100);
  EXPECT_DOUBLE_EQ(learning_rate(config, 50, 512), 0.001);
  EXPECT_DOUBLE_EQ(learning_rate(config, 100, 512), 0.002);
  EXPECT_DOUBLE_EQ(learning_rate(config, 400, 512), 0.001);
}

TEST(Schedule, NoamIsThePapersEquation3) {
  const auto config = schedule(settings::ScheduleKind::kNoam, 1.0, 4000);
  for (const int64_t update : {1, 100, 4000, 100'000}) {
    const auto n = static_cast<double>(update);
    const double paper = std::pow(512.0, -0.5) * std::min(std::pow(n, -0.5), n * std::pow(4000.0, -1.5));
    EXPECT_DOUBLE_EQ(learning_rate(config, update, 512), paper);
  }
}

TEST(Schedule, LinearEndsAtZero) {
  const auto config = schedule(settings::ScheduleKind::kLinear, 0.01, 10, 110);
  EXPECT_DOUBLE_EQ(learning_rate(config, 5, 512), 0.005);
  EXPECT_DOUBLE_EQ(learning_rate(config, 10, 512), 0.01);
  EXPECT_DOUBLE_EQ(learning_rate(config, 60, 512), 0.005);
  EXPECT_DOUBLE_EQ(learning_rate(config, 110, 512), 0.0);
  EXPECT_DOUBLE_EQ(learning_rate(config, 500, 512), 0.0);
}

TEST(Schedule, ConstantStaysAtThePeakAndZeroWarmupStartsThere) {
  EXPECT_DOUBLE_EQ(learning_rate(schedule(settings::ScheduleKind::kConstant, 0.01, 0), 1, 512), 0.01);
  EXPECT_DOUBLE_EQ(learning_rate(schedule(settings::ScheduleKind::kConstant, 0.01, 4), 2, 512), 0.005);
  EXPECT_DOUBLE_EQ(learning_rate(schedule(settings::ScheduleKind::kConstant, 0.01, 4), 900, 512), 0.01);
}

}  // namespace
}  // namespace ventris::training
