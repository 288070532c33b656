#include "imports/marian_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

using testing::ElementsAre;

std::string scalar_of(const std::string& text) {
  std::string value;
  return read_yaml_scalar(text, value) ? value : "(refused)";
}

TEST(YamlScalar, QuotesAndEscapesAreRead) {
  EXPECT_EQ(scalar_of("a:b"), "a:b");
  EXPECT_EQ(scalar_of(R"("a\"\\\t\u00e4\xe9\U0001F600\_")"), "a\"\\\t\u00e4\u00e9\U0001F600\u00a0");
  EXPECT_EQ(scalar_of("'it''s'"), "it's");
  EXPECT_EQ(scalar_of("\"\""), "");
  for (const char* wrong :
       {"\"a", "\"a\" b", "'a", "'a' b", R"("\q")", R"("\u12")", "\"\\", "[a", "&anchor", "*alias"}) {
    EXPECT_EQ(scalar_of(wrong), "(refused)") << wrong;
  }
}

TEST(MarianSettings, ScalarsAndListsAreRead) {
  const MarianSettings settings(
      "# a comment\n\ndim-emb: 32\ntop: \"\"\nnone:\ndim-vocabs:\n  - 26\n  - 27\nempty:\n  []\nflow: [1, 2]\nflag: "
      "true\n",
      "m");
  EXPECT_EQ(settings.integer("dim-emb", 0), 32);
  EXPECT_EQ(settings.integer("missing", 7), 7);
  EXPECT_EQ(settings.text("top", "x"), "");
  EXPECT_EQ(settings.text("none", "x"), "");
  EXPECT_TRUE(settings.flag("flag", false));
  EXPECT_THAT(settings.list("dim-vocabs"), ElementsAre("26", "27"));
  EXPECT_THAT(settings.list("empty"), ElementsAre());
  EXPECT_THAT(settings.list("flow"), ElementsAre("1", "2"));
}

TEST(MarianSettings, OtherYamlIsRefusedWithItsLine) {
  for (const char* wrong : {"a: 1\nb", "a: 1\n- b", "a: 1\na: 2", "a: 1\nb:2", "a: 1\nb: {c: 1}", "a: 1\nb: |",
                            "a: 1\n: 2", "a: 1\n  b: 2"}) {
    EXPECT_FAILS(
        MarianSettings(wrong, "m.npz"), ModelError,
        "m.npz: the settings (special:model.yml), line 2: expected KEY: VALUE or an item of a list, each key once")
        << wrong;
  }
  EXPECT_FAILS(MarianSettings("  - a", "m.npz"), ModelError, "line 1: expected KEY");
  EXPECT_FAILS(MarianSettings("", "m.npz"), ModelError, "m.npz: has no settings (special:model.yml)");
  EXPECT_FAILS(MarianSettings("a: \xff", "m.npz"), ModelError, "m.npz: the settings are not valid UTF-8");
}

TEST(MarianSettings, ValuesOfOtherKindsAreRefused) {
  const MarianSettings settings("a: x\nb: [1, 2]\nc: 1.5\nd: 2000000", "m.npz");
  EXPECT_FAILS(settings.integer("a", 0), ModelError, "m.npz: setting a: expected a whole number from 0, found 'x'");
  EXPECT_FAILS(settings.integer("c", 0), ModelError, "setting c: expected a whole number");
  EXPECT_FAILS(settings.integer("d", 0), ModelError, "setting d: expected a whole number");
  EXPECT_FAILS(settings.text("b", ""), ModelError, "setting b: expected one value, found '1, 2'");
  EXPECT_FAILS(settings.flag("a", false), ModelError, "setting a: expected true or false, found 'x'");
}

}  // namespace
}  // namespace ventris::imports
