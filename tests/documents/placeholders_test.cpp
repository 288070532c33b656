#include "documents/placeholders.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace ventris::documents {
namespace {

using Texts = std::vector<std::string>;

Texts found(const std::string& text, const std::string& choice = "builtin") {
  Texts texts;
  for (const ByteRange& range : Placeholders(choice).find(text)) {
    texts.push_back(text.substr(range.begin, range.end - range.begin));
  }
  return texts;
}

TEST(Placeholders, TheUsualFormsAreBuiltIn) {
  EXPECT_EQ(found("{0} {name} {n:d} ${x} {{y}} {}"), (Texts{"{0}", "{name}", "{n:d}", "${x}", "{{y}}", "{}"}));
  EXPECT_EQ(found("%s %1$d %5.2f %-3d %(name)s %@"), (Texts{"%s", "%1$d", "%5.2f", "%-3d", "%(name)s", "%@"}));
  EXPECT_EQ(found("a __TERM1__ b <b>bold</b><br/>"), (Texts{"__TERM1__", "<b>", "</b>", "<br/>"}));
  EXPECT_EQ(found("(see https://a.org/x?y=1.) www.b.de, mail me@c.co.uk."),
            (Texts{"https://a.org/x?y=1", "www.b.de", "me@c.co.uk"}));
}

TEST(Placeholders, FormulasOfTexHaveNoEscapes) {
  EXPECT_EQ(found("if \\[ a \\neq b \\times \\text{c} \\] and \\(x \\to \\nu\\) or $a_i \\in A$\\n"),
            (Texts{"\\[ a \\neq b \\times \\text{c} \\]", "\\(x \\to \\nu\\)", "$a_i \\in A$", "\\n"}));
  EXPECT_EQ(found("\\(name) costs $5 and $6"), Texts{"\\(name)"});
}

TEST(Placeholders, OrdinaryTextHasNone) {
  EXPECT_EQ(found("100 % sure, 50% discount; a < b > c, {a set of words} and snake_case, 3 %, 5%."), Texts{});
}

TEST(Placeholders, NumbersAndFilesAreChosenByName) {
  const test::TempFolder folder;
  const std::string file = folder.file("list", "Acme (R)\n\n/[A-Z]{2}-\\d+/\n");
  EXPECT_EQ(found("1,000.50 and 7 of A4, -3", "numbers"), (Texts{"1,000.50", "7", "-3"}));
  EXPECT_EQ(found("Acme (R) has AB-12 {0}", file), (Texts{"Acme (R)", "AB-12"}));
  EXPECT_EQ(found("Acme (R) has AB-12 {0} 5", "builtin,numbers," + file), (Texts{"Acme (R)", "AB-12", "{0}", "5"}));
}

TEST(Placeholders, AFileThatIsNotUtf8IsRefusedWithTheLine) {
  const test::TempFolder folder;
  EXPECT_FAILS(Placeholders(folder.file("list", "Acme\n\xE9[A-Z]\n")), DataError,
               "list:2: not valid UTF-8; convert the file to UTF-8 first");
}

TEST(Placeholders, OfTwoThatOverlapTheFirstAndLongestIsTaken) {
  EXPECT_EQ(found("https://a.org/{0}/1 2", "numbers,builtin"), (Texts{"https://a.org/{0}/1", "2"}));
}

TEST(Placeholders, WhatIsMissingOrTooManyIsNamed) {
  const Placeholders builtin("builtin");
  EXPECT_EQ(builtin.missing("{0} %s {0}", "%s {0} {0}"), Texts{});
  EXPECT_EQ(builtin.missing("{0} %s {0}", "{0} {1} %s"), (Texts{"{0}", "{1}"}));
}

TEST(Placeholders, MistakesAreNamed) {
  const test::TempFolder folder;
  EXPECT_FAILS(Placeholders("builtin,,numbers"), ConfigError, "placeholders: expected builtin, numbers or a file");
  EXPECT_FAILS(Placeholders(folder.path("none")), DataError, "none: cannot be read");
  EXPECT_FAILS(Placeholders(folder.file("bad", "x\n/(a/\n")), ConfigError, "bad:2: not a regular expression: /(a/");
  const Placeholders slow(folder.file("slow", "/(a+)+b/\n"));
  EXPECT_FAILS(slow.find(std::string(200, 'a')), DataError, "placeholders: /(a+)+b/ takes too long");
  EXPECT_EQ(slow.missing(std::string(200, 'a'), "").size(), 1U) << "a check ends no run";
  const Placeholders slow_together(folder.file("slow2", "/a[^b]*b|a/\n"));
  EXPECT_FAILS(slow_together.find(std::string(300'000, 'a')), DataError, "/a[^b]*b|a/ takes too long");
}

}  // namespace
}  // namespace ventris::documents
