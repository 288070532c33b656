#include "imports/config_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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

TEST(ConfigFile, SectionsNameTheirKeysAfterThem) {
  const ConfigFile config(nlohmann::json{{"a", {{"b", {{"c", 3}, {"d", {"x", "y"}}}}}}, {"e", {1, 2}}}, "file");
  const ConfigFile inner = config.section("a").section("b");
  EXPECT_EQ(inner.integer("c", 0), 3);
  EXPECT_EQ(inner.texts("d"), (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(inner.texts("none").empty());
  EXPECT_FAILS(inner.text("c", ""), ModelError, "file: a.b.c: expected a text, found 3");
  EXPECT_FAILS(inner.required("f"), ModelError, "file: a.b.f: is missing");
  EXPECT_FAILS(inner.refuse("f", "a g"), ModelError, "file: a.b.f: expected a g, found none");
  EXPECT_FAILS(config.section("e"), ModelError, "file: e: expected settings with names, found [1,2]");
  EXPECT_FAILS(config.texts("e"), ModelError, "file: e: expected a list of texts, found [1,2]");
  EXPECT_FALSE(config.has_section("e"));
  EXPECT_FALSE(config.section_or_empty("e").contains("c"));
  EXPECT_FALSE(config.section("none").contains("c"));
  EXPECT_EQ(config.first_number("e", 5), 1);
  EXPECT_EQ(config.first_number("a", 5), 5);
  EXPECT_FAILS(ConfigFile(nlohmann::json(3), "file"), ModelError, "file: expected settings with names, found number");
}

}  // namespace
}  // namespace ventris::imports
