#include "markup/encoded_values.h"

#include <gtest/gtest.h>

#include <string>

#include "support/in_capitals.h"

namespace ventris::markup {
namespace {

const std::string kPicture = "UEsDBBQAAAAIAAp4fF2EjNLJswEAAE0IAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbLWWzU4bMRSF";
const std::string kLines = kPicture + "\n" + kPicture + "\nlbNtddpMqgKscFLZ";

TEST(EncodedValues, AreBase64InOneLineOrInLines) {
  EXPECT_TRUE(is_encoded_value(kPicture));
  EXPECT_TRUE(is_encoded_value("\n" + kLines + "\n"));
  EXPECT_TRUE(is_encoded_value("  " + kPicture + "\r\n  " + kPicture + "\r\n"));
  EXPECT_TRUE(is_encoded_value(kPicture + " " + kPicture)) << "folded lines of YAML";
  EXPECT_TRUE(is_encoded_value("PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciPg=="));
  EXPECT_TRUE(is_encoded_value(std::string(100, 'A') + "B4c" + std::string(101, 'A')));
}

TEST(EncodedValues, AreKeysAndTokens) {
  for (const char* value :
       {"-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n", "ssh-rsa AAAAB3NzaC1yc2E= me@host",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
        "AIzaSyA1234567890abcdefghijklmnopqrstu", "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "sha512-abcDEF/123+xyz==", "V1StGXR8_Z5jdHi6B-myT", "507f1f77bcf86cd799439011", "5f2b6c8e9d1a"}) {
    EXPECT_TRUE(is_encoded_value(value)) << value;
  }
}

TEST(EncodedValues, AreNoWords) {
  for (const char* text :
       {"", "hello", "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft",
        "Windows10UpdateAssistant2023", "Covid-19-Pandemie-Hilfsprogramm-2021", "TwoDogsPlayInTheSnowAndABoyLooksOn",
        "and/or/either/neither/both/none/all/some",
        "the-2nd-longest-word-that-anybody-has-ever-seen-in-Their-20s-or-30s", "Two dogs play in the snow with 3 boys",
        "ANOTICEINCAPITALSTHATHASNOSPACES", "....................",
        "-----BEGIN PGP SIGNED MESSAGE-----\na\n-----END PGP SIGNATURE-----", "012345678901234567890123",
        "Hello\nthere\nmy\nfriends", "password==password==", "Description=", "YourPasswordIs1="}) {
    EXPECT_FALSE(is_encoded_value(text)) << text;
  }
}

TEST(EncodedValues, StayInXml) {
  const std::string file = "<file name=\"a.png\" encoding=\"base64\">iVBORw</file>";
  EXPECT_EQ(in_capitals("<quiz>" + file + "<text>dog</text></quiz>", Markup::kXml),
            "<quiz>" + file + "<text>DOG</text></quiz>");
  const std::string values = "<b>" + kLines + "</b><c><![CDATA[" + kLines + "]]></c>";
  EXPECT_EQ(in_capitals("<a>" + values + "<d>dog</d></a>", Markup::kXml), "<a>" + values + "<d>DOG</d></a>");
  const std::string binary = "<binary id=\"c\">UEsDBA</binary>";
  EXPECT_EQ(in_capitals("<FictionBook><p>dog</p>" + binary + "</FictionBook>", Markup::kXml),
            "<FictionBook><p>DOG</p>" + binary + "</FictionBook>");
}

}  // namespace
}  // namespace ventris::markup
