#include "markup/technical_values.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

TEST(TechnicalValues, AreThoseThatProgramsRead) {
  for (const char* value : {"#fff",
                            "#ff0000",
                            "#FF0000AA",
                            "en-US",
                            "de_AT",
                            "/images/logo.png",
                            "./a",
                            "../a/b.js",
                            "image/png",
                            "application/vnd.ms-excel",
                            "MM/DD/YYYY",
                            "h:mm a",
                            "yyyy-MM-dd HH:mm:ss",
                            "dd.MM.yy",
                            "EEE, d MMM yyyy",
                            "Y-m-d",
                            "mm:ss",
                            "d.m.Y H:i",
                            "/api/v1/books",
                            "text/html; charset=utf-8",
                            "2020-01-01T00:00:00Z",
                            "2020-01-01T00:00:00.123+02:00",
                            "Wed, 01 Jan 2020 00:00:00 GMT",
                            "550e8400-e29b-41d4-a716-446655440000",
                            "d41d8cd98f00b204e9800998ecf8427e",
                            "DE89370400440532013000",
                            "data:image/png;base64,iVBORw0KGgo=",
                            "mailto:a@b.c",
                            "rgba(0, 0, 0, 0.5)",
                            "true",
                            "false",
                            "--all",
                            "-l",
                            "UTF-8",
                            "iso-8859-15",
                            "C:\\Program Files\\App",
                            "\\\\server\\share",
                            "tel:+49123"}) {
    EXPECT_TRUE(is_technical_value(value)) << value;
  }
}

TEST(TechnicalValues, AreNoWordsOrTexts) {
  for (const char* text : {"",
                           "#",
                           "#abc1g",
                           "C:\\ is full. Please delete files.",
                           "C:\\Temp is full. Go on?",
                           "--Select--",
                           "True or false",
                           "-5",
                           "var(x) is undefined (see line 3)",
                           "UTF-8 text",
                           "#new",
                           "no-one",
                           "A",
                           "and/or",
                           "image",
                           "image/",
                           "/",
                           "./",
                           "/ or",
                           "Mm",
                           "Add",
                           "Dad",
                           "dd",
                           "a. m.",
                           "ha-ha",
                           "/month",
                           "/user/month",
                           "audio/video",
                           "text/link",
                           "#bad",
                           "#facade",
                           "mmm, mmm",
                           "zz",
                           "My day",
                           "text/ or not",
                           "Yes/No",
                           "M - D",
                           "AA MM",
                           "/30-days",
                           "/2weeks",
                           "./5",
                           "data:dogs,cats",
                           "2020-01-01Tuesday",
                           "Wed, 01 Jan 2020",
                           "data: a, b",
                           "mailto: me",
                           "tel: +49 12",
                           "Call 12",
                           "a-b-c",
                           "d/e/f",
                           "DE89",
                           "deadbeefdeadbeefdeadbeefdeadbeef"}) {
    EXPECT_FALSE(is_technical_value(text)) << text;
  }
}

}  // namespace
}  // namespace ventris::markup
