#include "formats/po_entries.h"

#include <gtest/gtest.h>

#include "markup/markup.h"
#include "support/errors.h"

namespace ventris::formats {
namespace {

using markup::MarkupError;

TEST(PoEntries, StatementsAreReadWithTheirEscapes) {
  const std::string file =
      "\xEF\xBB\xBF# comment\r\n#, fuzzy, c-format\r\n#| msgid \"old\"\r\nmsgctxt \"menu\"\r\nmsgid \"\"\r\n  "
      "\"a\\\"\\n\"\r\n"
      "\"\\\\b\\x41\\102\" \"c\"\r\nmsgstr \"\"\r\n\r\nmsgid \"one\"\nmsgid_plural \"many\"\nmsgstr[0] "
      "\"1\"\nmsgstr[1]\"2\"\n";
  const std::vector<PoEntry> entries = read_po(file);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].id->text, "a\"\n\\bABc");
  EXPECT_TRUE(entries[0].has_context);
  EXPECT_EQ(entries[0].line, 5);
  EXPECT_EQ(part_of(file, *entries[0].flags), " fuzzy, c-format");
  EXPECT_EQ(file.substr(entries[0].flag_place, 2), "#|");
  EXPECT_EQ(part_of(file, entries[0].translations[0].range), "msgstr \"\"");
  EXPECT_EQ(entries[1].plural->text, "many");
  EXPECT_EQ(part_of(file, entries[1].translations[1].range), "msgstr[1]\"2\"");
  EXPECT_FALSE(entries[1].flags);
}

TEST(PoEntries, ObsoleteEntriesAreNone) {
  const auto entries =
      read_po("#, fuzzy\n#~ msgid \"a\"\n#~ msgstr \"b\"\n\nmsgid \"c\"\nmsgstr \"\"\n#~ msgid \"d\"\n#~ msgstr \"\"");
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_FALSE(entries[0].flags) << "they were those of the obsolete entry";
  EXPECT_TRUE(read_po("").empty());
  EXPECT_TRUE(read_po("# only a comment").empty());
}

TEST(PoEntries, WhatIsNoPoIsNamedWithItsLine) {
  const auto refused = [](const std::string& text, const std::string& message) {
    EXPECT_FAILS(read_po(text), MarkupError, message);
  };
  refused("msgid \"a\"\nmsgstr \"b\n", "line 2: the text has no quotation mark at its end");
  refused("msgid \"a\"\n\nhello\n",
          "line 3: expected msgid, msgstr, a comment or a text in quotation marks, found 'hello'");
  refused("\"a\"\n", "line 1: a text without a keyword, expected msgid or msgstr in front of it");
  refused("msgid \"a\"\nmsgid \"b\"\n", "line 2: a second msgid, expected msgstr");
  refused("msgstr \"a\"\n", "line 1: msgstr without msgid in front of it");
  refused("msgid_plural \"a\"\n", "line 1: msgid_plural without msgid in front of it");
  refused("msgid \"a\"\nmsgstr \"b\"\nmsgstr \"c\"\n", "line 3: expected msgid, found msgstr");
  refused("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr \"c\"\n", "line 3: expected msgstr[0], found msgstr");
  refused("msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[1] \"c\"\n", "line 3: expected msgstr[0], found msgstr[1]");
  refused("msgid\n", "line 1: no text in quotation marks behind msgid");
  refused("msgid \"a\" b\n", "line 1: expected a text in quotation marks, found 'b'");
  refused("msgid \"\\q\"\n", "line 1: unknown escape \\q");
  refused("msgid \"\\xff\"\n", "line 1: an escape is not UTF-8");
  refused("# x\nmsgid \"a\"\n", "line 2: the entry of line 2 has no msgstr");
}

TEST(PoEntries, TextsAreWrittenInLines) {
  EXPECT_EQ(write_po("msgstr", "", "\n"), "msgstr \"\"");
  EXPECT_EQ(write_po("msgstr", "a \"b\"\t\\\n", "\n"), "msgstr \"a \\\"b\\\"\\t\\\\\\n\"");
  EXPECT_EQ(write_po("msgstr[1]", "a\nb", "\r\n"), "msgstr[1] \"\"\r\n\"a\\n\"\r\n\"b\"");
  const std::string words = "word " + std::string(80, 'x') + " word";
  EXPECT_EQ(write_po("msgstr", words, "\n"), "msgstr \"\"\n\"word \"\n\"" + std::string(80, 'x') + " \"\n\"word\"");
  for (const std::string& text : {std::string(1000, ' '), "a" + std::string(1000, ' '), std::string("\n\n \n")}) {
    const std::string file = "msgid \"a\"\n" + write_po("msgstr", text, "\n");
    EXPECT_EQ(read_po(file).front().translations.front().text, text);
  }
}

}  // namespace
}  // namespace ventris::formats
