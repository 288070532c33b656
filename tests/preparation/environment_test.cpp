#include "preparation/environment.h"

#include <gtest/gtest.h>

namespace ventris::preparation {
namespace {

TEST(Environment, ADifferenceThatTheWeightsDependOnIsAWarning) {
  const auto warning = [](const std::string& before, const std::string& now) {
    run::Checkpoint checkpoint;
    checkpoint.environment = before;
    testing::internal::CaptureStderr();
    check_environment(checkpoint, now);
    return testing::internal::GetCapturedStderr();
  };
  const std::string three = R"({"corpus": "c", "threads": 3, "device": "cpu"})";
  EXPECT_NE(warning(three, R"({"corpus": "c", "threads": 4, "device": "cpu"})").find("another environment"),
            std::string::npos);
  EXPECT_EQ(warning(three, three), "");
  const std::string on_gpu = R"({"corpus": "c", "threads": 3, "device": "cuda"})";
  EXPECT_EQ(warning(on_gpu, R"({"corpus": "c", "threads": 4, "device": "cuda"})"), "") << "threads only read there";
}

}  // namespace
}  // namespace ventris::preparation
