#include "filters/json_lines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::filters {
namespace {

using nlohmann::ordered_json;

TEST(JsonLine, LanguagesAreReadIfTheyAreAskedFor) {
  const std::string line = R"({"text": "a", "source_language": "de", "target_language": "en"})";
  const JsonLine found = JsonLine::parse(line, "in:7", {.languages = true});
  EXPECT_EQ(found.source_language, "de");
  EXPECT_EQ(found.target_language, "en");
  EXPECT_EQ(JsonLine::parse(line, "in:7").source_language, "");
  EXPECT_EQ(JsonLine::parse(R"({"text": "a"})", "in:7", {.languages = true}).target_language, "");
  EXPECT_FAILS(JsonLine::parse(R"({"text": "a", "source_language": 1})", "in:7", {.languages = true}), DataError,
               "in:7: expected a text under \"source_language\", got 1");
}

TEST(JsonLine, WhatIsNotOursPassesThroughAsItWasWritten) {
  const std::string line =
      R"( { "big" : 123456789012345678901234567890, "price": 1.10 ,"text":"a \"b\" {,}", "tags":[1,{"x":"],}"}],)"
      R"("n":null, "\u00e9": "\u00e9" } )";
  const auto parsed = JsonLine::parse(line, "in:1");
  EXPECT_EQ(parsed.text, "a \"b\" {,}");
  EXPECT_FALSE(parsed.has_id);
  EXPECT_EQ(parsed.with({{"id", 4}, {"translation", "x"}}),
            R"({"big" : 123456789012345678901234567890,"price": 1.10,"text":"a \"b\" {,}","tags":[1,{"x":"],}"}],)"
            R"("n":null,"\u00e9": "\u00e9","id":4,"translation":"x"})");
}

TEST(JsonLine, NumbersBeyondEveryRangePassThroughToo) {
  const std::string huge = std::string(400, '9'), tiny = "0." + std::string(400, '0') + "1";
  const std::string members =
      R"("n":1e400,"m":[-1E+999,{"huge":)" + huge + ".5e10}],\"tiny\":" + tiny + R"(,"id":-)" + huge;
  const auto parsed = JsonLine::parse("{" + members + R"(,"text":"a 1e400 \" 123"})", "in:1");
  EXPECT_EQ(parsed.text, "a 1e400 \" 123");
  EXPECT_TRUE(parsed.has_id);
  EXPECT_EQ(parsed.with({{"score", 1}}), "{" + members + R"(,"text":"a 1e400 \" 123","score":1})");
}

TEST(JsonLine, WhatLooksLikeALargeNumberAndIsNoneIsNamed) {
  for (const char* number :
       {"01", "0123", "1e", "1e+", "1.", ".5", "-", "--1", "1e4.0", "1e4e4", "+1", "1 000", "1-1"}) {
    EXPECT_FAILS(JsonLine::parse(std::string(R"({"n":1e400,"text":"a","m":)") + number + "}", "in:7"), DataError,
                 "in:7: not valid JSON at byte ")
        << number;
  }
  EXPECT_FAILS(JsonLine::parse(R"({"n": 123456e789, "text": "a" "b"})", "in:7"), DataError, "at byte 33;");
  EXPECT_FAILS(JsonLine::parse(R"({"n": 1e400, "text": "a", "n": 2})", "in:7"), DataError, "'n' occurs twice");
}

TEST(JsonLine, WhatIsOursTakesThePlaceOfWhatWasThere) {
  const auto parsed = JsonLine::parse(R"({"id":"s1","score":3,"text":"a"})", "in:1");
  EXPECT_TRUE(parsed.has_id);
  EXPECT_EQ(parsed.with({{"score", -1.5}}), R"({"id":"s1","text":"a","score":-1.5})");
  const auto bare = JsonLine::parse(R"({"text":""})", "in:1");
  EXPECT_EQ(bare.with({{"text", "b"}}), R"({"text":"b"})");
}

TEST(JsonLine, HalfASurrogatePairIsReplaced) {
  const auto text = [](const std::string& written) {
    const JsonLine line = JsonLine::parse("{\"text\": \"" + written + "\"}", "here");
    return std::pair(line.text, line.replaced);
  };
  using Read = std::pair<std::string, bool>;
  EXPECT_EQ(text("a\\ud800b"), Read("a\uFFFDb", true));
  EXPECT_EQ(text("\\udc00\\ud83d"), Read("\uFFFD\uFFFD", true));
  EXPECT_EQ(text("\\ud83d\\ud83d\\ude42\\uDE42"), Read("\uFFFD\U0001F642\uFFFD", true));
  EXPECT_EQ(text("\\uD83D\\uDE42 \\u00e9"), Read("\U0001F642 \u00e9", false));
  EXPECT_EQ(text("\\\\ud800"), Read("\\ud800", false));  // a backslash, and letters
  EXPECT_FAILS(JsonLine::parse(R"({"text": "\ud8"})", "here"), DataError, "here: not valid JSON");
}

TEST(JsonLine, LineEndsInATextAreSpaces) {
  EXPECT_EQ(JsonLine::parse(R"({"text":"two\nlines\r"})", "in:1").text, "two lines ");
}

TEST(JsonLine, ATextIsCutAsALineWouldBe) {
  const std::string endless((1 << 20) + 10, 'a');
  const auto parsed = JsonLine::parse("{\"text\":\"" + endless + "\"}", "in:1");
  EXPECT_EQ(parsed.text.size(), 1U << 20);
  EXPECT_TRUE(parsed.cut);
  EXPECT_FALSE(JsonLine::parse(R"({"text":"short"})", "in:1").cut);
}

TEST(JsonLine, WhatIsNoObjectWithATextIsNamed) {
  const auto expect_refused = [](const std::string& line, const char* part) {
    EXPECT_FAILS(JsonLine::parse(line, "in:7"), DataError, std::string("in:7: ") + part);
  };
  expect_refused("", "not valid JSON");
  expect_refused(R"({"text": "a)", "not valid JSON at byte 12; expected one object");
  expect_refused("{\"text\": \"" + std::string(100'000, 'a'), "not valid JSON at byte 100011; expected");
  expect_refused(R"({"text": "a"} // comment)", "not valid JSON");
  const std::string whole = R"({"text": "a"})", zero(1, '\0');  // to the parser, a zero byte is the end
  expect_refused(whole + zero, "not valid JSON at byte 14; expected one object");
  expect_refused(whole + zero + R"(, "b": 1})", "not valid JSON at byte 14; expected one object");
  expect_refused(R"(["text"])", "expected a JSON object");
  expect_refused(R"("text")", "expected a JSON object");
  expect_refused(R"({"id": 1})", "expected the text to translate under \"text\", which is missing");
  expect_refused(R"({"text": 1})", "expected the text to translate under \"text\", which is not a text");
  expect_refused(R"({"text": "a", "text": "b"})", "'text' occurs twice");
  std::string deep = R"({"text": "a", "x": )" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  expect_refused(deep, "nested deeper than 64 levels");
  std::string many = R"({"text": "a", "x": [[])";
  for (int i = 0; i < 100'000; ++i) many += ",[]";
  expect_refused(many + "]}", "expected at most 100000 keys and values in one line");
}

TEST(JsonLine, PhrasesAreReadIfAskedFor) {
  const std::string line = R"({"text": "a", "constraints": ["b c", "d\ne"], "forbidden": ["f"]})";
  const JsonLine found = JsonLine::parse(line, "in:7", {.phrases = true});
  EXPECT_EQ(found.phrases.required, (std::vector<std::string>{"b c", "d e"}));
  EXPECT_EQ(found.phrases.forbidden, (std::vector<std::string>{"f"}));
  EXPECT_TRUE(JsonLine::parse(R"({"text": "a"})", "in:7", {.phrases = true}).phrases.empty());
  EXPECT_TRUE(JsonLine::parse(line, "in:7").phrases.empty());
  EXPECT_TRUE(JsonLine::parse(R"({"text": "a", "constraints": 3})", "in:7").phrases.empty());
}

TEST(JsonLine, PhrasesThatAreNoneAreNamed) {
  const auto expect_refused = [](const std::string& line, const char* part) {
    EXPECT_FAILS(JsonLine::parse(line, "in:7", {.phrases = true}), DataError, std::string("in:7: ") + part);
  };
  expect_refused(R"({"text": "a", "constraints": "b"})", R"(expected a list of texts under "constraints", got "b")");
  expect_refused(R"({"text": "a", "forbidden": {"b": 1}})",
                 R"(expected a list of texts under "forbidden", got {"b":1})");
  expect_refused(R"({"text": "a", "forbidden": ["b", null]})", R"(expected texts in the list "forbidden", got null)");
  expect_refused(R"({"text": "a", "constraints": [" "]})", R"(a text in the list "constraints" is blank)");
  expect_refused(R"({"text": "a", "forbidden": ["b", ")" + std::string(4 << 20, 'c') + R"("]})",
                 R"(the texts in the list "forbidden" have more than 4 MiB)");
}

TEST(Rounded, SixDigitsAndNullForWhatIsNoNumber) {
  EXPECT_EQ(to_line(rounded(-0.123456789)), "-0.123457");
  EXPECT_EQ(to_line(rounded(std::vector<float>{-0.1F, -2})), "[-0.1,-2.0]");
  EXPECT_EQ(to_line(rounded(-std::numeric_limits<double>::infinity())), "null");
  EXPECT_EQ(to_line(rounded(std::nan(""))), "null");
}

}  // namespace
}  // namespace ventris::filters
