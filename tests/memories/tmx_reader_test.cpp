#include "memories/tmx_reader.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/gzip.h"
#include "support/temp_folder.h"

namespace ventris::memories {
namespace {

std::string variant(const std::string& language, const std::string& segment) {
  return "<tuv xml:lang=\"" + language + "\"><seg>" + segment + "</seg></tuv>";
}
std::string unit(const std::string& content) { return "<tu>\n" + content + "</tu>\n"; }
std::string tmx(const std::string& units) {
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<tmx version=\"1.4\"><header "
         "srclang=\"en\"/><body>\n" +
         units + "</body></tmx>\n";
}

class TmxReaderTest : public testing::Test {
 protected:
  std::string read(const std::string& bytes, const MemoryLanguages& languages = {"en", "de"}) {
    TmxReader reader(folder.file("a.tmx", bytes), languages);
    std::string lines;
    for (auto block = reader.next_block(); !block.empty(); block = reader.next_block()) lines += block;
    counts = reader.counts();
    return lines;
  }

  test::TempFolder folder;
  MemoryCounts counts;
};

TEST_F(TmxReaderTest, AnEntityOfATypeThatIsNotReadIsASpace) {
  EXPECT_EQ(read(tmx(unit(variant("en", "a&nbsp;b") + variant("de", "c")))), "a b\tc\n");
}

/// The same text in UTF-16, with a byte-order mark; only of ASCII.
std::string utf16(const std::string& ascii) {
  std::string bytes = "\xFF\xFE";
  for (const char c : ascii) {
    bytes += c;
    bytes += '\0';
  }
  return bytes;
}

TEST_F(TmxReaderTest, UnitsBecomeLinesWithTwoColumns) {
  const std::string file = tmx(unit(variant("de-DE", "Hallo &amp;\n\t Welt ") + variant("en", "Hello &amp; world")) +
                               unit(variant("EN-us", "One") + variant("fr", "Un") + variant("DE", "Eins")));
  EXPECT_EQ(read(file), "Hello & world\tHallo & Welt\nOne\tEins\n");
  EXPECT_EQ(read(file, {"de", "en"}), "Hallo & Welt\tHello & world\nEins\tOne\n");
  EXPECT_EQ(read(utf16(file)), read(file));
  EXPECT_EQ(read(test::gzipped(file)), read(file));
}

TEST_F(TmxReaderTest, CodesAreLeftOutAndHighlightedTextStays) {
  const std::string source =
      "A <bpt i=\"1\">&lt;b&gt;<sub>note</sub></bpt>bold<ept i=\"1\">&lt;/b&gt;</ept> <hi>high</hi><ph/> <it "
      "pos=\"begin\">x</it>end";
  EXPECT_EQ(read(tmx(unit(variant("en", source) + variant("de", "Ein")))), "A bold high end\tEin\n");
}

TEST_F(TmxReaderTest, UnitsWithoutOneOfTheLanguagesAreCounted) {
  EXPECT_EQ(read(tmx(unit(variant("en", "One")) + unit(variant("en", "Two") + variant("de", " ")) +
                     unit(variant("en", "Three") + variant("de", "Drei")))),
            "Three\tDrei\n");
  EXPECT_EQ(counts.units, 3);
  EXPECT_EQ(counts.pairs, 1);
}

TEST_F(TmxReaderTest, TheTextThatFitsBestCounts) {
  EXPECT_EQ(read(tmx(unit(variant("de-AT", "Jänner") + variant("de", "Januar") + variant("de", "Januar 2") +
                          variant("en", "January")))),
            "January\tJanuar\n");
  EXPECT_EQ(read("<tmx>" + unit("<tuv lang=\"en\"><seg>a</seg></tuv><tuv lang=\"de\"><seg>b</seg></tuv>") + "</tmx>"),
            "a\tb\n")
      << "as in version 1.1";
}

TEST_F(TmxReaderTest, LanguagesThatAreMissingAreErrorsWithThoseOfTheFile) {
  const std::string file = tmx(unit(variant("en-GB", "a") + variant("de", "b")));
  EXPECT_FAILS(read(file, {}), DataError, "a.tmx:en:de; it has: de, en-GB");
  EXPECT_FAILS(read(file, {"en", "fr"}), DataError,
               "none of its 1 units has a text in both en and fr; its languages: de, en-GB");
  EXPECT_FAILS(read(tmx("")), DataError, "none of its 0 units has a text in both en and de; its languages: none");
}

TEST_F(TmxReaderTest, WhatIsNoTmxIsRefused) {
  EXPECT_FAILS(read("<xliff/>"), DataError, "a.tmx:1: expected <tmx>, found <xliff>; is it a translation memory?");
  EXPECT_FAILS(read("text"), DataError, "a.tmx:1: not well-formed XML");
  EXPECT_FAILS(read(""), DataError, "not well-formed XML: no element found");
  EXPECT_FAILS(read("<tmx>\n<tu>"), DataError, "a.tmx:2: not well-formed XML");
  EXPECT_FAILS(read(test::gzipped(tmx("")).substr(0, 60)), DataError, "ends in the middle of its gzip data");
}

TEST_F(TmxReaderTest, EntitiesAndLongTextsAreBounded) {
  std::string bomb = "<!DOCTYPE tmx [<!ENTITY a0 \"lollollollollollol\">";
  for (int i = 1; i < 16; ++i) {
    std::string below;
    for (int k = 0; k < 10; ++k) below += "&a" + std::to_string(i - 1) + ";";
    bomb += "<!ENTITY a" + std::to_string(i) + " \"" + below + "\">";
  }
  EXPECT_FAILS(read(bomb + "]><tmx>" + unit(variant("en", "&a15;")) + "</tmx>"), DataError, "not well-formed XML");
  const std::string lines = read(tmx(unit(variant("en", std::string(3 << 20, 'a')) + variant("de", "b"))));
  EXPECT_EQ(lines.size(), (2U << 20) + 3);
}

}  // namespace
}  // namespace ventris::memories
