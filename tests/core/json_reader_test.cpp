#include "core/json_reader.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/json_shape.h"
#include "engine/counted_memory.h"
#include "support/errors.h"

namespace ventris::core {
namespace {

enum class Shape { kRound, kFlat };

struct Settings {
  bool flag = false;
  int count = 1;
  int64_t big = 2;
  double rate = 0.5;
  std::string name = "x";
  std::vector<std::string> files;
  Shape shape = Shape::kRound;
};

Settings parse(const std::string& text) {
  const auto json = parse_json(text, "file.json");
  JsonReader root(json, "");
  JsonReader reader = root.section("part");
  Settings settings;
  reader.optional("flag", settings.flag);
  reader.optional("count", settings.count);
  reader.optional("big", settings.big);
  reader.optional("rate", settings.rate);
  reader.optional("name", settings.name);
  reader.optional("files", settings.files);
  reader.choice("shape", settings.shape, {{"round", Shape::kRound}, {"flat", Shape::kFlat}});
  reader.finish();
  root.finish();
  return settings;
}

TEST(JsonReader, MissingKeysKeepTheirDefaults) {
  EXPECT_EQ(parse("{}").count, 1);
  EXPECT_EQ(parse(R"({"part": {}})").name, "x");
}

TEST(JsonReader, ValuesOfEveryTypeAreTaken) {
  const Settings settings = parse(R"({"part": {"flag": true, "count": -3, "big": 9007199254740993, "rate": 2,
                                   "name": "ä", "files": ["a", "b"], "shape": "flat"}} // a comment)");
  EXPECT_TRUE(settings.flag);
  EXPECT_EQ(settings.count, -3);
  EXPECT_EQ(settings.big, 9007199254740993);
  EXPECT_EQ(settings.rate, 2.0);
  EXPECT_EQ(settings.name, "ä");
  EXPECT_EQ(settings.files, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(settings.shape, Shape::kFlat);
}

TEST(JsonReader, UnsignedNumbersAreTakenToTheLastAndNoFurther) {
  const auto read = [](const char* text) {
    const nlohmann::json json = parse_json(text, "file");
    uint64_t seed = 0;
    JsonReader(json, "").optional("seed", seed);
    return seed;
  };
  EXPECT_EQ(read(R"({"seed": 18446744073709551615})"), 18446744073709551615U);
  const std::string message = "seed: expected a whole number from 0 to 18446744073709551615, got ";
  EXPECT_FAILS(read(R"({"seed": -1})"), ConfigError, message + "-1");
  EXPECT_FAILS(read(R"({"seed": 18446744073709551616})"), ConfigError, message);
}

TEST(JsonReader, SaysWhichValuesAreWholeNumbers) {
  const nlohmann::json source = {{"count", -3}, {"share", 0.5}, {"text", "3"}};
  const JsonReader reader(source, "");
  EXPECT_TRUE(reader.has_whole_number("count"));
  for (const char* key : {"share", "text", "missing"}) EXPECT_FALSE(reader.has_whole_number(key)) << key;
}

TEST(JsonReader, UnknownKeysAreRefusedWithASuggestion) {
  EXPECT_FAILS(parse(R"({"part": {"cuont": 2}})"), ConfigError, "part.cuont: unknown setting (did you mean 'count'?)");
  EXPECT_FAILS(parse(R"({"prat": {}})"), ConfigError, "prat: unknown setting (did you mean 'part'?)");
  EXPECT_FAILS(parse(R"({"part": {"zzzzzzzz": 2}})"), ConfigError, "part.zzzzzzzz: unknown setting");
}

TEST(JsonReader, WrongTypesAreRefusedWithWhatWasFound) {
  EXPECT_FAILS(parse(R"({"part": {"flag": 1}})"), ConfigError, "part.flag: expected true or false, got 1");
  EXPECT_FAILS(parse(R"({"part": {"count": 1.5}})"), ConfigError, "part.count: expected a whole number, got 1.5");
  EXPECT_FAILS(parse(R"({"part": {"count": 3000000000}})"), ConfigError,
               "part.count: 3000000000 is out of range; expected a whole number from -2147483648 to 2147483647");
  EXPECT_FAILS(parse(R"({"part": {"big": 18446744073709551615}})"), ConfigError,
               "part.big: 18446744073709551615 is out of range; expected a whole number from -9223372036854775808 to ");
  EXPECT_FAILS(parse(R"({"part": {"rate": "fast"}})"), ConfigError, "part.rate: expected a number, got \"fast\"");
  EXPECT_FAILS(parse(R"({"part": {"name": null}})"), ConfigError, "part.name: expected a text, got null");
  EXPECT_FAILS(parse(R"({"part": {"files": ["a", 2]}})"), ConfigError, "part.files: expected a list of texts");
  EXPECT_FAILS(parse(R"({"part": 3})"), ConfigError, "part: expected an object {...}, got 3");
  EXPECT_FAILS(parse("[]"), ConfigError, "settings: expected an object {...}, got []");
}

TEST(JsonReader, UnknownChoicesAreRefusedWithTheList) {
  EXPECT_FAILS(parse(R"({"part": {"shape": "flta"}})"), ConfigError,
               "part.shape: expected one of round, flat; got 'flta' (did you mean 'flat'?)");
  EXPECT_FAILS(parse(R"({"part": {"shape": 1}})"), ConfigError, "part.shape: expected a text, got 1");
}

TEST(Choices, HaveTheirNamesInOrder) {
  const Choices<Shape> shapes{{"round", Shape::kRound}, {"flat", Shape::kFlat}};
  EXPECT_EQ(names_of(shapes), (std::vector<std::string>{"round", "flat"}));
  EXPECT_EQ(name_of(Shape::kFlat, shapes), "flat");
}

TEST(JsonReader, RequiredKeysMustBeThere) {
  const auto json = parse_json("{}", "f");
  JsonReader reader(json, "model");
  int64_t value = 0;
  EXPECT_FAILS(reader.required("size", value), ConfigError, "model.size: missing (expected a whole number)");
}

TEST(ParseJson, SyntaxErrorsHaveFileLineAndColumn) {
  EXPECT_FAILS(parse_json("{\n  \"a\": 1,\n  \"b\" 2\n}", "c.json"), ConfigError, "c.json:3:7: not valid JSON");
  EXPECT_FAILS(parse_json("", "c.json"), ConfigError, "c.json:1:1: not valid JSON");
  EXPECT_FAILS(parse_json("{\"a\": \"\xFF\"}", "c.json"), ConfigError, "c.json:1:");
  EXPECT_FAILS(parse_json(std::string("{}\0{", 4), "c.json"), ConfigError, "c.json: not valid JSON: byte 3 is 0");
}

TEST(ParseJson, DeepNestingIsRefused) {
  EXPECT_FAILS(parse_json(std::string(100000, '['), "c.json"), ConfigError, "c.json: nested deeper than 64 levels");
}

/// Lists, objects and texts that take as few bytes as possible.
std::string many(const std::string& value, size_t bytes) {
  std::string text = "[";
  while (text.size() < bytes) text += value + ",";
  return text + "0]";
}

TEST(ParseJson, TextOfVeryManyValuesIsRefusedBeforeItNeedsMemory) {
  for (const char* value : {"[]", R"({"":0})"}) {
    const std::string text = many(value, 20 << 20);
    EXPECT_LT(test::peak_during([&] {
                EXPECT_FAILS(parse_json(text, "c.json"), ConfigError,
                             "c.json: expected at most 2000000 keys and values");
              }),
              std::ssize(text))
        << value;
  }
  std::string keys = "{";
  for (int i = 0; i < 1'500'000; ++i) keys += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  EXPECT_FAILS(parse_json(keys + "}", "c.json"), ConfigError,
               "c.json: expected at most 2000000 keys and values in all");
}

TEST(ParseJson, WhatIsWithinTheLimitsNeedsLessThan250MiB) {
  for (const auto& [value, values] : {std::pair{"[]", size_t{1}}, {R"({"":0})", size_t{3}}}) {
    const std::string text = many(value, (std::string(value).size() + 1) * (kMostJsonValues / values - 10));
    EXPECT_LT(test::peak_during([&] { EXPECT_GT(parse_json(text, "c.json").size(), 400'000U); }), 250 << 20) << value;
  }
}

TEST(ParseJson, MessagesDoNotRepeatLongParts) {
  const std::string longer(1'000'000, '1');
  const auto length_of_error = [](const std::string& text) {
    try {
      parse_json(text, "c.json");
      return size_t{0};
    } catch (const ConfigError& error) {
      return std::string(error.what()).size();
    }
  };
  for (const std::string& text : {longer, "{\"" + longer, "{\"" + longer + "\":1,\"" + longer + "\":2}"}) {
    EXPECT_GT(length_of_error(text), 20U);
    EXPECT_LT(length_of_error(text), 500U);
  }
}

TEST(ParseJson, TextThatIsTooLongIsRefused) {
  EXPECT_FAILS(parse_json(std::string(kMostJsonBytes + 1, ' '), "c.json"), ConfigError,
               "c.json: expected at most 67108864 bytes of JSON, found 67108865");
}

TEST(ParseJson, AKeyThatStandsTwiceIsRefused) {
  EXPECT_FAILS(parse_json(R"({"a": {"rate": 1, "x": 2, "rate": 3}})", "c.json"), ConfigError,
               "c.json: 'rate' occurs twice in one object");
  EXPECT_EQ(parse_json(R"({"a": {"rate": 1}, "b": {"rate": 2}})", "c.json").size(), 2U);
}

TEST(ParseJson, ANumberBeyondWhatFitsIsRefused) {
  EXPECT_FAILS(parse_json(R"({"rate": 1e999})", "c.json"), ConfigError, "number overflow parsing '1e999'");
  EXPECT_FAILS(parse_json("-1e999", "c.json"), ConfigError, "c.json: cannot be used: ");
}

TEST(JsonReader, ReadsAListOfObjectsThatAreNamedByTheirPlace) {
  const nlohmann::json json = {{"parts", {{{"count", 1}}, {{"count", 2}, {"x", 0}}}}, {"one", 1}};
  JsonReader reader(json, "all");
  auto parts = reader.sections("parts");
  ASSERT_EQ(parts.size(), 2U);
  int64_t count = 0;
  parts[1].optional("count", count);
  EXPECT_EQ(count, 2);
  EXPECT_TRUE(parts[1].has("x"));
  EXPECT_EQ(parts[0].path(), "all.parts[0]");
  EXPECT_FAILS(parts[1].finish(), ConfigError, "all.parts[1].x: unknown setting");
  EXPECT_TRUE(reader.sections("none").empty());
  EXPECT_FAILS(reader.sections("one"), ConfigError, "all.one: expected a list of objects, got 1");
}

}  // namespace
}  // namespace ventris::core
