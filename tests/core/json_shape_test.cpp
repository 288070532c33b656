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
  EXPECT_TRUE(shape_of_json(std::string(10'000'000, '['), 64).too_deep);  // NOLINT(bugprone-string-constructor)
}

TEST(JsonShape, FindsKeysThatRepeatWithinOneObjectOnly) {
  EXPECT_FALSE(shape_of_json(R"({"a":{"a":1},"b":[{"a":1},{"a":2}]})", 9).repeated_key);
  EXPECT_EQ(shape_of_json(R"({"a":1,"b":2,"a":3,"b":4})", 9).repeated_key, "a");
  EXPECT_EQ(shape_of_json(R"({"b":[{"a":1,"\u0061":2}]})", 9).repeated_key, "a");
}

TEST(JsonShape, AZeroByteIsNoJson) {
  const JsonShape shape = shape_of_json(std::string_view("{}\0 {}", 6), 9);
  EXPECT_FALSE(shape.valid);
  EXPECT_EQ(shape.zero_byte, 2U);
  EXPECT_FALSE(shape_of_json("{}", 9).zero_byte);
}

TEST(JsonShape, CountsTheOutermostKeys) {
  EXPECT_EQ(shape_of_json(R"({"a":{"x":1,"y":2},"b":[]})", 9).top_members, 2U);
  EXPECT_EQ(shape_of_json("[]", 9).top_members, 0U);
}

TEST(JsonShape, CountsKeysAndValuesAndStopsAtTheLimit) {
  EXPECT_TRUE(shape_of_json(R"({"a":[1,"b",null,true,1.5,-2]})", 9, 9).valid);
  const JsonShape found = shape_of_json(R"({"a":[1,"b",null,true,1.5,-2]})", 9, 8);
  EXPECT_FALSE(found.valid);
  EXPECT_TRUE(found.too_many);
  EXPECT_FALSE(found.too_deep);
  EXPECT_FALSE(shape_of_json("[1,", 9, 9).too_many);
}

TEST(JsonShape, ModestJsonIsValidAndWithinTheLimits) {
  EXPECT_TRUE(is_modest_json(R"({"a":[1]})"));
  EXPECT_FALSE(is_modest_json(R"({"a":[1]})", 3));
  EXPECT_FALSE(is_modest_json("{"));
  EXPECT_FALSE(is_modest_json("\"" + std::string(kMostJsonBytes, 'x') + "\""));
  EXPECT_FALSE(is_modest_json(std::string(kMostJsonLevels + 1, '[') + std::string(kMostJsonLevels + 1, ']')));
}

TEST(JsonShape, BadTextIsNotValid) {
  for (const char* text : {"", "{", "{}}", "nul", "{\"\xff\":3}", "{'a':1}"}) {
    EXPECT_FALSE(shape_of_json(text, 9).valid) << text;
  }
  EXPECT_TRUE(shape_of_json("{} // a comment", 9).valid);
}

}  // namespace
}  // namespace ventris::core
