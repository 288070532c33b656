#include "formats/technical_values.h"

#include <gtest/gtest.h>

namespace ventris::formats {
namespace {

TEST(TechnicalValues, AreThoseThatProgramsRead) {
  for (const char* value :
       {"#fff", "#ff0000", "#FF0000AA", "en-US", "de_AT", "/images/logo.png", "./a", "../a/b.js", "image/png",
        "application/vnd.ms-excel", "MM/DD/YYYY", "h:mm a", "yyyy-MM-dd HH:mm:ss", "dd.MM.yy"}) {
    EXPECT_TRUE(is_technical_value(value)) << value;
  }
}

TEST(TechnicalValues, AreNoWordsOrTexts) {
  for (const char* text :
       {"",         "#",     "#abc1g", "#new",         "no-one",      "A",         "and/or", "image",
        "image/",   "/",     "./",     "/ or",         "Mm",          "Add",       "Dad",    "dd",
        "a. m.",    "ha-ha", "/month", "/user/month",  "audio/video", "text/link", "#bad",   "#facade",
        "mmm, mmm", "zz",    "My day", "text/ or not", "Yes/No",      "M - D"}) {
    EXPECT_FALSE(is_technical_value(text)) << text;
  }
}

}  // namespace
}  // namespace ventris::formats
