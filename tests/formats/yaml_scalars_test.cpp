#include "formats/yaml_scalars.h"

#include <gtest/gtest.h>

#include "markup/markup.h"
#include "support/errors.h"

namespace ventris::formats {
namespace {

using markup::MarkupError;
using Texts = std::vector<std::string>;

Texts texts_in_yaml(const std::string& file) {
  Texts all;
  for (const YamlScalar& scalar : read_yaml(file)) all.push_back(scalar.text);
  return all;
}
/// What is written for the only text of a file.
std::string yaml_becomes(const std::string& file, const std::string& text) {
  const std::vector<YamlScalar> scalars = read_yaml(file);
  const YamlScalar& scalar = scalars.front();
  return replaced(file, {{scalar.range, write_yaml(scalar, part_of(file, scalar.range), text)}});
}

TEST(YamlScalars, ValuesAndItemsAreTextsButNotKeysNumbersAndDates) {
  EXPECT_EQ(texts_in_yaml("a: One # c\nb: [Two, 'Three', {c: \"Four\"}]\n? x\n: Five\n---\n- Six\n"),
            (Texts{"One", "Two", "Three", "Four", "Five", "Six"}));
}

TEST(YamlScalars, AnExclamationMarkAloneIsNoTag) { EXPECT_EQ(texts_in_yaml("a: ! 'b'\nc: !x 'd'\n"), Texts{"b"}); }

TEST(YamlScalars, OtherPlainScalarsAreNoTexts) {
  EXPECT_EQ(
      texts_in_yaml(
          "[1, -2.5e3, 0x1F, 1_000, 12:30:45, .5, .inf, true, No, off, null, ~, 2001-12-14, 2001-12-14 21:59:43]"),
      Texts{});
  EXPECT_EQ(texts_in_yaml("['1', !!str 2, !ruby x, 1 dog, Norway]"), (Texts{"1", "1 dog", "Norway"}));
}

TEST(YamlScalars, PlacesArePlacesOfBytes) {
  const std::string file = "\xEF\xBB\xBF# \u00FC\r\n\u00E4: \u00F6\u00DF one\r\nb: &x \"two\"\r\n";
  const std::vector<YamlScalar> scalars = read_yaml(file);
  ASSERT_EQ(scalars.size(), 2U);
  EXPECT_EQ(part_of(file, scalars[0].range), "\u00F6\u00DF one");
  EXPECT_EQ(part_of(file, scalars[1].range), "\"two\"");
  EXPECT_EQ(scalars[1].line, 3);
  EXPECT_EQ(scalars[1].path, Texts{"b"});
}

TEST(YamlScalars, AByteOrderMarkIsNoColumnOfTheFirstKey) {
  for (const std::string file :
       {"a: One\nb: Two\n", "---\na: One\nb: Two\n", "- One\n- Two\n", "%YAML 1.1\n---\n- One\n- Two"}) {
    const std::string marked = std::string(kByteOrderMark) + file;
    const std::vector<YamlScalar> scalars = read_yaml(marked);
    ASSERT_EQ(scalars.size(), 2U) << file;
    EXPECT_EQ(part_of(marked, scalars[0].range), "One") << file;
    EXPECT_EQ(part_of(marked, scalars[1].range), "Two") << file;
  }
  EXPECT_EQ(yaml_becomes(std::string(kByteOrderMark) + "a: b\n", "c"), std::string(kByteOrderMark) + "a: c\n");
}

TEST(YamlScalars, ATextKeepsItsStyleIfItCan) {
  EXPECT_EQ(yaml_becomes("a: b # c", "d e"), "a: d e # c");
  EXPECT_EQ(yaml_becomes("a: 'it''s'", "l'eau"), "a: 'l''eau'");
  EXPECT_EQ(yaml_becomes("a: \"b\"", "\"\\\n\t\u00FC\x01"), "a: \"\\\"\\\\\\n\\t\u00FC\\u0001\"");
  EXPECT_EQ(yaml_becomes("a: |\n  b\n\n    c\n\nd: 1", "x\n\n  y\n"), "a: |\n  x\n\n    y\n\nd: 1");
  EXPECT_EQ(yaml_becomes("a: >-\n   b\n   c\n\n   d\n", "x y\nz"), "a: >-\n   x y\n\n   z\n");
  EXPECT_EQ(yaml_becomes("a: |\r\n  b\r\n", "x\n"), "a: |\r\n  x\r\n");
}

TEST(YamlScalars, OtherwiseItGetsDoubleQuotationMarks) {
  for (const std::string& text :
       std::vector<std::string>{"yes", "1", "a: b", "a #b", "- a", "'a", "a\nb", "a:", "@a", " a", "%a", "---"}) {
    EXPECT_TRUE(yaml_becomes("a: b", text).starts_with("a: \"")) << text;
    EXPECT_EQ(texts_in_yaml(yaml_becomes("a: b", text)), Texts{text});
  }
  EXPECT_EQ(yaml_becomes("[a]", "b, c"), "[\"b, c\"]");
  EXPECT_EQ(yaml_becomes("a: 'b'", "c\nd"), "a: \"c\\nd\"");
  EXPECT_EQ(yaml_becomes("a: |2\n    b\n", "  c\n"), "a: \"  c\\n\"\n");
}

TEST(YamlScalars, WhatIsNoYamlIsNamedWithItsLine) {
  EXPECT_FAILS(texts_in_yaml("a: b\n c: d"), MarkupError,
               "line 2: is no YAML: mapping values are not allowed in this context");
  EXPECT_FAILS(texts_in_yaml("a: \"b\n"), MarkupError, "is no YAML: ");
  EXPECT_FAILS(texts_in_yaml("a: *b c: d"), MarkupError, "line 1: is no YAML: ");
  EXPECT_FAILS(texts_in_yaml("a:\n\t- b"), MarkupError, "line 2: is no YAML: ");
  EXPECT_FAILS(texts_in_yaml(std::string(1001, '[')), MarkupError,
               "mappings and lists are nested deeper than 1000 levels");
  EXPECT_TRUE(texts_in_yaml("").empty());
}

}  // namespace
}  // namespace ventris::formats
