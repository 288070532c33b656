#include "serving/form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.h"

namespace ventris::serving {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Form, NamesAndValuesAreDecoded) {
  EXPECT_THAT(parse_form("q=Z%C3%BCrich+is+%2B1&source=en&&empty=&bare"),
              ElementsAre(Pair("q", "Zürich is +1"), Pair("source", "en"), Pair("empty", ""), Pair("bare", "")));
  EXPECT_THAT(parse_form("a=1&a=2&b=x=y"), ElementsAre(Pair("a", "1"), Pair("a", "2"), Pair("b", "x=y")));
  EXPECT_THAT(parse_form(""), ElementsAre());
  EXPECT_EQ(percent_decoded("a+b%20c", false), "a+b c");
}

TEST(Form, APercentSignNeedsTwoDigits) {
  for (const char* text : {"q=%", "q=%4", "q=%zz", "q=%+1", "%g1=2"}) {
    EXPECT_FAILS(parse_form(text), RequestError, "a % is not followed by two hexadecimal digits");
  }
}

TEST(Form, TheNumberOfFieldsIsBounded) {
  std::string text;
  for (size_t i = 0; i < kMostFields; ++i) text += "a&";
  EXPECT_EQ(parse_form(text).size(), kMostFields);
  EXPECT_FAILS(parse_form(text + "a"), RequestError, "more than 5000 fields");
}

}  // namespace
}  // namespace ventris::serving
