#include "formats/json_messages.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "formats/format_reading.h"
#include "support/errors.h"
#include "support/written_format.h"

namespace ventris::formats {
namespace {

using markup::Markup;
using markup::MarkupError;
using nlohmann::ordered_json;
using Texts = std::vector<std::string>;

std::string capitals(const std::string& text) {
  std::string changed = text;
  for (char& c : changed) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return changed;
}
std::string json(const std::string& document, const std::string& keys = "") {
  return test::written_format(document, Markup::kJson, capitals, {.keys = keys});
}

TEST(JsonMessages, OnlyValuesThatAreStringsAreTexts) {
  const std::string file =
      "\xEF\xBB\xBF{\r\n\t\"key\" : \"a \\u00fc\", \"n\": [1.50, -0, true, null, \"b\"],\"o\":{\"\":\"\"}\r\n}";
  EXPECT_EQ(test::format_texts(file, Markup::kJson), (Texts{"a \u00FC", "b"}));
  EXPECT_EQ(test::written_format(file, Markup::kJson), file);
  EXPECT_EQ(json("{\"key\":\"value\", \"n\":1e3}"), "{\"key\":\"VALUE\", \"n\":1e3}");
  EXPECT_EQ(json("{\"key\":\"value\", \"n\":1e400}"), "{\"key\":\"VALUE\", \"n\":1e400}");
  EXPECT_EQ(json("\"one\""), "\"ONE\"");
  EXPECT_EQ(json(""), "");
  EXPECT_EQ(json(" \n"), " \n");
}

TEST(JsonMessages, SignsOfJsonInTextsAreEscaped) {
  const auto becomes = [](const std::string& text) {
    return test::written_format("[\"a\"]", Markup::kJson, [&](const std::string&) { return text; });
  };
  EXPECT_EQ(becomes("\"\\\t/\x01\u00FC"), "[\"\\\"\\\\\\t/\\u0001\u00FC\"]");
  EXPECT_EQ(test::written_format("[\"\\u00fc\"]", Markup::kJson, [](const std::string&) { return "\u00E4\U0001F600"; }),
            "[\"\\u00e4\\ud83d\\ude00\"]")
      << "a file in ASCII stays one";
  EXPECT_EQ(
      test::written_format("\xEF\xBB\xBF[\"\\u00fc\"]", Markup::kJson, [](const std::string&) { return "\u00E4"; }),
      "\xEF\xBB\xBF[\"\\u00e4\"]")
      << "also with a byte-order mark";
}

TEST(JsonMessages, LinesOfAStringAreTextsOfTheirOwn) {
  EXPECT_EQ(test::format_texts("[\"a\\n\\n b\"]", Markup::kJson), (Texts{"a", "b"}));
  EXPECT_EQ(json("[\"a\\n\\n b\"]"), "[\"A\\n\\n B\"]");
}

TEST(JsonMessages, TheKeysOfWhatIsTranslatedCanBeChosen) {
  const std::string file = R"({"id":"a","title":"b","home":{"text":"c","id":"d","title":["e",{"x":"f"}]},"text":"g"})";
  EXPECT_EQ(json(file, "title,home.text"),
            R"({"id":"a","title":"B","home":{"text":"C","id":"d","title":["E",{"x":"F"}]},"text":"g"})");
}

TEST(JsonMessages, AuthorsOfAFileOfMediaWikiStay) {
  EXPECT_EQ(json(R"({"@metadata":{"authors":["jane"]},"a":"one"})"), R"({"@metadata":{"authors":["jane"]},"a":"ONE"})");
}

TEST(JsonMessages, WhatDescribesMessagesOfFlutterStays) {
  const std::string file =
      R"({"@@locale":"en","hi":"one {n}","@hi":{"description":"words","placeholders":{"n":{"type":"num"}}},"@a":{"x":"y"}})";
  EXPECT_EQ(test::format_texts(file, Markup::kJson), Texts{"one {n}"});
  EXPECT_EQ(json(R"({"hi":"one","@hi":{"type":"text"},"@b":{"c":"two"},"@d":"e"})"),
            R"({"hi":"ONE","@hi":{"type":"text"},"@b":{"c":"TWO"},"@d":"E"})")
      << "without its language, only what has a message is known";
}

TEST(JsonMessages, TheLanguageOfAFileOfFlutterCanBecomeThatOfTheTranslation) {
  const auto becomes = [](const std::string& file) {
    const auto parsed = read_document(file, Markup::kJson, {.language = "de-AT"});
    return parsed.writer->write(std::vector<std::string>(parsed.blocks.size(), "x"));
  };
  EXPECT_EQ(becomes(R"({"a":"one","@@locale":"en","b":"two"})"), R"({"a":"x","@@locale":"de_AT","b":"x"})");
  EXPECT_EQ(becomes(R"({"a":{"@@locale":"en"}})"), R"({"a":{"@@locale":"x"}})") << "that of no file";
}

TEST(JsonMessages, TypesAndAddressesOfJsonLdStay) {
  const std::string file = R"({"@context":{"n":"https://a.org/n"},"@graph":[{"@type":"Book","@id":"b","n":"one"}]})";
  EXPECT_EQ(test::format_texts(file, Markup::kJson), Texts{"one"});
}

TEST(JsonMessages, WhatIsNoJsonIsNamedWithItsLine) {
  const auto refused = [](const std::string& text, const std::string& message) {
    EXPECT_FAILS(json(text), MarkupError, message);
  };
  refused("{\n\"a\": \"b\"\n\"c\": 1}", "line 3: is no JSON: unexpected string literal; expected '}'");
  refused("{\n\"a\": \"b", "line 2: the file ends before the JSON is complete");
  refused("{\"a\": \"\\ud800\"}", "line 1: is no JSON: invalid string");
  refused("[\"a\n\"]", "line 1: is no JSON: invalid string");
  refused("[1] x", "line 1: is no JSON");
  refused(R"({"sourceLanguage":"en","strings":{"Hi":{"localizations":{"en":{"stringUnit":{"value":"Hi"}}}}}})",
          "is a catalogue of strings of Xcode, in which translations stand beside their texts; export it to XLIFF");
  refused("\n// comment\n[]", "line 2: is no JSON: ");
  refused(std::string(1001, '['), "line 1: objects and lists are nested deeper than 1000 levels");
}

/// A value that is drawn, as text with white space and escapes of all kinds.
std::string drawn(std::mt19937& draw, int depth) {
  static const Texts kSpaces{"", " ", "\n", "\t", "\r\n"};
  static const Texts kParts{"abc ", "\\n", "\\\"", "\\\\", "\u00FC",        "\\u00e9",
                            "{x}",  "\\/", " ",    "\\t",  "\\ud83d\\ude00"};
  const auto one_of = [&](const Texts& texts) { return texts[draw() % texts.size()]; };
  const auto text = [&] {
    std::string all = "\"";
    for (size_t left = draw() % 5; left > 0; --left) all += one_of(kParts);
    return all + "\"";
  };
  const size_t kind = depth == 0 ? draw() % 2 : draw() % 4;
  if (kind == 0) return one_of({"1", "-0.50e+3", "true", "null", "1234567890123456789012"});
  if (kind == 1) return text();
  std::string all = kind == 2 ? "[" : "{";
  for (size_t left = draw() % 4; left > 0; --left) {
    all +=
        one_of(kSpaces) + (kind == 3 ? text() + one_of(kSpaces) + ":" : "") + drawn(draw, depth - 1) + one_of(kSpaces);
    if (left > 1) all += ",";
  }
  return all + (kind == 2 ? "]" : "}");
}

/// The value with its strings in capitals.
ordered_json in_capitals(const ordered_json& value) {
  if (value.is_string()) return capitals(value.get<std::string>());
  if (!value.is_structured()) return value;
  ordered_json changed = value;
  for (auto& part : changed) part = in_capitals(part);
  return changed;
}

TEST(JsonMessages, DrawnFilesHaveTheSameStructureAndEveryOtherByte) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    std::mt19937 draw(seed);
    const std::string file = drawn(draw, 4);
    EXPECT_EQ(test::written_format(file, Markup::kJson), file);
    const std::string written = json(file);
    EXPECT_EQ(ordered_json::parse(written), in_capitals(ordered_json::parse(file))) << file;
  }
}

TEST(JsonMessages, ValuesThatProgramsReadStay) {
  const std::string file = R"({"color": "#ff0000", "date": "MM/DD/YYYY", "logo": "/images/logo.png"})";
  EXPECT_EQ(json(file), file);
}

}  // namespace
}  // namespace ventris::formats
