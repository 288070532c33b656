#include "settings/memory_size.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::settings {
namespace {

TEST(MemorySize, IsANumberWithAUnitOfPowersOf1024) {
  EXPECT_EQ(MemorySize::parse("512", "x").bytes(), 512);
  EXPECT_EQ(MemorySize::parse("3K", "x").bytes(), 3 * 1024);
  EXPECT_EQ(MemorySize::parse("1.5M", "x").bytes(), 3 * 512 * 1024);
  EXPECT_EQ(MemorySize::parse("4G", "x").bytes(), int64_t{4} << 30);
  EXPECT_EQ(MemorySize::parse("2T", "x").bytes(), int64_t{2} << 40);
  EXPECT_EQ(MemorySize::parse("4G", "x").text(), "4G");
}

TEST(MemorySize, ZeroIsNone) {
  EXPECT_TRUE(MemorySize().none());
  EXPECT_EQ(MemorySize().text(), "0");
  EXPECT_TRUE(MemorySize::parse("0", "x").none());
  EXPECT_TRUE(MemorySize::parse("0G", "x").none());
  EXPECT_FALSE(MemorySize::parse("1", "x").none());
}

TEST(MemorySize, AnythingElseIsRefusedWithTheSettingAndTheText) {
  for (const std::string text : {"", "G", "-1G", "4 G", "4GB", "4g", "1..5G", ".", "x", "4G4", "0.5", "0.0001K", "nan",
                                 "inf", "1e3", "99999999999T"}) {
    EXPECT_FAILS(
        MemorySize::parse(text, "training.batch_memory"), ConfigError,
        "training.batch_memory: expected an amount of memory such as 4G, 512M or 1.5T, or 0, got '" + text + "'");
  }
}

}  // namespace
}  // namespace ventris::settings
