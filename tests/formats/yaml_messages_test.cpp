#include "formats/yaml_messages.h"

#include <gtest/gtest.h>

#include "support/written_format.h"

namespace ventris::formats {
namespace {

using markup::Markup;

const std::string kFile =
    "# Rails\nen: &top\n  title:  One dog   # note\n  n: 1.50\n  'key': \"Two %{n}\\u00fc\"\n  list:\n  - 'It''s'\n"
    "  - {x: three, y: [~]}\n  text: |\n    A\n\n    B\n  fold: >\n    C\n    D\nother: *top\n...\n";

std::string capitals(std::string text) {
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return text;
}

TEST(YamlMessages, WithoutATranslationEveryByteStays) {
  EXPECT_EQ(test::written_format(kFile, Markup::kYaml), kFile);
  EXPECT_EQ(test::written_format("", Markup::kYaml), "");
}

TEST(YamlMessages, OnlyTextsChange) {
  EXPECT_EQ(
      test::written_format(kFile, Markup::kYaml, capitals),
      "# Rails\nen: &top\n  title:  ONE DOG   # note\n  n: 1.50\n  'key': \"TWO %{N}\u00FC\"\n  list:\n  - 'IT''S'\n"
      "  - {x: THREE, y: [~]}\n  text: |\n    A\n\n    B\n  fold: >\n    C\n    D\nother: *top\n...\n");
}

TEST(YamlMessages, TheKeysOfWhatIsTranslatedCanBeChosen) {
  EXPECT_EQ(test::written_format("a: b\nc:\n  a: d\n  e: f\n", Markup::kYaml, capitals, {.keys = "c.a"}),
            "a: b\nc:\n  a: D\n  e: f\n");
}

}  // namespace
}  // namespace ventris::formats
