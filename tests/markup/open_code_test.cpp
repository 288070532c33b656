#include "markup/open_code.h"

#include <gtest/gtest.h>

namespace ventris::markup {
namespace {

/// After each piece: "c" if what follows is code, otherwise "-".
std::string after(const std::vector<std::string>& pieces) {
  OpenCode code;
  std::string all;
  for (const std::string& piece : pieces) {
    code.read(piece);
    all += code.any() ? 'c' : '-';
  }
  return all;
}

TEST(OpenCode, IsOpenFromItsStartTagToItsEndTag) {
  EXPECT_EQ(after({"<div>\n<pre>\n", "</pre>", "</div>"}), "c--");
  EXPECT_EQ(after({"<pre>x</pre>", "a </pre> b"}), "--");
  EXPECT_EQ(after({"<PRE class=x>", "</Pre >"}), "c-");
  EXPECT_EQ(after({"<code><kbd>", "</kbd>", "</code>"}), "cc-");
  EXPECT_EQ(after({"<pre translate=yes>", "<b>", "<br/>"}), "---");
}

TEST(OpenCode, EndsWhereABrowserEndsIt) {
  EXPECT_EQ(after({"<div><pre>", "</p>", "</div>"}), "cc-");
  EXPECT_EQ(after({"<div><code>", "</div>", "</code>"}), "cc-");
  EXPECT_EQ(after({"<div><div><pre>", "</span>", "</div>", "</div>"}), "cc--");
  EXPECT_EQ(after({"<ul><li><kbd>", "<li>"}), "c-");
  EXPECT_EQ(after({"<table><tr><td><pre>", "<td>"}), "c-");
  EXPECT_EQ(after({"<div></div><pre>", "</div>"}), "cc") << "no such element is around it";
}

TEST(OpenCode, AnElementWithoutTagsEndsOnlyWithItsOwnEndTag) {
  EXPECT_EQ(after({"<div><textarea>", "<b></div></pre>", "x</textarea>"}), "cc-");
  EXPECT_EQ(after({"<script>let a = '<pre>';", "</script>"}), "c-");
  EXPECT_EQ(after({"<title>a</title>", "<style></style><p>"}), "--");
}

TEST(OpenCode, AnElementThatIsNotReadEndsWhatIsInside) {
  OpenCode code;
  code.read("<code>");
  code.enter();
  code.read("<pre>");
  code.leave("li");
  EXPECT_TRUE(code.any()) << "the code is around the item";
  code.read("</code>");
  EXPECT_FALSE(code.any()) << "the pre has ended with it";
  code.leave("li");  // more than were entered
  code.enter();
  code.read("<code>");
  code.leave("li");
  EXPECT_TRUE(code.any()) << "formatting goes on";
}

}  // namespace
}  // namespace ventris::markup
