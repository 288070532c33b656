#include "formats/document_hint.h"

#include <gtest/gtest.h>

namespace ventris::formats {
namespace {

TEST(DocumentHint, DocumentsAreKnownByTheirFirstLines) {
  EXPECT_EQ(flag_for("WEBVTT - a film", ""), "--markup vtt");
  EXPECT_EQ(flag_for("1\r", "00:00:01,000 --> 00:00:02,000\r"), "--markup srt");
  EXPECT_EQ(flag_for("<!DOCTYPE HTML>", "<html>"), "--markup html");
  EXPECT_EQ(flag_for("<html lang='en'>", ""), "--markup html");
  EXPECT_EQ(flag_for("<?xml version='1.0'?>", ""), "--markup xml");
  EXPECT_EQ(flag_for("# A catalogue", "msgid \"\""), "--markup po");
  EXPECT_EQ(flag_for("{\"text\": \"a\"}", ""), "--input-format jsonl");
  EXPECT_EQ(flag_for("{", "  \"a\": \"b\","), "--markup json");
}

TEST(DocumentHint, OrdinaryLinesAreNot) {
  for (const char* first : {"", "1", "{", "[a]", "A dog --> a cat", "<b>a</b>", "{name} is here", "WEB"}) {
    EXPECT_EQ(flag_for(first, "The dog is here."), "") << first;
    EXPECT_EQ(flag_for(first, ""), "") << first;
  }
}

}  // namespace
}  // namespace ventris::formats
