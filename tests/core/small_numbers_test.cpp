#include "core/small_numbers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ventris::core {
namespace {

TEST(SmallNumbers, KeepEveryOtherCharacterInItsPlace) {
  EXPECT_EQ(with_small_numbers(R"({"a": 1e400, "b1234": "1e400 \"9999"})"), R"({"a": 1e40 , "b1234": "1e400 \"9999"})");
  EXPECT_EQ(with_small_numbers("[-1234.5678E-999]"), "[-12.56E-99     ]");
  EXPECT_EQ(with_small_numbers(""), "");
}

TEST(SmallNumbers, LetTheParserReadNumbersOfAnySize) {
  const std::string huge = R"([1e400, 123456789012345678901234567890, -0.5e-9999])";
  EXPECT_FALSE(nlohmann::json::accept(huge));
  EXPECT_TRUE(nlohmann::json::accept(with_small_numbers(huge)));
  for (const char* text : {"[01]", "[1.]", "[--1]", "[1e]", "[.5]"}) {
    EXPECT_FALSE(nlohmann::json::accept(with_small_numbers(text))) << text;
  }
}

}  // namespace
}  // namespace ventris::core
