#include "imports/yaml_file.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/random_numbers.h"

namespace ventris::imports {
namespace {

using nlohmann::json;

json yaml(const std::string& text) { return parse_yaml(text, "config.yaml"); }

TEST(Yaml, PlainValuesAreReadAsPyYamlReadsThem) {
  const json found = yaml(
      "a: 1\nb: -2\nc: 1.5\nd: text\ne: 'true'\nf: True\ng: no\nh: ~\ni:\nj: 0.0002\nk: \"2\"\nl: a b # not this\nm: "
      "+3\n");
  const json expected = {{"a", 1},    {"b", -2},    {"c", 1.5},    {"d", "text"}, {"e", "true"},
                         {"f", true}, {"g", false}, {"h", json()}, {"i", json()}, {"j", 0.0002},
                         {"k", "2"},  {"l", "a b"}, {"m", 3}};
  EXPECT_EQ(found, expected);
}

TEST(Yaml, ListsAndObjectsMayBeInEitherStyle) {
  const json expected = {{"a", {1, 2}}, {"b", {{"c", {{"d", "e"}}}}}};
  EXPECT_EQ(yaml("a: [1, 2]\nb: {c: {d: e}}\n"), expected);
  EXPECT_EQ(yaml("a:\n- 1\n- 2\nb:\n  c:\n    d: e\n"), expected);
}

TEST(Yaml, AliasesStandForValuesAndMergedKeysForThoseThatAreMissing) {
  const json expected = {{"a", {{"x", 1}, {"y", 2}}}, {"b", {{"x", 1}, {"y", 3}}}, {"c", {{"x", 1}, {"y", 2}}}};
  EXPECT_EQ(yaml("a: &one {x: 1, y: 2}\nb:\n  <<: *one\n  y: 3\nc: *one\n"), expected);
  EXPECT_EQ(yaml("a: {<<: [{x: 1}, {x: 2, y: 2}]}\n").at("a"), json({{"x", 1}, {"y", 2}}));
}

TEST(Yaml, WhatIsNoYamlIsToldWithTheLine) {
  EXPECT_FAILS(yaml("a: 1\nb: [1, 2\nc: 3\n"), ModelError, "config.yaml:3: expected YAML");
  EXPECT_FAILS(yaml("a: 1\na: 2\n"), ModelError, "config.yaml:2: the key 'a' is there twice");
  EXPECT_FAILS(yaml("[a]: 1\n"), ModelError, "config.yaml:1: expected a text as a key");
  EXPECT_FAILS(yaml("a: \xff\n"), ModelError, "config.yaml: expected YAML in UTF-8");
  EXPECT_FAILS(yaml("a: *b\n"), ModelError, "config.yaml:1: expected YAML");
  EXPECT_TRUE(yaml("").is_null());
  EXPECT_EQ(yaml("a: !!python/object:os.system {b: 1}\n"), json({{"a", {{"b", 1}}}})) << "tags have no effect";
}

TEST(Yaml, DeepLongAndGrowingFilesAreRefused) {
  EXPECT_FAILS(yaml(std::string(100'000, '[')), ModelError, "is nested deeper than 50 levels");
  EXPECT_FAILS(yaml(std::string((1 << 20) + 1, 'a')), ModelError, "expected settings of at most 1048576 bytes");
  EXPECT_FAILS(yaml("a: &a [*a]\n"), ModelError, "config.yaml:1: ");
  std::string growing = "a0: &a0 [x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1), name = "a" + std::to_string(i);
    growing += name + ": &" + name + " [" + last;
    for (int j = 0; j < 7; ++j) growing += ", " + last;
    growing += "]\n";
  }
  EXPECT_FAILS(yaml(growing), ModelError, "has too many values");
}

TEST(Yaml, AnyTextIsReadOrRefused) {
  const std::string parts[] = {"a",  ": ", "\n", "  ", "- ", "[",      "]", "{",   "}",  ",", "&x ",  "*x",       "'",
                               "\"", "|",  ">",  "#",  "? ", "!!int ", "%", "---", "\t", "1", "<<: ", "\xc3\xa4", "\\"};
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    test::RandomNumbers random(seed);
    std::string text;
    for (int64_t i = random.between(0, 30); i > 0; --i) text += parts[random.between(0, std::ssize(parts) - 1)];
    try {
      static_cast<void>(yaml(text));
    } catch (const ModelError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("config.yaml")) << text;
    }
  }
}

}  // namespace
}  // namespace ventris::imports
