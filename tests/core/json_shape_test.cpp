#include "core/json_shape.h"

#include <gtest/gtest.h>

#include <string>

namespace ventris::core {
namespace {

TEST(JsonShape, CountsLevelsAndStopsAtTheLimit) {
  EXPECT_TRUE(shape_of_json("3", 0).valid);
  EXPECT_TRUE(shape_of_json(R"({"a":[{"b":1}]})", 3).valid);
  EXPECT_FALSE(shape_of_json(R"({"a":[{"b":1}]})", 2).valid);
  EXPECT_TRUE(shape_of_json(R"({"a":[{"b":1}]})", 2).too_deep);
  EXPECT_TRUE(shape_of_json(std::string(10'000'000, '['), 64).too_deep);
}

TEST(JsonShape, FindsKeysThatRepeatWithinOneObjectOnly) {
  EXPECT_FALSE(shape_of_json(R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})", 9).repeated_key);
  EXPECT_EQ(shape_of_json(R"({"a":1,"b":2,"a":3,"b":4})", 9).repeated_key, "a");
  EXPECT_EQ(shape_of_json(R"({"b":[{"a":1,"\u0061":2}]})", 9).repeated_key, "a");
}

TEST(JsonShape, CountsTheOutermostKeys) {
  EXPECT_EQ(shape_of_json(R"({"a":{"x":1,"y":2},"b":[]})", 9).top_members, 2U);
  EXPECT_EQ(shape_of_json("[]", 9).top_members, 0U);
}

TEST(JsonShape, BadTextIsNotValid) {
  for (const char* text : {"", "{", "{}}", "nul", "{\"\xff\":3}", "{'a':1}"}) {
    EXPECT_FALSE(shape_of_json(text, 9).valid) << text;
  }
  EXPECT_TRUE(shape_of_json("{} // a comment", 9).valid);
}

}  // namespace
}  // namespace ventris::core
