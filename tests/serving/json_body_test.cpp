#include "serving/json_body.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "serving/http_message.h"
#include "support/errors.h"

namespace ventris::serving {
namespace {

TEST(JsonBody, IsAnObject) {
  EXPECT_EQ(parse_json_body(R"({"q": "a"})").at("q"), "a");
  EXPECT_FAILS(parse_json_body("[1]"), RequestError, "expected a JSON object");
  EXPECT_FAILS(parse_json_body(""), RequestError, "not valid JSON at byte 1");
  EXPECT_FAILS(parse_json_body("{\"q\": \"\xff\"}"), RequestError, "not valid JSON at byte");
  EXPECT_FAILS(parse_json_body(R"({"q": "\ud800"})"), RequestError, "not valid JSON at byte");
  EXPECT_FAILS(parse_json_body(R"({"q": "a"})" + std::string("\0}", 2)), RequestError, "not valid JSON at byte 11");
  EXPECT_FAILS(parse_json_body(R"({"q": 1, "q": 2})"), RequestError, "'q' occurs twice");
}

TEST(JsonBody, DeepNestingIsRefusedBeforeItIsParsed) {
  const std::string deep(1'000'000, '[');
  EXPECT_FAILS(parse_json_body(deep), RequestError, "JSON is nested deeper than 16 levels");
  EXPECT_FAILS(parse_json_body("{\"q\": " + deep), RequestError, "nested deeper");
}

TEST(JsonBody, TheNumberOfValuesIsBounded) {
  std::string many = "{\"q\": [";
  for (size_t i = 0; i < kMostBodyValues; ++i) many += "0,";
  EXPECT_FAILS(parse_json_body(many + "0]}"), RequestError, "more than 20000 keys and values");
}

TEST(JsonBody, ANumberThatIsTooLargeIsRefusedWithoutRepeatingIt) {
  const std::string digits(500'000, '9');
  try {
    parse_json_body("{\"q\": " + digits + "}");
    FAIL();
  } catch (const RequestError& error) {
    EXPECT_EQ(error.status, 400);
    EXPECT_STREQ(error.what(), "Invalid request: JSON has a number that is too large");
  }
}

TEST(JsonBody, WhatIsWrittenIsAlwaysUtf8) { EXPECT_EQ(to_body({{"error", "\xff"}}), "{\"error\":\"\xEF\xBF\xBD\"}"); }

}  // namespace
}  // namespace ventris::serving
