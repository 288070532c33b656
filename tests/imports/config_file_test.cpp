#include "imports/config_file.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::imports {
namespace {

class ConfigFileTest : public testing::Test {
 protected:
  ConfigFile config(const std::string& json) const { return ConfigFile(folder.file("config.json", json)); }
  test::TempFolder folder;
};

TEST_F(ConfigFileTest, ValuesAreReadAndMissingOnesAreReplaced) {
  const ConfigFile found = config(R"({"a": 3, "b": 0.5, "c": true, "d": "x", "e": null})");
  EXPECT_EQ(found.integer("a", 0), 3);
  EXPECT_EQ(found.number("b", 0), 0.5);
  EXPECT_TRUE(found.flag("c", false));
  EXPECT_EQ(found.text("d", ""), "x");
  EXPECT_EQ(found.integer("e", 7), 7) << "null is as if the key were missing";
  EXPECT_EQ(found.text("f", "y"), "y");
  EXPECT_FALSE(found.contains("e"));
  EXPECT_EQ(found.required("a"), 3);
}

TEST_F(ConfigFileTest, WrongTypesAndValuesAreNamedWithWhatWasFound) {
  const ConfigFile found =
      config(R"({"a": -1, "b": 1.5, "c": "yes", "d": 1, "big": 1e30, "huge": 9223372036854775807})");
  EXPECT_FAILS(found.integer("a", 0), ModelError, "config.json: a: expected a whole number of at least 0, found -1");
  EXPECT_FAILS(found.integer("b", 0), ModelError, "b: expected a whole number of at least 0, found 1.5");
  EXPECT_FAILS(found.integer("big", 0), ModelError, "big: expected a whole number");
  EXPECT_FAILS(found.integer("huge", 0), ModelError, "huge: expected a whole number");
  EXPECT_FAILS(found.flag("c", true), ModelError, "c: expected true or false, found \"yes\"");
  EXPECT_FAILS(found.text("d", ""), ModelError, "d: expected a text, found 1");
  EXPECT_FAILS(found.number("c", 0), ModelError, "c: expected a number, found \"yes\"");
  EXPECT_FAILS(found.required("z"), ModelError, "config.json: z: is missing");
}

TEST_F(ConfigFileTest, AFlagOfAnotherModelIsRefusedWithTheReason) {
  const ConfigFile found = config(R"({"a": true})");
  EXPECT_NO_THROW(found.expect_flag("a", true, "reason"));
  EXPECT_NO_THROW(found.expect_flag("b", true, "reason"));
  EXPECT_FAILS(found.expect_flag("a", false, "the reason"), ModelError, "a: expected false, found true; the reason");
}

TEST_F(ConfigFileTest, WhatIsNoJsonObjectIsRefused) {
  EXPECT_FAILS(config("[1]"), ModelError, "expected a JSON object");
  EXPECT_FAILS(config("{"), ModelError, "config.json");
  EXPECT_FAILS(ConfigFile(folder.path("none.json")), ModelError, "none.json: does not exist");
}

}  // namespace
}  // namespace ventris::imports
