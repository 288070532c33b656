#include "serving/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.h"

namespace ventris::serving {
namespace {

using testing::ElementsAre;

Arguments of_body(const std::string& body, const std::string& type = "application/json", const Fields& query = {}) {
  HttpRequest request;
  request.body = body;
  request.content_type = type;
  request.query = query;
  return Arguments(request);
}

constexpr const char* kForm = "application/x-www-form-urlencoded";

TEST(Arguments, MeanTheSameInEveryForm) {
  for (const Arguments& arguments :
       {of_body(R"({"q": "a b", "alternatives": 3, "on": true})"), of_body("q=a+b&alternatives=3&on=true", kForm),
        of_body("", "", {{"q", "a b"}, {"alternatives", "3"}, {"on", "1"}}),
        of_body(" {\"q\": \"a b\", \"alternatives\": \"3\", \"on\": true}", "text/plain")}) {
    bool several = true;
    EXPECT_THAT(arguments.required_texts("q", several), ElementsAre("a b"));
    EXPECT_FALSE(several);
    EXPECT_EQ(arguments.number("alternatives", 0), 3);
    EXPECT_TRUE(arguments.flag("on", false));
  }
}

TEST(Arguments, AListIsGivenAsArrayOrByRepeating) {
  for (const Arguments& arguments : {of_body(R"({"q": ["a", "b"]})"), of_body("q=a&q=b", kForm)}) {
    bool several = false;
    EXPECT_THAT(arguments.required_texts("q", several), ElementsAre("a", "b"));
    EXPECT_TRUE(several);
  }
}

TEST(Arguments, TheBodyComesBeforeTheQueryString) {
  const Arguments arguments = of_body(R"({"q": "body"})", "application/json", {{"q", "query"}, {"source", "en"}});
  EXPECT_EQ(arguments.text("q"), "body");
  EXPECT_EQ(arguments.text("source"), "en");
}

TEST(Arguments, MistakesAreNamed) {
  bool several = false;
  EXPECT_FAILS(of_body("{}").required_texts("q", several), RequestError, "Invalid request: missing q parameter");
  EXPECT_FAILS(of_body("{\"q\": null}").required_texts("q", several), RequestError, "missing q parameter");
  EXPECT_FAILS(of_body("{\"q\": 1}").required_texts("q", several), RequestError,
               "q parameter must be a text or a list");
  EXPECT_FAILS(of_body("{\"q\": [1]}").required_texts("q", several), RequestError, "must be a text or a list");
  EXPECT_FAILS(of_body("{\"q\": 1}").text("q"), RequestError, "q parameter must be a text");
  EXPECT_FAILS(of_body("{}").required_text("source"), RequestError, "missing source parameter");
  EXPECT_FAILS(of_body("{\"n\": 1.5}").number("n", 0), RequestError, "n parameter is not a number");
  EXPECT_FAILS(of_body("{\"n\": 18446744073709551615}").number("n", 0), RequestError, "n parameter is not a number");
  EXPECT_FAILS(of_body("n=x", kForm).number("n", 0), RequestError, "n parameter is not a number");
  EXPECT_FAILS(of_body("{\"on\": 2}").flag("on", true), RequestError, "on parameter must be true or false");
  EXPECT_FAILS(of_body("{\"sorce\": \"en\"}").expect_only({"source"}), RequestError,
               "unknown parameter 'sorce' (did you mean 'source'?)");
}

TEST(Arguments, AWholeNumberMayBeWrittenWithAPoint) {
  EXPECT_EQ(of_body("{\"n\": 3.0}").number("n", 0), 3);
  EXPECT_EQ(of_body("{\"n\": -2e1}").number("n", 0), -20);
  for (const char* wrong : {"1.5", "1e300", "\"3.0\"", "true"}) {
    EXPECT_FAILS(of_body(std::string("{\"n\": ") + wrong + "}").number("n", 0), RequestError, "is not a number");
  }
}

TEST(Arguments, BytesThatAreNotUtf8AreRefused) {
  EXPECT_FAILS(of_body("q=%FF", kForm), RequestError, "a parameter is not valid UTF-8: q");
  EXPECT_FAILS(of_body("%FF=q", kForm), RequestError, "a parameter is not valid UTF-8");
}

TEST(Arguments, OtherTypesOfBodiesAreRefused) {
  EXPECT_FAILS(of_body("<q/>", "text/xml"), RequestError, "send application/json");
  EXPECT_FALSE(of_body("", "text/xml").has("q"));
}

TEST(Arguments, CharactersAreCodePoints) {
  EXPECT_EQ(characters_of(""), 0);
  EXPECT_EQ(characters_of("Zürich 🦈"), 8);
}

}  // namespace
}  // namespace ventris::serving
