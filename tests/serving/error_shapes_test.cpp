#include "serving/error_shapes.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ventris::serving {
namespace {

TEST(ErrorShapes, EachProtocolHasItsOwn) {
  const RequestError error(403, "Invalid \"key\"");
  EXPECT_EQ(libre_error(error).dump(), R"({"error":"Invalid \"key\""})");
  EXPECT_EQ(deepl_error(error).dump(), R"({"message":"Invalid \"key\""})");
  EXPECT_EQ(google_error(error).dump(), R"({"error":{"code":403,"message":"Invalid \"key\""}})");
}

}  // namespace
}  // namespace ventris::serving
